/**
 * An agent's action, decided: refused, held, executed, or failed; at submission and again at approval. What the action moves,
 * and whether that is possible at all, is told by its type.
 * Spec: 4.1, 4.2, States: AgentAction; wire contract 1.4 and 1.6.
 */

import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Rate } from "../../foundation/money/Rate.ts"
import {
  type AgentAction,
  type AgentActionStatus,
  type AgentActionType,
  AgentActionTypes,
  type WalletSignature,
} from "../../model/agent/AgentAction.ts"
import { AgentActionMachine } from "../../model/agent/AgentActionMachine.ts"
import { type AgentActionResource, type ExpandedRecords, toAgentAction } from "../../model/agent/AgentActionResource.ts"
import { AccessRules, type SpendingFacts } from "../../model/agent/PolicyRules.ts"
import type { Usage } from "../../model/agent/Usage.ts"
import { toQuote } from "../../model/quote/QuoteResource.ts"
import { asOf } from "../../store/AsOf.ts"
import type { AnyStored, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import type { Kind } from "../../store/Kinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import {
  chargesOf,
  type Explanation,
  evaluateExecution,
  evaluateSubmission,
  explanationOf,
  withRule,
} from "../agent/AgentPolicyEvaluation.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"
import { newEvent } from "../event/NewEvent.ts"
import type { Initiator } from "../transaction/TransferDecision.ts"

/** An action that can be executed, as far as its records go. */
export interface PossibleAction extends Pick<SpendingFacts, "accounts" | "amount" | "currency"> {
  /** What the record keeps of it. */
  readonly kept: Pick<AgentAction, "transferDetails" | "instructions" | "quoteId" | "walletSignature">
  /** The quote that it executes. */
  readonly quote?: Stored<"Quote">
  /** Business time (ms) from which on it cannot be executed. */
  readonly endsAt?: number
  /** Why it is not executed in the state that its records are in, said after what the policy says. */
  readonly blocked?: (now: number) => Refusal | undefined
  /** What is missing to execute it now, though nothing forbids it. */
  readonly shortage: (now: number) => Explanation | undefined
  /** `sessionId`: whose key signed a payment out of a wallet. */
  readonly begin: (
    context: DecisionContext,
    by: Initiator,
    sessionId?: string,
  ) => {
    readonly transaction: Stored<"Transaction">
    readonly quote?: Stored<"Quote">
    readonly changes: Changes.Changes
  }
}

/** What was loaded and asked for an action of an agent. */
export interface ActionLoaded {
  readonly type: AgentActionType
  readonly agent: Stored<"Agent">
  readonly customer: Stored<"Customer">
  /** The action, or what makes it impossible whatever the policy. */
  readonly action: PossibleAction | Refusal
  /** The records that it moves money between: none of them may change meanwhile. */
  readonly accounts: ReadonlyArray<AnyStored | Stored<Kind>>
  readonly rates: ReadonlyMap<CurrencyCode, Rate>
  readonly usage: Usage
  /** Business time (ms) at which the counters' day ends: later the decision no longer holds. */
  readonly dayEndsAt: number
}

export const isPossible = (action: PossibleAction | Refusal): action is PossibleAction => !("code" in action)

const accessOf = ({ agent, type }: ActionLoaded) => ({
  agent: agent.data,
  permission: AgentActionTypes.get(type),
})

/** What the policy's rules see of the action. */
export const spendingOf = (loaded: ActionLoaded, { accounts, amount, currency }: PossibleAction): SpendingFacts => ({
  ...accessOf(loaded),
  accounts,
  amount,
  currency,
  rates: loaded.rates,
  usage: loaded.usage,
})

/** Execution begins: the transaction, its job, the charges. */
const execution = (
  loaded: ActionLoaded,
  action: PossibleAction,
  actionId: string,
  walletSignature: WalletSignature | undefined,
  context: DecisionContext,
) => {
  const { agent, dayEndsAt } = loaded
  const { charges, counters } = chargesOf(spendingOf(loaded, action), agent, dayEndsAt - 1)
  const by = { agentId: agent.id, actionId }
  const { changes, ...begun } = action.begin(context, by, walletSignature?.sessionId)
  return { ...begun, charges, changes: Changes.combine(changes, { counters }) }
}

/** What an action shows of the records that it moves. */
const shown = (
  action: PossibleAction | Refusal,
  { now }: DecisionContext,
  begun: Partial<Pick<ReturnType<PossibleAction["begin"]>, "transaction" | "quote">> = {},
): ExpandedRecords => {
  const quote = begun.quote ?? (isPossible(action) ? action.quote : undefined)
  return { transaction: begun.transaction, quote: quote && toQuote(asOf(quote, now)) }
}

/**
 * What the decision rests on: while it is under way nobody may pause the agent, change its policy, close an account or delete
 * the customer, and the day of the counters must not end.
 */
export const guardsFor = ({
  accounts,
  agent,
  customer,
  dayEndsAt,
}: Pick<ActionLoaded, "accounts" | "agent" | "customer" | "dayEndsAt">): Changes.Changes => ({
  ...Changes.guard(agent, customer, ...accounts),
  validUntil: dayEndsAt,
})

/** What is held already is not submitted a second time. */
const heldAlready: Refusal = {
  code: "CONFLICT",
  message: "An action that executes this quote waits for approval already.",
  details: { reason: "ACTION_PENDING" },
}

