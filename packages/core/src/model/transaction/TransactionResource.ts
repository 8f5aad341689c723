/**
 * Transactions on the wire.
 * Source: wire contract 5.7; wire contract areas 2.7 and 2.8.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { CurrencyAmount, currencyAmount } from "../../foundation/money/Amount.ts"
import { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { displayed, rateOf } from "../../foundation/money/Rate.ts"
import { PaymentRail } from "../account/AccountTypeRow.ts"
import { masked, PendingReason } from "../account/Deposit.ts"
import { PaymentInstructions } from "../account/PaymentInstruction.ts"
import type { CardTransaction } from "../card/CardTransaction.ts"
import { CardTransactionResource, toCardTransaction } from "../card/CardTransactionResource.ts"
import type { Owner, RecordOf } from "../record/Record.ts"
import { RateDetails } from "./Exchange.ts"
import { OnChainTransaction, onChainOf, walletOnChainOf } from "./OnChainTransaction.ts"
import {
  IncomingFailureReason,
  type IncomingTransaction,
  OutgoingFailureReason,
  type OutgoingTransaction,
  OutgoingTransactionStatus,
  PurposeOfPayment,
  payoutOf,
  type Refund,
  RefundReason,
  RefundStatus,
  RemittanceInformation,
  type Transaction,
  TransactionStatus,
} from "./Transaction.ts"

/** Stored transactions, narrowed by direction. */
export interface StoredIncoming extends RecordOf<"Transaction", Transaction> {
  readonly data: IncomingTransaction
}
export interface StoredOutgoing extends RecordOf<"Transaction", Transaction> {
  readonly data: OutgoingTransaction
}

export const isIncoming = (stored: RecordOf<"Transaction", Transaction>): stored is StoredIncoming =>
  stored.data.type === "INCOMING"
export const isOutgoing = (stored: RecordOf<"Transaction", Transaction>): stored is StoredOutgoing =>
  stored.data.type === "OUTGOING"

/**
 * Returns who pays: in whose books the money moves, and whose limits and fees apply. The transaction itself belongs to the customer that
 * receives when the platform pays. Source: wire contract areas 3.7; D-402.
 */
export const payingOwnerOf = ({ customerId, data, platformId }: RecordOf<"Transaction", Transaction>): Owner => ({
  platformId,
  customerId: data.type === "OUTGOING" && data.exchange?.isPaidByPlatform === true ? null : customerId,
})

const account = {
  accountId: Schema.String,
  currency: Schema.optionalKey(CurrencyCode),
  onChainTransaction: Schema.optionalKey(
    OnChainTransaction.pipe(
      Schema.annotateKey({ description: "When the side is an external wallet and the transfer has settled." }),
    ),
  ),
}
const AccountSource = Schema.Struct({ sourceType: Schema.Literal("ACCOUNT"), ...account }).annotate({
  identifier: "AccountTransactionSource",
})
const AccountDestination = Schema.Struct({ destinationType: Schema.Literal("ACCOUNT"), ...account }).annotate({
  identifier: "AccountTransactionDestination",
})

const UmaDestination = Schema.Struct({
  destinationType: Schema.Literal("UMA_ADDRESS"),
  umaAddress: Schema.String,
  currency: Schema.optionalKey(CurrencyCode),
}).annotate({ identifier: "UmaAddressTransactionDestination" })

const FundingSource = Schema.Struct({
  sourceType: Schema.Literal("REALTIME_FUNDING"),
  currency: CurrencyCode,
  customerId: Schema.optionalKey(Schema.String),
  accountHolderName: Schema.optionalKey(Schema.String),
  accountIdentifier: Schema.optionalKey(Schema.String.annotate({ description: "Masked to the last four characters." })),
  bankName: Schema.optionalKey(Schema.String),
  bankIdentifier: Schema.optionalKey(Schema.String),
  paymentRail: Schema.optionalKey(PaymentRail),
  remittanceInformation: Schema.optionalKey(Schema.String),
  endToEndId: Schema.optionalKey(Schema.String),
  traceNumber: Schema.optionalKey(Schema.String),
  cryptoNetwork: Schema.optionalKey(CryptoNetwork),
  onChainTransaction: Schema.optionalKey(OnChainTransaction),
}).annotate({ identifier: "RealtimeFundingTransactionSource" })

