/**
 * The plan of an agent's action: what it would move. A plan is data; its functions decide whether and how it is executed. Both
 * directions of transfers and quotes use the platform's own rules and changes.
 * Spec: 4.1, AgentTransferDetails, AgentAction, Quote; wire contract 1.4, 1.6, 5.5, 5.6 and 11 (8, 13); D-210, D-241, D-242.
 */
import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { AgentAction, TransferInstructions } from "../../model/agent/AgentAction.ts"
import type { SpendingFacts } from "../../model/agent/PolicyRules.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type * as Changes from "../../store/Changes.ts"
import { type Explanation, explanationOf } from "../agent/AgentPolicyEvaluation.ts"
import type { DecisionContext } from "../Decision.ts"
import { authenticationRefusal } from "../quote/QuoteChallengeDecision.ts"
import {
  beginExecution,
  type ExecutionLoaded,
  executionRefusal,
  isShortOfFunds,
} from "../quote/QuoteExecutionDecision.ts"
import type { Initiator } from "../transaction/TransferDecision.ts"
import * as TransferIn from "../transaction/TransferInDecision.ts"
import * as TransferOut from "../transaction/TransferOutDecision.ts"
import { type ActionLoaded, touchedMoneyOf } from "./ActionLoaded.ts"

/** What every plan has: its money, and what the action's record stores of it. */
interface PlanTerms extends Pick<SpendingFacts, "accounts" | "amount" | "currency"> {
  readonly recorded: Pick<AgentAction, "transferDetails" | "instructions" | "quoteId">
}

interface TransferInPlan extends PlanTerms {
  readonly type: "TRANSFER_IN"
  readonly transfer: TransferIn.ValidTransferIn
}

interface TransferOutPlan extends PlanTerms {
  readonly type: "TRANSFER_OUT"
  readonly transfer: TransferOut.ValidTransferOut
  readonly order: TransferOut.TransferOutOrder
  /** The available balance of the source. */
  readonly available: number
}

interface QuotePlan extends PlanTerms {
  readonly type: "EXECUTE_QUOTE"
  readonly execution: ExecutionLoaded
}

/** An action that its records allow. */
export type ActionPlan = TransferInPlan | TransferOutPlan | QuotePlan

export const isPlan = (plan: ActionPlan | Refusal): plan is ActionPlan => !("code" in plan)

const isRefusal = (value: object): value is Refusal => "code" in value

const transferDetailsOf = ({
  amount,
  currency,
  destination,
  source,
}: TransferIn.ValidTransferIn | TransferOut.ValidTransferOut) => ({
  transferDetails: { amount, currency, sourceAccountId: source.id, destinationAccountId: destination.id },
})

/** Returns the terms of a transfer-out that `transferDetails` do not show and that an approval executes too. */
const instructionsOf = ({
  paymentRail,
  purposeOfPayment,
  remittanceInformation,
}: TransferOut.TransferOutOrder): { readonly instructions?: TransferInstructions } => {
  const instructions: TransferInstructions = {
    ...(paymentRail === undefined ? {} : { paymentRail }),
    ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
    ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
  }
  return Object.keys(instructions).length === 0 ? {} : { instructions }
}

