/**
 * A movement of money between an account at the service and one outside.
 * Source: wire contract 5.7.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { PaymentRail } from "../account/AccountTypeRow.ts"
import { Deposit, PendingReason } from "../account/Deposit.ts"
import { AccountInfo } from "../account/ExternalAccount.ts"
import { StoredInstructions } from "../account/PaymentInstruction.ts"
import { UnappliedResolution } from "../account/UnappliedMoney.ts"
import { CardTransactionStatus } from "../card/CardTransaction.ts"
import { CountedVolume } from "../limit/DailyVolume.ts"
import { Exchange, FundingSource } from "./Exchange.ts"
import { IncomingMachine } from "./IncomingMachine.ts"
import { OutgoingMachine } from "./OutgoingMachine.ts"
import { RefundMachine } from "./RefundMachine.ts"

/** The state of a transaction. An outgoing one is never `CREATED`, `REJECTED` or `REFUNDED`: its refund has a state of its own. */
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

/** The statuses that lists filter by: those of transfers and of card transactions. */
export const AnyTransactionStatus = Schema.Literals([
  ...new Set([...TransactionStatus.literals, ...CardTransactionStatus.literals]),
])
export type AnyTransactionStatus = typeof AnyTransactionStatus.Type

/**
 * The state of an outgoing transaction. `PENDING_AUTHORIZATION`: the customer must answer a challenge. `EXPIRED`: it was not
 * executed in time.
 */
export const OutgoingTransactionStatus = Schema.Literals(OutgoingMachine.states)

export const RefundStatus = Schema.Literals(RefundMachine.states)

/** A payment that arrives, a payment that is sent, or a card transaction. */
export const TransactionType = Schema.Literals(["INCOMING", "OUTGOING", "CARD"])
export type TransactionType = typeof TransactionType.Type

/**
 * Why an incoming payment failed. `COLLECTION_FAILED`: the money could not be pulled or credited. `OFFRAMP_FAILED`: it could not be
 * converted or paid out.
 */
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

/**
 * Why an outgoing payment failed. `SCA_NOT_COMPLETED`: the challenge was not answered. `PAYOUT_RETURNED`: the money came back after
 * the payout.
 */
export const OutgoingFailureReason = Schema.Literals([
  "QUOTE_EXPIRED",
  "QUOTE_RATE_UNAVAILABLE",
  "QUOTE_EXECUTION_FAILED",
  "FUNDING_AMOUNT_MISMATCH",
  "SCA_NOT_COMPLETED",
  "PAYOUT_RETURNED",
  "LIMIT_EXCEEDED",
  "ACCOUNT_CANNOT_RECEIVE",
  "ACCOUNT_INVALID",
  "COMPLIANCE_REJECTED",
  "LIGHTNING_PAYMENT_FAILED",
  "COUNTERPARTY_POST_TX_FAILED",
])
export type OutgoingFailureReason = typeof OutgoingFailureReason.Type

/** Why money is sent. `SELF`: to an account of the sender's own. */
export const PurposeOfPayment = Schema.Literals([
  "GIFT",
  "SELF",
  "GOODS_OR_SERVICES",
  "EDUCATION",
  "HEALTH_OR_MEDICAL",
  "REAL_ESTATE_PURCHASE",
  "TAX_PAYMENT",
  "LOAN_PAYMENT",
  "UTILITY_BILL",
  "DONATION",
  "TRAVEL",
  "FAMILY_SUPPORT",
  "SALARY_PAYMENT",
  "OTHER",
]).annotate({ identifier: "PurposeOfPayment" })
export type PurposeOfPayment = typeof PurposeOfPayment.Type

/** Sent to the recipient. Spec: Limits. */
export const RemittanceInformation = Schema.String.check(Schema.isMaxLength(80)).annotate({
  description: "Travels to the recipient in the field that the rail has for it; at most 80 characters.",
})

/** Why money goes back to the sender: the payment failed, was cancelled, or timed out on its rail. */
export const RefundReason = Schema.Literals(["TRANSACTION_FAILED", "USER_CANCELLATION", "TIMEOUT"])
export type RefundReason = typeof RefundReason.Type

/** A refund to the source account or the sender. It does not change an outgoing transaction's status. */
export const Refund = Schema.Struct({
  reference: Schema.String,
  initiatedAt: Schema.Int,
  settledAt: Schema.optionalKey(Schema.Int),
  status: RefundStatus,
  reason: RefundReason,
  /** When the rail was first instructed to give a deposit back (ms). */
  submittedAt: Schema.optionalKey(Schema.Int),
})
export type Refund = typeof Refund.Type

