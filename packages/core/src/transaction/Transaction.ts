/**
 * A movement of money between an account at the service and one outside.
 * Source: wire contract 5.7.
 */
import { Schema } from "effect"
import { AccountInfo } from "../account/ExternalAccount.ts"
import { CurrencyCode } from "../money/Currencies.ts"

export const TransactionStatus = Schema.Literals([
  "CREATED",
  "PENDING",
  "PENDING_AUTHORIZATION",
  "PROCESSING",
  "COMPLETED",
  "REJECTED",
  "FAILED",
  "REFUNDED",
  "EXPIRED",
])
export type TransactionStatus = typeof TransactionStatus.Type

export const IncomingFailureReason = Schema.Literals([
  "LNURLP_FAILED",
  "PAY_REQUEST_FAILED",
  "PAYMENT_APPROVAL_WEBHOOK_ERROR",
  "PAYMENT_APPROVAL_TIMED_OUT",
  "OFFRAMP_FAILED",
  "MISSING_MANDATORY_PAYEE_DATA",
  "QUOTE_EXPIRED",
  "QUOTE_EXECUTION_FAILED",
  "COMPLIANCE_REJECTED",
  "COLLECTION_FAILED",
])
export type IncomingFailureReason = typeof IncomingFailureReason.Type

/** What is stored of an incoming transaction. */
export const Transaction = Schema.Struct({
  type: Schema.Literal("INCOMING"),
  status: TransactionStatus,
  direction: Schema.Literals(["CREDIT", "DEBIT"]),
  platformCustomerId: Schema.String,
  amount: Schema.Int,
  currency: CurrencyCode,
  /** The external account that pays; absent when the sandbox funds an account. */
  sourceAccountId: Schema.optionalKey(Schema.String),
  /** The details of the account that pays, as they were: the account may be deleted before the rail is asked. */
  sourceAccountInfo: Schema.optionalKey(AccountInfo),
  destinationAccountId: Schema.String,
  agentId: Schema.optionalKey(Schema.String),
  actionId: Schema.optionalKey(Schema.String),
  failureReason: Schema.optionalKey(IncomingFailureReason),
  /** When the rail was first asked (ms); from then on only the rail can say how it ends. */
  submittedAt: Schema.optionalKey(Schema.Int),
  settledAt: Schema.optionalKey(Schema.Int),
})
export type Transaction = typeof Transaction.Type
