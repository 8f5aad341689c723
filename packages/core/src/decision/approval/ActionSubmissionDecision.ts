/**
 * Decides an action that an agent submits: refused, held for an approval, executed, or failed.
 * Spec: 4.1, 4.2, States: AgentAction; wire contract 1.4 and 1.6; D-241, D-242.
 */

import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { AgentAction, AgentActionStatus, WalletSignature } from "../../model/agent/AgentAction.ts"
import { AgentActionMachine } from "../../model/agent/AgentActionMachine.ts"
import { type AgentActionResource, toAgentAction } from "../../model/agent/AgentActionResource.ts"
import { AccessRules } from "../../model/agent/PolicyRules.ts"
import type { ApprovalRow } from "../../model/approval/ApprovalPolicy.ts"
import { type ApprovalRequirement, requirementOf } from "../../model/approval/ApprovalRequirement.ts"
import type { Caller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { type Explanation, evaluateSubmission, type RuleRefusal, withRule } from "../agent/AgentPolicyEvaluation.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"
import { newEvent } from "../event/NewEvent.ts"
import { decidePayload, signingSession } from "../wallet/SignedDecision.ts"
import { type ActionLoaded, guardsFor } from "./ActionLoaded.ts"
import { type ActionPlan, expiresAtOf, isPlan, planOf, quoteOf, shortageOf, stateRefusal } from "./ActionPlan.ts"
import {
  accessFactsOf,
  type ChargedExecution,
  execute,
  expandedRecordsOf,
  newAction,
  spendingFactsOf,
} from "./ActionRecord.ts"
import { deadlineJobs } from "./ApprovalDeadlineDecision.ts"

/** The refusal of a second action that would execute a quote whose execution is held already. */
const alreadyHeld: Refusal = {
  code: "CONFLICT",
  message: "An action that executes this quote waits for approval already.",
  details: { reason: "ACTION_PENDING" },
}

/** A submission that the access rules allow and whose plan exists. */
interface Submission {
  /** Status of the response, unless the action is refused. */
  readonly status: 200 | 201
  readonly loaded: ActionLoaded
  readonly plan: ActionPlan
  /** The signature of a payment out of a wallet. A held action stores it until its approval. */
  readonly walletSignature: WalletSignature | undefined
  /** The row of the deployment's approval policy that covers the action, if any does. */
  readonly approvalRow: ApprovalRow | undefined
}

/** Refuses an action by a rule of the policy. The refusal is audited. */
const refuseByPolicy = (
  { loaded, plan }: Submission,
  refused: RuleRefusal,
  context: DecisionContext,
): Decision<never> => {
  const refusal = withRule(refused)
  const { quoteId, transferDetails } = plan.recorded
  const action = { type: plan.type, ...transferDetails, ...(quoteId === undefined ? {} : { quoteId }) }
  const details = { ...action, ...refusal.details }
  const audit = auditRecord(context, "AGENT_ACTION_SUBMIT", loaded.agent, { outcome: "REFUSED", details })
  return refuse(refusal, Changes.combine(guardsFor(loaded), audit))
}

/** Returns the new action as record and resource, with its insertion. */
const insertAction = (
  { loaded, plan, walletSignature }: Submission,
  id: string,
  state: AgentActionStatus,
  more: Partial<AgentAction>,
  context: DecisionContext,
  executed?: ChargedExecution,
) => {
  const { agent } = loaded
  const recorded = { ...plan.recorded, ...(walletSignature === undefined ? {} : { walletSignature }) }
  const data = newAction(loaded, plan.type, state, { ...recorded, ...more })
  const stored = Changes.insertedRecord("AgentAction", id, agent, data, context.now)
  return {
    stored,
    resource: toAgentAction(stored, expandedRecordsOf(plan, context, executed)),
    changes: Changes.insert("AgentAction", id, agent, data),
  }
}

/** Returns who has asked for the action: what the console's approvers must not be. */
const askedBy = ({ agent }: ActionLoaded, { resender }: Caller): ApprovalRequirement["askedBy"] => ({
  tokenIds: [...(agent.data.givenTo ?? []), ...(resender === undefined ? [] : [resender.id])],
  ...(resender?.approver === undefined ? {} : { approverId: resender.approver.id }),
})

/** Holds the action for an approval. It must be committed before the plan expires. */
const hold = (
  submission: Submission,
  id: string,
  explanation: Explanation,
  context: DecisionContext,
): Decision<AgentActionResource> => {
  const { approvalRow, loaded, plan, status } = submission
  if (takenClaim(context.rejections) !== undefined) return refuse(alreadyHeld)
  const { emits, state } = AgentActionMachine.follow(null, "SubmitHeld")
  const requirement = approvalRow && requirementOf(approvalRow, askedBy(loaded, context.caller), context.now)
  const more = { explanation, ...(requirement === undefined ? {} : { requirement }) }
  const held = insertAction(submission, id, state, more, context)
  const events = emits.map((event) =>
    newEvent(context.ids, context.now, {
      type: event,
      customerId: loaded.agent.customerId,
      subject: id,
      data: withoutPlaceholders(held.resource),
    }),
  )
  const audit = auditRecord(context, "AGENT_ACTION_SUBMIT", held.stored, { outcome: "HELD", details: explanation })
  const deadlines = deadlineJobs(id, loaded.agent, held.stored.data, context)
  const expiresAt = expiresAtOf(plan)
  const expiry = expiresAt === undefined ? {} : { validUntil: expiresAt }
  return answer(
    status,
    held.resource,
    Changes.combine(held.changes, deadlines, guardsFor(loaded), expiry, audit, ...events),
  )
}

/** Executes the action at once, or fails it if the execution lacks something. */
const executeOrFail = (submission: Submission, id: string, context: DecisionContext): Decision<AgentActionResource> => {
  const { loaded, plan, status, walletSignature } = submission
  const explanation = shortageOf(plan, context.now)
  if (explanation !== undefined) {
    const { state } = AgentActionMachine.follow(null, "SubmitAutomatic", "ExecutionFails")
    const failed = insertAction(submission, id, state, { explanation }, context)
    return answer(status, failed.resource, Changes.combine(failed.changes, guardsFor(loaded)))
  }
  const executed = execute(loaded, plan, id, walletSignature, context)
  const { state } = AgentActionMachine.follow(null, "SubmitAutomatic")
  const more = { transactionId: executed.transaction.id, charges: executed.charges }
  const approved = insertAction(submission, id, state, more, context, executed)
  return answer(status, approved.resource, Changes.combine(approved.changes, executed.changes, guardsFor(loaded)))
}

/** Decides an action of an agent. `status`: the status of the response, unless the action is refused. */
export const submitAction =
  (status: 200 | 201, walletSignature?: WalletSignature) =>
  (loaded: ActionLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const denied = AccessRules.first(accessFactsOf(loaded))
    if (denied !== undefined) return refuse(withRule(denied))
    const plan = planOf(loaded)
    if (!isPlan(plan)) return refuse(plan)
    const facts = spendingFactsOf(loaded, plan)
    const { approvalRow } = facts
    const submission: Submission = { status, loaded, plan, walletSignature, approvalRow }
    const outcome = evaluateSubmission(facts)
    if (outcome._tag === "Refused") return refuseByPolicy(submission, outcome, context)
    const refusal = stateRefusal(plan, context.now)
    if (refusal !== undefined) return refuse(refusal)
    const id = context.ids("AgentAction")
    return outcome._tag === "ApprovalRequired"
      ? hold(submission, id, outcome.explanation, context)
      : executeOrFail(submission, id, context)
  }

/** Decides the execution of a quote by an agent. A payment out of a wallet needs its owner's signature. `stamp`: the header. */
export const submitQuoteAction =
  (stamp: string | undefined) =>
  (loaded: ActionLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const submit = (session?: Stored<"Session">) => {
      const isSigned = session !== undefined && stamp !== undefined
      return submitAction(200, isSigned ? { sessionId: session.id, stamp } : undefined)(loaded, context)
    }
    const { agent, signature } = loaded
    if (signature === undefined) return submit()
    const plan = planOf(loaded)
    const target = (isPlan(plan) ? quoteOf(plan) : undefined) ?? agent
    const signedAction = { operation: "POST /agents/me/quotes/{quoteId}/execute", target }
    return decidePayload(signature, context, signedAction, submit(signingSession(signature, context.now)))
  }
