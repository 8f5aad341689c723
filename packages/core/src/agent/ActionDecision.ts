/**
 * An agent's action, decided: refused, held, executed, or failed; at submission and again at approval. What the action moves,
 * and whether that is possible at all, is told by its type.
 * Spec: 4.1, 4.2, States: AgentAction; wire contract 1.4 and 1.6.
 */

import type { Refusal } from "../errors/ServiceError.ts"
import { announce } from "../event/Announce.ts"
import type { CurrencyCode } from "../money/Currencies.ts"
import type { Rate } from "../money/Rate.ts"
import { audited } from "../operation/Audit.ts"
import * as Changes from "../operation/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../operation/Operation.ts"
import type { AnyStored, Stored } from "../ports/ChangeSet.ts"
import { plain } from "../ports/Facts.ts"
import type { Kind } from "../ports/Kinds.ts"
import type { StartedBy } from "../transaction/TransferInDecision.ts"
import { type AgentAction, type AgentActionStatus, type AgentActionType, AgentActionTypes } from "./AgentAction.ts"
import { AgentActionMachine } from "./AgentActionMachine.ts"
import { type AgentActionResource, toAgentAction } from "./AgentActionResource.ts"
import { chargesOf, type Explanation, evaluate, explained, permitted, withRule } from "./AgentPolicyEvaluation.ts"
import { AccessRules, type SpendingFacts } from "./PolicyRules.ts"
import type { Usage } from "./Usage.ts"

/** An action that can be executed, as far as its records go. */
export interface PossibleAction extends Pick<SpendingFacts, "accounts" | "amount" | "currency"> {
  /** What the record keeps of it. */
  readonly kept: Pick<AgentAction, "transferDetails" | "instructions">
  /** What is missing to execute it now, though nothing forbids it. */
  readonly shortage: Explanation | undefined
  readonly begin: (
    context: DecisionContext,
    by: StartedBy,
  ) => { readonly transaction: Stored<"Transaction">; readonly changes: Changes.Changes }
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
const execution = (loaded: ActionLoaded, action: PossibleAction, actionId: string, context: DecisionContext) => {
  const { agent, dayEndsAt } = loaded
  const { charges, counters } = chargesOf(spendingOf(loaded, action), agent, dayEndsAt - 1)
  const { changes, transaction } = action.begin(context, { agentId: agent.id, actionId })
  return { transaction, charges, changes: Changes.combine(changes, { counters }) }
}

/**
 * What the decision rests on: while it is under way nobody may pause the agent, change its policy, close an account or delete
 * the customer, and the day of the counters must not end.
 */
const rests = ({ accounts, agent, customer, dayEndsAt }: ActionLoaded): Changes.Changes => ({
  ...Changes.guard(agent, customer, ...accounts),
  validUntil: dayEndsAt,
})

/** The agent submits an action; `status` is the one of an answer that is no refusal. */
export const submit =
  (status: 200 | 201) =>
  (loaded: ActionLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const { action, agent, customer, type } = loaded
    const denied = AccessRules.first(accessOf(loaded))
    if (denied !== undefined) return refuse(withRule(denied))
    if (!isPossible(action)) return refuse(action)
    const verdict = evaluate(spendingOf(loaded, action))
    if (verdict._tag === "Deny") {
      const refusal = withRule(verdict)
      const details = { type, ...action.kept.transferDetails, ...refusal.details }
      const told = audited(context, "AGENT_ACTION_SUBMIT", agent, { outcome: "REFUSED", details })
      return refuse(refusal, Changes.combine(rests(loaded), told))
    }

    const id = context.ids("AgentAction")
    const record = (state: AgentActionStatus, more: Partial<AgentAction>, transaction?: Stored<"Transaction">) => {
      const data: AgentAction = {
        agentId: agent.id,
        platformCustomerId: customer.data.platformCustomerId,
        status: state,
        type,
        ...action.kept,
        charges: [],
        ...more,
      }
      const stored = Changes.born("AgentAction", id, agent, data, context.now)
      return {
        stored,
        resource: toAgentAction(stored, transaction),
        changes: Changes.insert("AgentAction", id, agent, data),
      }
    }

    if (verdict._tag === "Hold") {
      const step = AgentActionMachine.step(null, "SubmitHeld")
      const held = record(AgentActionMachine.follow(null, "SubmitHeld"), { explanation: verdict.explanation })
      const events = (step.moved ? step.emits : []).map((event) =>
        announce(context.ids, context.now, {
          type: event,
          customerId: agent.customerId,
          subject: id,
          data: plain(held.resource),
        }),
      )
      const told = audited(context, "AGENT_ACTION_SUBMIT", held.stored, {
        outcome: "HELD",
        details: verdict.explanation,
      })
      return answer(status, held.resource, Changes.combine(held.changes, rests(loaded), told, ...events))
    }
    if (action.shortage !== undefined) {
      const failed = record(AgentActionMachine.follow(null, "SubmitAutomatic", "ExecutionFails"), {
        explanation: action.shortage,
      })
      return answer(status, failed.resource, Changes.combine(failed.changes, rests(loaded)))
    }
    const begun = execution(loaded, action, id, context)
    const approved = record(
      AgentActionMachine.follow(null, "SubmitAutomatic"),
      { transactionId: begun.transaction.id, charges: begun.charges },
      begun.transaction,
    )
    return answer(status, approved.resource, Changes.combine(approved.changes, begun.changes, rests(loaded)))
  }

/** The 409 of an action that is decided already, with the action as it is. */
export const decided = (action: Stored<"AgentAction">, transaction: Stored<"Transaction"> | undefined): Refusal => ({
  code: "CONFLICT",
  message: `The action is ${action.data.status}, not PENDING_APPROVAL.`,
  details: { reason: "ACTION_DECIDED", action: { ...toAgentAction(action, transaction) } },
})

/** Why an approved action cannot be executed now, or `undefined`. */
const obstacle = (loaded: ActionLoaded): Explanation | undefined => {
  const { action } = loaded
  const denied = AccessRules.first(accessOf(loaded))
  if (denied !== undefined) return explained(denied)
  if (!isPossible(action)) {
    return { ...explained({ rule: "ACTION_POSSIBLE", refusal: action }), code: action.code }
  }
  const verdict = permitted(spendingOf(loaded, action))
  return verdict._tag === "Deny" ? explained(verdict) : action.shortage
}

/** The platform approves a held action: executed, or failed where it no longer can be. */
export const approve =
  (held: Stored<"AgentAction">) =>
  (loaded: ActionLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const { action } = loaded
    const finish = (data: AgentAction, changes: Changes.Changes, transaction?: Stored<"Transaction">) =>
      answer(
        200,
        toAgentAction(Changes.after(held, data, context.now), transaction),
        Changes.combine(
          Changes.update(held, data),
          changes,
          rests(loaded),
          audited(
            context,
            "AGENT_ACTION_APPROVE",
            held,
            transaction === undefined ? { outcome: "FAILED", details: data.explanation ?? {} } : {},
          ),
        ),
      )
    const explanation = obstacle(loaded)
    if (explanation !== undefined || !isPossible(action)) {
      const status = AgentActionMachine.follow(held.data.status, "Approve", "ExecutionFails")
      return finish({ ...held.data, status, ...(explanation === undefined ? {} : { explanation }) }, {})
    }
    const begun = execution(loaded, action, held.id, context)
    const status = AgentActionMachine.follow(held.data.status, "Approve")
    const { charges, transaction } = begun
    return finish({ ...held.data, status, charges, transactionId: transaction.id }, begun.changes, transaction)
  }
