/**
 * An agent's transfer-in, decided: refused, held, executed, or failed; at submission and again at approval.
 * Spec: 4.1, 4.2, States: AgentAction; wire contract 1.4 and 1.6.
 */

import type { Refusal } from "../errors/ServiceError.ts"
import { announce } from "../event/Announce.ts"
import type { CurrencyCode } from "../money/Currencies.ts"
import type { Rate } from "../money/Rate.ts"
import { audited } from "../operation/Audit.ts"
import * as Changes from "../operation/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../operation/Operation.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { plain } from "../ports/Facts.ts"
import * as TransferIn from "../transaction/TransferInDecision.ts"
import type { AgentAction, AgentActionStatus, AgentTransferDetails } from "./AgentAction.ts"
import { AgentActionMachine } from "./AgentActionMachine.ts"
import { type AgentActionResource, toAgentAction } from "./AgentActionResource.ts"
import { chargesOf, type Explanation, evaluate, permitted } from "./AgentPolicyEvaluation.ts"
import { AccessRules, type SpendingFacts } from "./PolicyRules.ts"
import type { Usage } from "./Usage.ts"

/** What was loaded and asked for a transfer-in of an agent. */
export interface TransferInLoaded extends TransferIn.TransferInParts {
  readonly agent: Stored<"Agent">
  readonly customer: Stored<"Customer">
  readonly rates: ReadonlyMap<CurrencyCode, Rate>
  readonly usage: Usage
  /** Business time (ms) at which the counters' day ends: later the decision no longer holds. */
  readonly dayEndsAt: number
}

/** A transfer that can be made, as far as its accounts go. */
interface Possible extends TransferIn.PossibleTransferIn {
  readonly details: AgentTransferDetails
  readonly spending: SpendingFacts
}

/** The transfer, or what makes it impossible. */
const possible = (loaded: TransferInLoaded, requested: number | undefined): Possible | Refusal => {
  const transfer = TransferIn.possible(loaded, requested)
  if ("code" in transfer) return transfer
  const { amount, currency, destination, source } = transfer
  return {
    ...transfer,
    details: { amount, currency, sourceAccountId: source.id, destinationAccountId: destination.id },
    spending: {
      agent: loaded.agent.data,
      permission: "CREATE_TRANSFERS",
      accounts: [{ id: destination.id, currency }],
      amount,
      currency,
      rates: loaded.rates,
      usage: loaded.usage,
    },
  }
}

const isRefusal = (value: Possible | Refusal): value is Refusal => "code" in value

const shortOfFunds: Explanation = { rule: "FUNDS", reason: "INSUFFICIENT_FUNDS" }

/** Execution begins: the transaction, its job, the charges; and on what it all rests. */
const execution = (
  loaded: TransferInLoaded,
  transfer: Possible,
  actionId: string,
  context: DecisionContext,
): {
  readonly transaction: Stored<"Transaction">
  readonly charges: AgentAction["charges"]
  readonly changes: Changes.Changes
} => {
  const { agent, customer, dayEndsAt } = loaded
  const { charges, counters } = chargesOf(transfer.spending, agent, dayEndsAt - 1)
  const { changes, transaction } = TransferIn.begin(context.ids, context.now, transfer, customer, {
    agentId: agent.id,
    actionId,
  })
  return { transaction, charges, changes: Changes.combine(changes, { counters }) }
}

/**
 * What the decision rests on: while it is under way nobody may pause the agent, change its policy, close an account or delete
 * the customer, and the day of the counters must not end.
 */
const rests = (loaded: TransferInLoaded): Changes.Changes => ({
  ...Changes.guard(
    loaded.agent,
    loaded.customer,
    ...(loaded.source === undefined ? [] : [loaded.source]),
    ...(loaded.destination === undefined ? [] : [loaded.destination]),
  ),
  validUntil: loaded.dayEndsAt,
})