/** Returns the plan of the requested action, or the refusal that makes it impossible whatever the policy says. */
export const planOf = (loaded: ActionLoaded): ActionPlan | Refusal => {
  const { customer, inspection, requested } = loaded
  // An action without accounts that it touches is refused below.
  const touched = touchedMoneyOf(requested)?.accounts ?? []
  switch (requested.type) {
    case "TRANSFER_IN": {
      const { accounts, order, type } = requested
      const transfer = TransferIn.validate({ ...accounts, customer, inspection }, order.amount)
      if (isRefusal(transfer)) return transfer
      const { amount, currency } = transfer
      return {
        type,
        accounts: touched,
        amount,
        currency,
        recorded: transferDetailsOf(transfer),
        transfer,
      }
    }
    case "TRANSFER_OUT": {
      const { accounts, order, type } = requested
      const transfer = TransferOut.validate({ ...accounts, customer }, order)
      if (isRefusal(transfer)) return transfer
      const { amount, currency } = transfer
      // The whole balance of an empty account is no amount that an action could name (D-210).
      if (amount < 1) return shortOfFunds
      const recorded = { ...transferDetailsOf(transfer), ...instructionsOf(order) }
      const available = accounts.available.balance
      return { type, accounts: touched, amount, currency, recorded, transfer, order, available }
    }
    case "EXECUTE_QUOTE": {
      const { records, type } = requested
      if (records === undefined) return notFound("quote", "QUOTE_NOT_FOUND")
      const { requiredChallenge, requiredSession, signature } = loaded
      const { id: quoteId, data } = records.quote
      return {
        type,
        accounts: touched,
        amount: data.totalSendingAmount,
        currency: data.sendingCurrency,
        recorded: { quoteId },
        execution: { records, requiredChallenge, requiredSession, signature },
      }
    }
  }
}

/** Returns the quote that the plan executes, or `undefined` for a transfer. */
export const quoteOf = (plan: ActionPlan): Stored<"Quote"> | undefined =>
  plan.type === "EXECUTE_QUOTE" ? plan.execution.records.quote : undefined

/** Returns the business time (ms) from which on the plan cannot be executed, or `undefined` if it does not expire. */
export const expiresAtOf = (plan: ActionPlan): number | undefined => quoteOf(plan)?.data.expiresAt

/** Returns why the present state of the records refuses the execution, or `undefined`. The policy is checked before. */
export const stateRefusal = (plan: ActionPlan, now: number): Refusal | undefined =>
  plan.type === "EXECUTE_QUOTE" ? executionRefusal(plan.execution.records, now) : undefined

const fundsMissing = (numbers: Explanation): Explanation => ({
  ...explanationOf({ rule: "FUNDS", refusal: shortOfFunds }),
  ...numbers,
})

const quoteShortage = (execution: ExecutionLoaded, now: number): Explanation | undefined => {
  const { records } = execution
  const unable = authenticationRefusal(execution, now)
  if (unable !== undefined) return explanationOf({ rule: "STRONG_AUTHENTICATION", refusal: unable })
  if (!isShortOfFunds(records)) return undefined
  const { sendingCurrency: currency, totalSendingAmount: amount } = records.quote.data
  return fundsMissing({ currency, amount, available: records.available })
}

/** Returns what an execution lacks now, such as money, or `undefined`. A shortage fails the action; it does not refuse it. */
export const shortageOf = (plan: ActionPlan, now: number): Explanation | undefined => {
  const { amount, currency } = plan
  switch (plan.type) {
    case "TRANSFER_IN":
      return plan.transfer.isShortOfFunds ? fundsMissing({ currency, amount }) : undefined
    case "TRANSFER_OUT":
      return plan.transfer.isShortOfFunds ? fundsMissing({ currency, amount, available: plan.available }) : undefined
    case "EXECUTE_QUOTE":
      return quoteShortage(plan.execution, now)
  }
}

/** The records after an execution has begun, and its changes. */
export interface BegunExecution {
  readonly transaction: Stored<"Transaction">
  readonly quote?: Stored<"Quote">
  readonly changes: Changes.Changes
}

/** Begins the execution of a plan. `sessionId`: the session whose key signed a payment out of a wallet. */
export const beginPlan = (
  plan: ActionPlan,
  customer: Stored<"Customer">,
  context: DecisionContext,
  by: Initiator,
  sessionId: string | undefined,
): BegunExecution => {
  switch (plan.type) {
    case "TRANSFER_IN":
      return TransferIn.begin(context.ids, context.now, plan.transfer, customer, by)
    case "TRANSFER_OUT":
      return TransferOut.begin(context, plan.transfer, plan.order, customer, by)
    case "EXECUTE_QUOTE":
      return beginExecution(plan.execution, context, { by, sessionId })
  }
}