const common = {
  direction: Schema.Literals(["CREDIT", "DEBIT"]),
  platformCustomerId: Schema.String,
  amount: Schema.Int,
  currency: CurrencyCode,
  destinationAccountId: Schema.String,
  agentId: Schema.optionalKey(Schema.String),
  actionId: Schema.optionalKey(Schema.String),
  /** Identifies the payment for both sides. */
  reference: Schema.optionalKey(Schema.String),
  /** A copy of the external account, which may be deleted later (wire contract 11, 21). */
  externalAccount: Schema.optionalKey(
    Schema.Struct({ accountInfo: AccountInfo, rail: Schema.optionalKey(PaymentRail) }),
  ),
  /** When the transaction was submitted to the rail (ms); from then on only the rail's outcome can end it. */
  submittedAt: Schema.optionalKey(Schema.Int),
  settledAt: Schema.optionalKey(Schema.Int),
  /** The hash of its transaction on a chain: a payout to a wallet, or a pull from one. */
  transactionHash: Schema.optionalKey(Schema.String),
  receiptDeliveryConfirmedAt: Schema.optionalKey(Schema.Int),
  /** The money is booked as unapplied until an operator resolves it (D-033). */
  isUnapplied: Schema.optionalKey(Schema.Literal(true)),
  unappliedResolution: Schema.optionalKey(UnappliedResolution),
  /** The platform's request to cancel the payment. */
  cancellation: Schema.optionalKey(
    Schema.Struct({ requestedAt: Schema.Int, reason: Schema.optionalKey(Schema.String) }),
  ),
}

/** A field of information that the other side of a payment requests. */
export const RequestedField = Schema.Struct({ name: Schema.String, mandatory: Schema.Boolean })
export type RequestedField = typeof RequestedField.Type

/** An incoming transaction as it is stored. */
export const IncomingTransaction = Schema.Struct({
  type: Schema.Literal("INCOMING"),
  status: Schema.Literals(IncomingMachine.states),
  ...common,
  /** The external account that pays; absent when the sandbox funds an account. */
  sourceAccountId: Schema.optionalKey(Schema.String),
  /** The sender's UMA address, for a payment over the UMA network. */
  senderUmaAddress: Schema.optionalKey(Schema.String),
  /** The platform's approval of the payment. Source: wire contract 6.3. */
  approval: Schema.optionalKey(
    Schema.Struct({
      requestedFields: Schema.Array(RequestedField),
      /** The end of the time to decide (ms), once the platform answered that it decides later. */
      decideBy: Schema.optionalKey(Schema.Int),
      receiverCustomerInfo: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
      rejectionReason: Schema.optionalKey(Schema.String),
    }),
  ),
  /** The customer's address that a payment over the UMA network was sent to. */
  receiverUmaAddress: Schema.optionalKey(Schema.String),
  /** The deposit, when the money came by the account's funding instructions. */
  deposit: Schema.optionalKey(Deposit),
  pendingReason: Schema.optionalKey(PendingReason),
  /** What is known of the sender. */
  counterpartyInformation: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** What the sender sent, when its side tells. */
  sent: Schema.optionalKey(Schema.Struct({ amount: Schema.Int, currency: CurrencyCode })),
  exchangeRate: Schema.optionalKey(Schema.Finite),
  fees: Schema.optionalKey(Schema.Int),
  quoteId: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  failureReason: Schema.optionalKey(IncomingFailureReason),
  refund: Schema.optionalKey(Refund),
})
export type IncomingTransaction = typeof IncomingTransaction.Type

/** An outgoing transaction as it is stored. */
export const OutgoingTransaction = Schema.Struct({
  type: Schema.Literal("OUTGOING"),
  status: OutgoingTransactionStatus,
  ...common,
  /** The internal or external account that pays; absent: a payer sends the money. */
  sourceAccountId: Schema.optionalKey(Schema.String),
  /** The payer, when the money is sent for this payment alone. */
  fundingSource: Schema.optionalKey(FundingSource),
  /** The UMA address that is paid; `destinationAccountId` is the account behind it, or the address itself. */
  receiverUmaAddress: Schema.optionalKey(Schema.String),
  /** The information about the payer that the receiver requires. */
  payerInformation: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** Absent: a transfer in one currency. */
  exchange: Schema.optionalKey(Exchange),
  description: Schema.optionalKey(Schema.String),
  /** How its payer sends the money; shown while it is `PENDING`. */
  paymentInstructions: Schema.optionalKey(Schema.Array(StoredInstructions)),
  /** What the platform requires about the receiving side, as on the quote. */
  counterpartyInformation: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** `MANUAL`: the caller named the rail. */
  railSelectionMode: Schema.Literals(["AUTO", "MANUAL"]),
  /** The rail's usual settlement time when the payment began; absent: unknown. */
  settlementTimelineSeconds: Schema.optionalKey(Schema.Int),
  remittanceInformation: Schema.optionalKey(RemittanceInformation),
  purposeOfPayment: Schema.optionalKey(PurposeOfPayment),
  failureReason: Schema.optionalKey(OutgoingFailureReason),
  refund: Schema.optionalKey(Refund),
  /** The volume of the day that it counts towards; absent: no limit applied when it began, or it was given back. */
  volume: Schema.optionalKey(CountedVolume),
})
export type OutgoingTransaction = typeof OutgoingTransaction.Type

export const Transaction = Schema.Union([IncomingTransaction, OutgoingTransaction])
export type Transaction = typeof Transaction.Type

/** The amount that the recipient receives. */
export const payoutOf = ({ amount, currency, exchange }: OutgoingTransaction): typeof Exchange.Type.received =>
  exchange?.received ?? { amount, currency }

/** A short reference made of an identifier's random end. */
export const paymentReference = (prefix: string, id: string): string =>
  `${prefix}${id.replaceAll("-", "").slice(-12).toUpperCase()}`
