/**
 * Wire resources of card transactions, and the sandbox's simulation requests.
 * Source: wire contract 3.5, 7.1 and 7.5; wire contract areas 2.1; D-395.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { CurrencyAmount, currencyAmount, NonNegativeAmount, PositiveAmount } from "../../foundation/money/Amount.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { RecordOf } from "../record/Record.ts"
import { DeclineReason } from "./CardAuthorizationRules.ts"
import { CardMerchant, type CardTransaction, CardTransactionStatus, total } from "./CardTransaction.ts"

const Summary = {
  count: Schema.Int,
  totalAmount: Schema.Int.annotate({ description: "Smallest unit of the funding source's currency." }),
}

export const CardTransactionResource = Schema.Struct({
  type: Schema.Literal("CARD"),
  id: Id("CardTransaction"),
  cardId: Id("Card"),
  customerId: Id("Customer"),
  platformCustomerId: Schema.String,
  issuerTransactionToken: Schema.String,
  status: CardTransactionStatus,
  direction: Schema.Literals(["CREDIT", "DEBIT"]),
  merchant: Schema.Struct({
    descriptor: Schema.String,
    mcc: Schema.optionalKey(Schema.String),
    country: Schema.optionalKey(Schema.String),
  }).annotate({ identifier: "CardTransactionMerchant" }),
  authorizedAmount: CurrencyAmount,
  settledAmount: Schema.optionalKey(CurrencyAmount),
  refundedAmount: Schema.optionalKey(CurrencyAmount),
  accountId: Id("InternalAccount").annotate({ description: "The funding source that was chosen at authorization." }),
  pullSummary: Schema.optionalKey(
    Schema.Struct({ ...Summary, pendingCount: Schema.Int }).annotate({ identifier: "CardPullSummary" }),
  ),
  refundSummary: Schema.optionalKey(Schema.Struct(Summary).annotate({ identifier: "CardRefundSummary" })),
  settlementSummary: Schema.optionalKey(Schema.Struct(Summary).annotate({ identifier: "CardSettlementSummary" })),
  authorizedAt: Timestamp,
  lastEventAt: Schema.optionalKey(Timestamp.annotate({ description: "Of the latest pull, clearing or refund." })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "CardTransaction" })
export type CardTransactionResource = typeof CardTransactionResource.Type

/** Count and total of amounts of one type. */
const summary = (amounts: ReadonlyArray<number>) => ({ count: amounts.length, totalAmount: total(amounts) })

/** The pulls so far. What is still held counts as one pending pull, and a failed pull with 0. */
const pullSummary = ({ held, pulls }: CardTransaction) => {
  const open = held > 0 ? [held] : []
  const amounts = pulls.map(({ amount, status }) => (status === "FAILED" ? 0 : amount))
  const pending = pulls.filter(({ status }) => status === "PENDING")
  return { ...summary([...amounts, ...open]), pendingCount: pending.length + open.length }
}

export const toCardTransaction = (stored: RecordOf<"CardTransaction", CardTransaction>): CardTransactionResource => {
  const { data } = stored
  const { clearings, currency, isExpired, refunds } = data
  const isSettled = clearings.length > 0 || isExpired
  return {
    type: "CARD",
    id: stored.id,
    cardId: data.cardId,
    customerId: stored.customerId ?? "",
    platformCustomerId: data.platformCustomerId,
    issuerTransactionToken: data.issuerTransactionToken,
    status: data.status,
    direction: data.direction,
    merchant: data.merchant,
    authorizedAmount: currencyAmount(data.authorized, currency),
    ...(isSettled ? { settledAmount: currencyAmount(total(clearings), currency) } : {}),
    ...(refunds.length === 0 ? {} : { refundedAmount: currencyAmount(total(refunds), currency) }),
    accountId: data.accountId,
    pullSummary: pullSummary(data),
    refundSummary: summary(refunds),
    settlementSummary: summary(clearings),
    authorizedAt: iso(data.authorizedAt),
    ...(data.lastEventAt === undefined ? {} : { lastEventAt: iso(data.lastEventAt) }),
    createdAt: iso(stored.createdAt),
    updatedAt: iso(stored.updatedAt),
  }
}

/** A currency as the resources show it, of which the code counts, or the code alone. Source: wire contract areas 2.10. */
const CurrencyInput = Schema.Union([
  CurrencyCode,
  Schema.Struct({
    code: CurrencyCode,
    name: Schema.optionalKey(Text(255)),
    symbol: Schema.optionalKey(Text(255)),
    decimals: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 18 }))),
  }),
])

/**
 * Body of the simulations `authorization`, `credit_authorization`, `credit_authorization_advice`, `financial_authorization` and
 * `financial_credit_authorization`. `amount` is in the smallest unit of `currency`.
 */
export const SandboxCardAuthorizationRequest = Schema.Struct({
  amount: PositiveAmount,
  currency: CurrencyInput,
  merchant: CardMerchant,
}).annotate({ identifier: "SandboxCardAuthorizationRequest" })
export type SandboxCardAuthorizationRequest = typeof SandboxCardAuthorizationRequest.Type

const cardTransactionId = Id("CardTransaction")

/** Body of the simulation `clearing`: how much of an authorization is settled, in the smallest unit of its currency. */
export const SandboxCardClearingRequest = Schema.Struct({
  cardTransactionId,
  amount: NonNegativeAmount.annotate({
    description: "Above what was authorized: the rest is pulled too. 0: the authorization expires.",
  }),
}).annotate({ identifier: "SandboxCardClearingRequest" })

/** Body of the simulation `return`: a refund of at most what is settled and not refunded, in the smallest unit. */
export const SandboxCardReturnRequest = Schema.Struct({ cardTransactionId, amount: PositiveAmount }).annotate({
  identifier: "SandboxCardReturnRequest",
})

/** Body of the simulation `balance_inquiry`: an authorization of 0, which holds nothing. */
export const SandboxCardBalanceInquiryRequest = Schema.Struct({ merchant: CardMerchant }).annotate({
  identifier: "SandboxCardBalanceInquiryRequest",
})

/** Body of the simulation `authorization_advice`, which changes the total of an open authorization. */
export const SandboxCardAuthorizationAdviceRequest = Schema.Struct({
  cardTransactionId,
  amount: PositiveAmount.annotate({ description: "The new total of the authorization." }),
}).annotate({ identifier: "SandboxCardAuthorizationAdviceRequest" })

/** Body of the simulation `return_reversal`: the `REFUNDED` transaction that becomes `SETTLED` again. */
export const SandboxCardTransactionRefRequest = Schema.Struct({ cardTransactionId }).annotate({
  identifier: "SandboxCardTransactionRefRequest",
})

/** Answer (202) of every card simulation. */
export const SandboxCardSimulationResponse = Schema.Struct({
  issuerTransactionToken: Schema.String.annotate({
    description: "The card transaction shows the same one; a declined authorization leaves no transaction.",
  }),
  declineReason: Schema.optionalKey(DeclineReason.annotate({ description: "Only of a declined authorization." })),
}).annotate({ identifier: "SandboxCardSimulationResponse" })
export type SandboxCardSimulationResponse = typeof SandboxCardSimulationResponse.Type
