/**
 * The stored record of an action that an agent submitted.
 * Spec: AgentAction, AgentTransferDetails.
 */
import { Schema } from "effect"
import * as Table from "../../foundation/kit/Table.ts"
import { PositiveAmount } from "../../foundation/money/Amount.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { ApprovalRequirement } from "../approval/ApprovalRequirement.ts"
import { PurposeOfPayment } from "../transaction/Transaction.ts"
import { AgentActionMachine } from "./AgentActionMachine.ts"
import type { AgentPermission } from "./Policy.ts"

/** `PENDING_APPROVAL`: the policy holds the action. `APPROVED`: it is executed. `FAILED`: its execution was impossible. */
export const AgentActionStatus = Schema.Literals(AgentActionMachine.states)
export type AgentActionStatus = typeof AgentActionStatus.Type

/** Each type of action, with the permission that the agent's policy must grant. Source: wire contract 1.3. */
export const AgentActionTypes = Table.make("AgentActionTypes", {
  EXECUTE_QUOTE: "EXECUTE_QUOTES",
  TRANSFER_OUT: "CREATE_TRANSFERS",
  TRANSFER_IN: "CREATE_TRANSFERS",
} satisfies Record<string, AgentPermission>)
/** The execution of a quote, a payment to an external account, or a pull from one. */
export const AgentActionType = Schema.Literals(AgentActionTypes.keys)
export type AgentActionType = typeof AgentActionType.Type

/** The accounts and the amount of a transfer, in the smallest unit of `currency`. Only actions that are transfers have it. */
export const AgentTransferDetails = Schema.Struct({
  amount: PositiveAmount,
  currency: CurrencyCode,
  sourceAccountId: Schema.String,
  destinationAccountId: Schema.String,
}).annotate({ identifier: "AgentTransferDetails" })
export type AgentTransferDetails = typeof AgentTransferDetails.Type

/** The terms of a transfer-out that `transferDetails` do not show. They are stored, so that an approval executes them. */
export const TransferInstructions = Schema.Struct({
  paymentRail: Schema.optionalKey(Schema.String),
  remittanceInformation: Schema.optionalKey(Schema.String),
  purposeOfPayment: Schema.optionalKey(PurposeOfPayment),
})
export type TransferInstructions = typeof TransferInstructions.Type

/** The signature of a payment out of an embedded wallet: the session of its key, and the header as sent. */
export const WalletSignature = Schema.Struct({ sessionId: Schema.String, stamp: Schema.String })
export type WalletSignature = typeof WalletSignature.Type

/** A charge to a budget in a period. It is reversed when the money does not move. */
export const Charge = Schema.Struct({
  /** `YYYY-MM-DD` or `YYYY-MM`, UTC. */
  period: Schema.String,
  /** Name of the budget: the currency of the limits and the number of currency changes before it. */
  budget: Schema.String,
  amount: Schema.Int,
})
export type Charge = typeof Charge.Type

/** The usage that a decision compared with the policy's limits, in the currency that the limits had. */
export const ComparedUsage = Schema.Struct({
  currency: CurrencyCode,
  dailyCount: Schema.Int,
  dailySpend: Schema.Int,
  monthlySpend: Schema.Int,
})
export type ComparedUsage = typeof ComparedUsage.Type

/** The stored action. */
export const AgentAction = Schema.Struct({
  agentId: Schema.String,
  platformCustomerId: Schema.String,
  status: AgentActionStatus,
  type: AgentActionType,
  transferDetails: Schema.optionalKey(AgentTransferDetails),
  instructions: Schema.optionalKey(TransferInstructions),
  /** The quote that it executes. */
  quoteId: Schema.optionalKey(Schema.String),
  /** Verified at submission and stored for the execution. Source: wire contract 11 (13). */
  walletSignature: Schema.optionalKey(WalletSignature),
  transactionId: Schema.optionalKey(Schema.String),
  rejectionReason: Schema.optionalKey(Schema.String),
  /** Why the action was held or failed: the rule's name, its message and its numbers. */
  explanation: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** What it needs beyond one approval. Absent: no row of the deployment's approval policy covers it. */
  requirement: Schema.optionalKey(ApprovalRequirement),
  /** The amounts charged when execution began. They are reversed once, when the transaction fails. */
  charges: Schema.Array(Charge),
  /** The usage before its submission. Absent: it was submitted before this was stored (D-475). */
  usageBefore: Schema.optionalKey(ComparedUsage),
})
export type AgentAction = typeof AgentAction.Type