const UmaSource = Schema.Struct({
  sourceType: Schema.Literal("UMA_ADDRESS"),
  umaAddress: Schema.String,
  currency: Schema.optionalKey(CurrencyCode),
}).annotate({ identifier: "UmaAddressTransactionSource" })

const anyDestination = Schema.Union([AccountDestination, UmaDestination]).annotate({
  identifier: "TransactionDestination",
})

const CounterpartyInformation = Schema.Record(Schema.String, Schema.Json).annotate({
  description: "What is known of the other side, by field name.",
})

const RefundResource = Schema.Struct({
  reference: Schema.String,
  initiatedAt: Timestamp,
  settledAt: Schema.optionalKey(Timestamp),
  status: RefundStatus,
  reason: RefundReason,
}).annotate({ identifier: "Refund" })

const common = {
  direction: Schema.Literals(["CREDIT", "DEBIT"]),
  pendingReason: Schema.optionalKey(PendingReason),
  counterpartyInformation: Schema.optionalKey(CounterpartyInformation),
  description: Schema.optionalKey(Schema.String),
  refund: Schema.optionalKey(RefundResource),
  destination: anyDestination,
  customerId: Schema.String,
  platformCustomerId: Schema.String,
  agentId: Schema.optionalKey(Id("Agent").annotate({ description: "Only when an agent started it." })),
  reconciliationInstructions: Schema.optionalKey(
    Schema.Struct({
      reference: Schema.String.annotate({ description: "By which both sides recognize the payment." }),
    }).annotate({ identifier: "ReconciliationInstructions" }),
  ),
  settledAt: Schema.optionalKey(Timestamp.annotate({ description: "Absent until the money has arrived." })),
  receiptDeliveryConfirmedAt: Schema.optionalKey(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

/** A payment that arrives: a deposit, a pull from an external account, or a UMA payment. */
export const IncomingTransactionResource = Schema.Struct({
  id: Id("Transaction"),
  type: Schema.Literal("INCOMING"),
  status: TransactionStatus,
  source: Schema.Union([AccountSource, FundingSource, UmaSource]).annotate({ identifier: "TransactionSource" }),
  sentAmount: Schema.optionalKey(
    CurrencyAmount.pipe(Schema.annotateKey({ description: "When the sender's side tells." })),
  ),
  receivedAmount: CurrencyAmount,
  exchangeRate: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  fees: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  quoteId: Schema.optionalKey(Id("Quote")),
  failureReason: Schema.optionalKey(IncomingFailureReason),
  ...common,
}).annotate({ identifier: "IncomingTransaction" })
export type IncomingTransactionResource = typeof IncomingTransactionResource.Type

/** A payment that is sent: the execution of a quote, or a transfer to an external account. */
export const OutgoingTransactionResource = Schema.Struct({
  id: Id("Transaction"),
  type: Schema.Literal("OUTGOING"),
  status: OutgoingTransactionStatus,
  source: Schema.Union([AccountSource, FundingSource]).annotate({ identifier: "OutgoingTransactionSource" }),
  sentAmount: CurrencyAmount,
  receivedAmount: CurrencyAmount,
  fees: Schema.Int.annotate({ description: "In the sending currency's smallest unit." }),
  platformFees: Schema.optionalKey(Schema.Int.annotate({ description: "The platform's part of the fees." })),
  exchangeRate: Schema.optionalKey(Schema.Finite.annotate({ description: "As on the quote." })),
  rateDetails: Schema.optionalKey(RateDetails),
  quoteId: Schema.optionalKey(Id("Quote")),
  paymentInstructions: Schema.optionalKey(
    Schema.Array(PaymentInstructions).annotate({
      description: "Where its payer sends the money, while it is `PENDING`.",
    }),
  ),
  paymentRail: Schema.optionalKey(PaymentRail),
  railSelectionMode: Schema.Literals(["AUTO", "MANUAL"]).annotate({
    description: "`MANUAL`: the caller named the rail.",
  }),
  expectedSettlementAt: Schema.optionalKey(
    Timestamp.annotate({ description: "When it should have arrived; absent where the rail is not known." }),
  ),
  settlementTimelineSeconds: Schema.optionalKey(
    Schema.Int.annotate({ description: "How long the rail takes as a rule." }),
  ),
  remittanceInformation: Schema.optionalKey(RemittanceInformation),
  purposeOfPayment: Schema.optionalKey(PurposeOfPayment),
  failureReason: Schema.optionalKey(OutgoingFailureReason),
  ...common,
}).annotate({ identifier: "OutgoingTransaction" })
export type OutgoingTransactionResource = typeof OutgoingTransactionResource.Type

/** A movement between an account at the service and one outside. */
export type TransferResource = IncomingTransactionResource | OutgoingTransactionResource

export const TransactionResource = Schema.Union([
  IncomingTransactionResource,
  OutgoingTransactionResource,
  CardTransactionResource,
]).annotate({ identifier: "TransactionOneOf" })
export type TransactionResource = typeof TransactionResource.Type

/** A page of transactions of all types, newest first by default. */
export const TransactionListResponse = PageOf(TransactionResource, "TransactionListResponse")

const toRefund = ({ initiatedAt, reason, reference, settledAt, status }: Refund): typeof RefundResource.Type => ({
  reference,
  initiatedAt: iso(initiatedAt),
  ...(settledAt === undefined ? {} : { settledAt: iso(settledAt) }),
  status,
  reason,
})

/** The UMA address that was paid, or the account. */
const destinationOf = (data: Transaction): typeof anyDestination.Type => {
  const isOutgoing = data.type === "OUTGOING"
  const currency = isOutgoing ? payoutOf(data).currency : data.currency
  return data.receiverUmaAddress === undefined
    ? {
        destinationType: "ACCOUNT",
        accountId: data.destinationAccountId,
        currency,
        ...(isOutgoing ? walletOnChainOf(data) : {}),
      }
    : { destinationType: "UMA_ADDRESS", umaAddress: data.receiverUmaAddress, currency }
}

/** The fields that both directions share. */
const commonOf = (
  { createdAt, customerId, platformId, updatedAt }: RecordOf<"Transaction", Transaction>,
  data: Transaction,
) => ({
  direction: data.direction,
  destination: destinationOf(data),
  // A transaction of the platform itself carries the platform's own id (wire contract 5.7, list filters).
  customerId: customerId ?? platformId,
  platformCustomerId: data.platformCustomerId,
  ...(data.agentId === undefined ? {} : { agentId: data.agentId }),
  ...(data.description === undefined ? {} : { description: data.description }),
  ...(data.counterpartyInformation === undefined ? {} : { counterpartyInformation: data.counterpartyInformation }),
  ...(data.refund === undefined ? {} : { refund: toRefund(data.refund) }),
  ...(data.reference === undefined ? {} : { reconciliationInstructions: { reference: data.reference } }),
  ...(data.settledAt === undefined ? {} : { settledAt: iso(data.settledAt) }),
  ...(data.receiptDeliveryConfirmedAt === undefined
    ? {}
    : { receiptDeliveryConfirmedAt: iso(data.receiptDeliveryConfirmedAt) }),
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})

const sourceOf = ({ customerId, data }: StoredIncoming): IncomingTransactionResource["source"] => {
  const { currency, deposit, senderUmaAddress, sourceAccountId } = data
  if (sourceAccountId !== undefined) {
    return { sourceType: "ACCOUNT", accountId: sourceAccountId, currency, ...walletOnChainOf(data) }
  }
  if (senderUmaAddress !== undefined) return { sourceType: "UMA_ADDRESS", umaAddress: senderUmaAddress, currency }
  const { accountIdentifier, ...source } = deposit?.source ?? {}
  return {
    sourceType: "REALTIME_FUNDING",
    currency,
    ...(customerId === null ? {} : { customerId }),
    ...source,
    ...(accountIdentifier === undefined ? {} : { accountIdentifier: masked(accountIdentifier) }),
    ...onChainOf(data, deposit?.transactionHash, source.cryptoNetwork),
  }
}

export const toIncomingTransaction = (stored: StoredIncoming): IncomingTransactionResource => {
  const { data } = stored
  return {
    id: stored.id,
    type: data.type,
    status: data.status,
    source: sourceOf(stored),
    ...(data.sent === undefined ? {} : { sentAmount: currencyAmount(data.sent.amount, data.sent.currency) }),
    receivedAmount: currencyAmount(data.amount, data.currency),
    ...(data.exchangeRate === undefined ? {} : { exchangeRate: data.exchangeRate }),
    ...(data.fees === undefined ? {} : { fees: data.fees }),
    ...(data.quoteId === undefined ? {} : { quoteId: data.quoteId }),
    ...(data.pendingReason === undefined ? {} : { pendingReason: data.pendingReason }),
    ...(data.failureReason === undefined ? {} : { failureReason: data.failureReason }),
    ...commonOf(stored, data),
  }
}

const payerOf = (data: OutgoingTransaction): OutgoingTransactionResource["source"] => {
  const { currency, exchange, fundingSource, sourceAccountId } = data
  const onChain = onChainOf(data, exchange?.transactionHash, exchange?.network)
  return fundingSource === undefined
    ? { sourceType: "ACCOUNT", accountId: sourceAccountId ?? "", currency, ...onChain }
    : { sourceType: "REALTIME_FUNDING", ...fundingSource, ...onChain }
}

const exchangeOf = ({ currency, exchange }: OutgoingTransaction) => {
  if (exchange === undefined) return { fees: 0 }
  const { fees, quoteId, rate, rateDetails, received } = exchange
  return {
    fees: fees.service + fees.platform,
    platformFees: fees.platform,
    exchangeRate: displayed(rateOf(rate, currency, received.currency)),
    ...(rateDetails === undefined ? {} : { rateDetails }),
    quoteId,
  }
}

export const toOutgoingTransaction = (stored: StoredOutgoing): OutgoingTransactionResource => {
  const { data } = stored
  const { externalAccount, paymentInstructions, purposeOfPayment, remittanceInformation, settlementTimelineSeconds } =
    data
  const received = payoutOf(data)
  return {
    id: stored.id,
    type: data.type,
    status: data.status,
    source: payerOf(data),
    sentAmount: currencyAmount(data.amount, data.currency),
    receivedAmount: currencyAmount(received.amount, received.currency),
    ...exchangeOf(data),
    ...(data.status === "PENDING" && paymentInstructions !== undefined ? { paymentInstructions } : {}),
    ...(externalAccount?.rail === undefined ? {} : { paymentRail: externalAccount.rail }),
    railSelectionMode: data.railSelectionMode,
    ...(settlementTimelineSeconds === undefined
      ? {}
      : {
          expectedSettlementAt: iso(stored.createdAt + settlementTimelineSeconds * 1000),
          settlementTimelineSeconds,
        }),
    ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
    ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
    ...(data.failureReason === undefined ? {} : { failureReason: data.failureReason }),
    ...commonOf(stored, data),
  }
}

/** A transfer of either direction. */
export const toTransaction = (stored: RecordOf<"Transaction", Transaction>): TransferResource => {
  if (isIncoming(stored)) return toIncomingTransaction(stored)
  if (isOutgoing(stored)) return toOutgoingTransaction(stored)
  throw new Error(`${stored.id} is neither incoming nor outgoing`)
}

/** A transfer or a card transaction. */
export const toAnyTransaction = (
  stored: RecordOf<"Transaction", Transaction> | RecordOf<"CardTransaction", CardTransaction>,
): TransactionResource => (stored.kind === "CardTransaction" ? toCardTransaction(stored) : toTransaction(stored))