/** The agent submits an action; `status` is the one of an answer that is no refusal. */
export const submit =
  (status: 200 | 201) =>
  (loaded: ActionLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const { action, agent, type } = loaded
    const denied = AccessRules.first(accessOf(loaded))
    if (denied !== undefined) return refuse(withRule(denied))
    if (!isPossible(action)) return refuse(action)
    const verdict = evaluateSubmission(spendingOf(loaded, action))
    if (verdict._tag === "Refused") {
      const refusal = withRule(verdict)
      const { quoteId, transferDetails } = action.kept
      const what = { type, ...transferDetails, ...(quoteId === undefined ? {} : { quoteId }) }
      const details = { ...what, ...refusal.details }
      const told = auditRecord(context, "AGENT_ACTION_SUBMIT", agent, { outcome: "REFUSED", details })
      return refuse(refusal, Changes.combine(guardsFor(loaded), told))
    }
    const blocked = action.blocked?.(context.now)
    if (blocked !== undefined) return refuse(blocked)

    const id = context.ids("AgentAction")
    const record = (
      state: AgentActionStatus,
      more: Partial<AgentAction>,
      begun?: Omit<ReturnType<typeof execution>, "changes" | "charges">,
    ) => {
      const data = actionOf(loaded, state, { ...action.kept, ...more })
      const stored = Changes.insertedRecord("AgentAction", id, agent, data, context.now)
      return {
        stored,
        resource: toAgentAction(stored, shown(action, context, begun)),
        changes: Changes.insert("AgentAction", id, agent, data),
      }
    }

    if (verdict._tag === "ApprovalRequired") {
      if (takenClaim(context.rejections) !== undefined) return refuse(heldAlready)
      const { emits, state } = AgentActionMachine.follow(null, "SubmitHeld")
      const held = record(state, { explanation: verdict.explanation })
      const events = emits.map((event) =>
        newEvent(context.ids, context.now, {
          type: event,
          customerId: agent.customerId,
          subject: id,
          data: withoutPlaceholders(held.resource),
        }),
      )
      const told = auditRecord(context, "AGENT_ACTION_SUBMIT", held.stored, {
        outcome: "HELD",
        details: verdict.explanation,
      })
      const end = action.endsAt === undefined ? {} : { validUntil: action.endsAt }
      return answer(status, held.resource, Changes.combine(held.changes, guardsFor(loaded), end, told, ...events))
    }
    const shortage = action.shortage(context.now)
    if (shortage !== undefined) {
      const failed = record(AgentActionMachine.follow(null, "SubmitAutomatic", "ExecutionFails").state, {
        explanation: shortage,
      })
      return answer(status, failed.resource, Changes.combine(failed.changes, guardsFor(loaded)))
    }
    const begun = execution(loaded, action, id, action.kept.walletSignature, context)
    const approved = record(
      AgentActionMachine.follow(null, "SubmitAutomatic").state,
      { transactionId: begun.transaction.id, charges: begun.charges },
      begun,
    )
    return answer(status, approved.resource, Changes.combine(approved.changes, begun.changes, guardsFor(loaded)))
  }

/** The 409 of an action that is decided already, with the action as it is. */
export const alreadyDecided = (action: AgentActionResource): Refusal => ({
  code: "CONFLICT",
  message: `The action is ${action.status}, not PENDING_APPROVAL.`,
  details: { reason: "ACTION_DECIDED", action: { ...action } },
})

/** Why an approved action cannot be executed now, or `undefined`. */
const obstacle = (loaded: ActionLoaded, now: number): Explanation | undefined => {
  const { action } = loaded
  const denied = AccessRules.first(accessOf(loaded))
  if (denied !== undefined) return explanationOf(denied)
  const impossible = (refusal: Refusal): Explanation => ({
    ...explanationOf({ rule: "ACTION_POSSIBLE", refusal }),
    code: refusal.code,
  })
  if (!isPossible(action)) return impossible(action)
  const verdict = evaluateExecution(spendingOf(loaded, action))
  if (verdict._tag === "Refused") return explanationOf(verdict)
  const blocked = action.blocked?.(now)
  return blocked === undefined ? action.shortage(now) : impossible(blocked)
}

/** The platform approves a held action: executed, or failed where it no longer can be. */
export const approve =
  (held: Stored<"AgentAction">) =>
  (loaded: ActionLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const { action } = loaded
    const finish = (
      data: AgentAction,
      changes: Changes.Changes,
      begun?: Omit<ReturnType<typeof execution>, "changes" | "charges">,
    ) =>
      answer(
        200,
        toAgentAction(Changes.after(held, data, context.now), shown(action, context, begun)),
        Changes.combine(
          Changes.update(held, data),
          changes,
          guardsFor(loaded),
          auditRecord(
            context,
            "AGENT_ACTION_APPROVE",
            held,
            begun === undefined ? { outcome: "FAILED", details: data.explanation ?? {} } : {},
          ),
        ),
      )
    const explanation = obstacle(loaded, context.now)
    if (explanation !== undefined || !isPossible(action)) {
      const status = AgentActionMachine.follow(held.data.status, "Approve", "ExecutionFails").state
      return finish({ ...held.data, status, ...(explanation === undefined ? {} : { explanation }) }, {})
    }
    const begun = execution(loaded, action, held.id, held.data.walletSignature, context)
    const status = AgentActionMachine.follow(held.data.status, "Approve").state
    const { changes, charges, transaction } = begun
    return finish({ ...held.data, status, charges, transactionId: transaction.id }, changes, begun)
  }

/** The record of an action that comes into being. */
export const actionOf = (
  { agent, customer, type }: Pick<ActionLoaded, "agent" | "customer" | "type">,
  status: AgentActionStatus,
  more: Partial<AgentAction>,
): AgentAction => ({
  agentId: agent.id,
  platformCustomerId: customer.data.platformCustomerId,
  status,
  type,
  charges: [],
  ...more,
})
