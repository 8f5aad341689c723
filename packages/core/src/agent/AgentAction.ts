/**
 * An action submitted by an agent.
 * Spec: AgentAction, AgentTransferDetails.
 */
import { Schema } from "effect"
import { PositiveAmount } from "../money/Amount.ts"
import { CurrencyCode } from "../money/Currencies.ts"

export const AgentActionStatus = Schema.Literals(["PENDING_APPROVAL", "APPROVED", "REJECTED", "FAILED"])
export type AgentActionStatus = typeof AgentActionStatus.Type

export const AgentActionType = Schema.Literals(["EXECUTE_QUOTE", "TRANSFER_OUT", "TRANSFER_IN"])
export type AgentActionType = typeof AgentActionType.Type

export const AgentTransferDetails = Schema.Struct({
  amount: PositiveAmount,
  currency: CurrencyCode,
  sourceAccountId: Schema.String,
  destinationAccountId: Schema.String,
}).annotate({ identifier: "AgentTransferDetails" })
export type AgentTransferDetails = typeof AgentTransferDetails.Type

/** A charge to a budget in a period: what is given back when the money does not move. */
export const Charge = Schema.Struct({
  /** `YYYY-MM-DD` or `YYYY-MM`, UTC. */
  period: Schema.String,
  /** The currency of the limits and how often they had been recast. */
  budget: Schema.String,
  amount: Schema.Int,
})
export type Charge = typeof Charge.Type

/** What is stored of an action. */
export const AgentAction = Schema.Struct({
  agentId: Schema.String,
  platformCustomerId: Schema.String,
  status: AgentActionStatus,
  type: AgentActionType,
  transferDetails: Schema.optionalKey(AgentTransferDetails),
  transactionId: Schema.optionalKey(Schema.String),
  rejectionReason: Schema.optionalKey(Schema.String),
  /** Why it was held or why it failed: a rule name and its numbers, for the platform's audit. */
  explanation: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** The amounts charged when execution began; given back once, when the transaction fails. */
  charges: Schema.Array(Charge),
})
export type AgentAction = typeof AgentAction.Type