/** The agent submits a transfer-in. */
export const submit =
  (request: TransferIn.TransferInOrder) =>
  (loaded: TransferInLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const { agent, customer } = loaded
    const denied = AccessRules.first({ agent: agent.data, permission: "CREATE_TRANSFERS" })
    if (denied !== undefined) return refuse(denied.refusal)
    const transfer = possible(loaded, request.amount)
    if (isRefusal(transfer)) return refuse(transfer)
    const verdict = evaluate(transfer.spending)
    if (verdict._tag === "Deny") {
      const details = { type: "TRANSFER_IN", ...transfer.details, rule: verdict.rule, ...verdict.refusal.details }
      const told = audited(context, "AGENT_ACTION_SUBMIT", agent, { outcome: "REFUSED", details })
      return refuse(verdict.refusal, Changes.combine(rests(loaded), told))
    }

    const id = context.ids("AgentAction")
    const record = (status: AgentActionStatus, more: Partial<AgentAction>, transaction?: Stored<"Transaction">) => {
      const data: AgentAction = {
        agentId: agent.id,
        platformCustomerId: customer.data.platformCustomerId,
        status,
        type: "TRANSFER_IN",
        transferDetails: transfer.details,
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
      const events = (step.moved ? step.emits : []).map((type) =>
        announce(context.ids, context.now, {
          type,
          customerId: agent.customerId,
          subject: id,
          data: plain(held.resource),
        }),
      )
      const told = audited(context, "AGENT_ACTION_SUBMIT", held.stored, {
        outcome: "HELD",
        details: verdict.explanation,
      })
      return answer(201, held.resource, Changes.combine(held.changes, rests(loaded), told, ...events))
    }
    if (transfer.isShortOfFunds) {
      const failed = record(AgentActionMachine.follow(null, "SubmitAutomatic", "ExecutionFails"), {
        explanation: shortOfFunds,
      })
      return answer(201, failed.resource, Changes.combine(failed.changes, rests(loaded)))
    }
    const begun = execution(loaded, transfer, id, context)
    const approved = record(
      AgentActionMachine.follow(null, "SubmitAutomatic"),
      { transactionId: begun.transaction.id, charges: begun.charges },
      begun.transaction,
    )
    return answer(201, approved.resource, Changes.combine(approved.changes, begun.changes, rests(loaded)))
  }

/** The 409 of an action that is decided already, with the action as it is. */
export const decided = (action: Stored<"AgentAction">, transaction: Stored<"Transaction"> | undefined): Refusal => ({
  code: "CONFLICT",
  message: `The action is ${action.data.status}, not PENDING_APPROVAL.`,
  details: { reason: "ACTION_DECIDED", action: { ...toAgentAction(action, transaction) } },
})

/** Why an approved action cannot be executed now, or `undefined`. */
const obstacle = (loaded: TransferInLoaded, transfer: Possible | Refusal): Explanation | undefined => {
  const denied = AccessRules.first({ agent: loaded.agent.data, permission: "CREATE_TRANSFERS" })
  if (denied !== undefined) return { rule: denied.rule, ...denied.refusal.details }
  if (isRefusal(transfer)) return { rule: "TRANSFER_POSSIBLE", code: transfer.code, ...transfer.details }
  const verdict = permitted(transfer.spending)
  if (verdict._tag === "Deny") return { rule: verdict.rule, ...verdict.refusal.details }
  return transfer.isShortOfFunds ? shortOfFunds : undefined
}

/** The platform approves a held transfer-in: executed, or failed where it no longer can be. */
export const approve =
  (action: Stored<"AgentAction">) =>
  (loaded: TransferInLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const transfer = possible(loaded, action.data.transferDetails?.amount)
    const finish = (data: AgentAction, changes: Changes.Changes, transaction?: Stored<"Transaction">) =>
      answer(
        200,
        toAgentAction(Changes.after(action, data, context.now), transaction),
        Changes.combine(
          Changes.update(action, data),
          changes,
          rests(loaded),
          audited(
            context,
            "AGENT_ACTION_APPROVE",
            action,
            transaction === undefined ? { outcome: "FAILED", details: data.explanation ?? {} } : {},
          ),
        ),
      )
    const explanation = obstacle(loaded, transfer)
    if (explanation !== undefined || isRefusal(transfer)) {
      const status = AgentActionMachine.follow(action.data.status, "Approve", "ExecutionFails")
      return finish({ ...action.data, status, ...(explanation === undefined ? {} : { explanation }) }, {})
    }
    const begun = execution(loaded, transfer, action.id, context)
    const status = AgentActionMachine.follow(action.data.status, "Approve")
    const { charges, transaction } = begun
    return finish({ ...action.data, status, charges, transactionId: transaction.id }, begun.changes, transaction)
  }
