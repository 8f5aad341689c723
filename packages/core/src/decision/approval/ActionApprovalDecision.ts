/**
 * Decides what a platform does with a held action: approves it, which executes or fails it, or rejects it.
 * Spec: 4.2, States: AgentAction; wire contract 1.4 and 1.6.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { AgentAction } from "../../model/agent/AgentAction.ts"
import { AgentActionMachine } from "../../model/agent/AgentActionMachine.ts"
import { type AgentActionResource, type ExpandedRecords, toAgentAction } from "../../model/agent/AgentActionResource.ts"
import { AccessRules } from "../../model/agent/PolicyRules.ts"
import { toQuote } from "../../model/quote/QuoteResource.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { reject } from "../agent/ActionChanges.ts"
import { type Explanation, evaluateExecution, explanationOf } from "../agent/AgentPolicyEvaluation.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, exceededVolume, refuse } from "../Decision.ts"
import { type ActionFacts, type ActionLoaded, type ActionRecords, guardsFor } from "./ActionLoaded.ts"
import { type ActionPlan, isPlan, planOf, shortageOf, stateRefusal } from "./ActionPlan.ts"
import { accessFactsOf, type ChargedExecution, execute, expandedRecordsOf, spendingFactsOf } from "./ActionRecord.ts"
import { type CastVote, castVote, isCast, requiringAction, type Vote } from "./ActionVote.ts"

/** An action to approve or reject, with the records that its response embeds. */
export interface SubmittedAction {
  readonly action: Stored<"AgentAction">
  readonly transaction: Stored<"Transaction"> | undefined
  readonly quote: Stored<"Quote"> | undefined
}

/** What an approval is decided on. */
export interface ApprovalRecords extends SubmittedAction {
  /** Absent: the action has been decided already. */
  readonly execution: ActionRecords | undefined
}

/** The facts that ports answered for an approval. */
export interface ApprovalFacts {
  /** Absent: the action has been decided already. */
  readonly facts: ActionFacts | undefined
}

/** Returns the records that the response embeds, with the quote in its state at `now`. */
export const toExpandedRecords = (
  { quote, transaction }: Omit<SubmittedAction, "action">,
  now: number,
): ExpandedRecords => ({ transaction, quote: quote && toQuote(asOf(quote, now)) })

/** Returns the 409 of an action that has been decided already, with the action, or `undefined`. */
export const alreadyDecided = (submitted: SubmittedAction, now: number): Refusal | undefined => {
  const { action } = submitted
  if (action.data.status === "PENDING_APPROVAL") return undefined
  return {
    code: "CONFLICT",
    message: `The action is ${action.data.status}, not PENDING_APPROVAL.`,
    details: { reason: "ACTION_DECIDED", action: { ...toAgentAction(action, toExpandedRecords(submitted, now)) } },
  }
}

const impossible = (refusal: Refusal): Explanation => ({
  ...explanationOf({ rule: "ACTION_POSSIBLE", refusal }),
  code: refusal.code,
})

/** Returns why an approved action cannot be executed now, or `undefined`. */
const obstacleTo = (
  loaded: ActionLoaded,
  plan: ActionPlan | Refusal,
  { now, rejections }: DecisionContext,
): Explanation | undefined => {
  const denied = AccessRules.first(accessFactsOf(loaded))
  if (denied !== undefined) return explanationOf(denied)
  if (!isPlan(plan)) return impossible(plan)
  const outcome = evaluateExecution(spendingFactsOf(loaded, plan))
  if (outcome._tag === "Refused") return explanationOf(outcome)
  const refusal = stateRefusal(plan, now) ?? exceededVolume({ now, rejections })
  return refusal === undefined ? shortageOf(plan, now) : impossible(refusal)
}

/** Executes a held action that the platform approves, or fails it if it can no longer be executed. */
export const executeHeld =
  (held: Stored<"AgentAction">) =>
  (loaded: ActionLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const plan = planOf(loaded)
    const finish = (data: AgentAction, changes: Changes.Changes, executed?: ChargedExecution) => {
      const audit = executed === undefined ? { outcome: "FAILED" as const, details: data.explanation ?? {} } : {}
      return answer(
        200,
        toAgentAction(Changes.after(held, data, context.now), expandedRecordsOf(plan, context, executed)),
        Changes.combine(
          Changes.update(held, data),
          changes,
          guardsFor(loaded),
          auditRecord(context, "AGENT_ACTION_APPROVE", held, audit),
        ),
      )
    }
    const explanation = obstacleTo(loaded, plan, context)
    if (explanation !== undefined || !isPlan(plan)) {
      const { state: status } = AgentActionMachine.follow(held.data.status, "Approve", "ExecutionFails")
      return finish({ ...held.data, status, ...(explanation === undefined ? {} : { explanation }) }, {})
    }
    const executed = execute(loaded, plan, held.id, held.data.walletSignature, context)
    const { state: status } = AgentActionMachine.follow(held.data.status, "Approve")
    const data = { ...held.data, status, charges: executed.charges, transactionId: executed.transaction.id }
    return finish(data, executed.changes, executed)
  }

/** Stores a vote that others must follow. The records that were shown are guarded, so that the vote is one of what they are. */
const awaitOthers = (
  { changes, held }: CastVote,
  loaded: ActionLoaded,
  context: DecisionContext,
): Decision<AgentActionResource> =>
  answer(
    200,
    toAgentAction(Changes.after(held, held.data, context.now), expandedRecordsOf(planOf(loaded), context)),
    Changes.combine(Changes.update(held, held.data), guardsFor(loaded), changes),
  )

/** Decides an approval of an action. Where a row of the approval policy covers it, the last needed vote executes it. */
export const approveAction =
  (vote?: Vote) =>
  (loaded: ApprovalRecords & ApprovalFacts, context: DecisionContext): Decision<AgentActionResource> => {
    const refusal = alreadyDecided(loaded, context.now)
    if (refusal !== undefined) return refuse(refusal)
    const { action, execution, facts } = loaded
    if (execution === undefined || facts === undefined) throw new Error(`${action.id} was loaded without its execution`)
    const all = { ...execution, ...facts }
    const requiring = requiringAction(action, execution)
    if (requiring === undefined) return executeHeld(action)(all, context)
    const cast = castVote(requiring, facts.approvals, vote, context)
    if (!isCast(cast)) return refuse(cast)
    if (!cast.isDecided) return awaitOthers(cast, all, context)
    const executed = executeHeld(cast.held)(all, context)
    return { ...executed, changes: Changes.combine(executed.changes, cast.changes) }
  }

/** Decides the rejection of an action. */
export const rejectAction =
  (reason: string | undefined) =>
  (submitted: SubmittedAction, context: DecisionContext): Decision<AgentActionResource> => {
    const refusal = alreadyDecided(submitted, context.now)
    if (refusal !== undefined) return refuse(refusal)
    const { action } = submitted
    const rejected = reject(action, reason, context.now)
    return answer(
      200,
      toAgentAction(rejected.action, toExpandedRecords(submitted, context.now)),
      Changes.combine(rejected.changes, auditRecord(context, "AGENT_ACTION_REJECT", action)),
    )
  }
