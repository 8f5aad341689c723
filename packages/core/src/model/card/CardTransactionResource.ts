/**
 * Wire resources of card transactions, and the sandbox's simulation requests.
 * Source: wire contract 3.5, 7.1 and 7.5.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { CurrencyAmount, currencyAmount, NonNegativeAmount, PositiveAmount } from "../../foundation/money/Amount.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { RecordOf } from "../record/Record.ts"
import { DeclineReason } from "./CardAuthorizationRules.ts"
import { CardMerchant, type CardTransaction, CardTransactionStatus, total } from "./CardTransaction.ts"

const Summary = { count: Schema.Int, totalAmount: CurrencyAmount }

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
const summary = ({ currency }: CardTransaction, amounts: ReadonlyArray<number>) => ({
  count: amounts.length,
  totalAmount: currencyAmount(total(amounts), currency),
})

export const toCardTransaction = (stored: RecordOf<"CardTransaction", CardTransaction>): CardTransactionResource => {
  const { data } = stored
  const { clearings, currency, isExpired, pulls, refunds } = data
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
    ...(pulls.length === 0
      ? {}
      : {
          pullSummary: {
            ...summary(
              data,
              pulls.map(({ amount }) => amount),
            ),
            pendingCount: pulls.filter(({ status }) => status === "PENDING").length,
          },
        }),
    ...(refunds.length === 0 ? {} : { refundSummary: summary(data, refunds) }),
    ...(clearings.length === 0 ? {} : { settlementSummary: summary(data, clearings) }),
    authorizedAt: iso(data.authorizedAt),
    ...(data.lastEventAt === undefined ? {} : { lastEventAt: iso(data.lastEventAt) }),
    createdAt: iso(stored.createdAt),
    updatedAt: iso(stored.updatedAt),
  }
}

/** Currency as an object with a code, or the code alone. */
const CurrencyInput = Schema.Union([CurrencyCode, Schema.Struct({ code: CurrencyCode })])

export const SandboxCardAuthorizationRequest = Schema.Struct({
  amount: PositiveAmount,
  currency: CurrencyInput,
  merchant: CardMerchant,
}).annotate({ identifier: "SandboxCardAuthorizationRequest" })
export type SandboxCardAuthorizationRequest = typeof SandboxCardAuthorizationRequest.Type

const cardTransactionId = Id("CardTransaction")

export const SandboxCardClearingRequest = Schema.Struct({
  cardTransactionId,
  amount: NonNegativeAmount.annotate({
    description: "Above what was authorized: the rest is pulled too. 0: the authorization expires.",
  }),
}).annotate({ identifier: "SandboxCardClearingRequest" })

export const SandboxCardReturnRequest = Schema.Struct({ cardTransactionId, amount: PositiveAmount }).annotate({
  identifier: "SandboxCardReturnRequest",
})

export const SandboxCardBalanceInquiryRequest = Schema.Struct({ merchant: CardMerchant }).annotate({
  identifier: "SandboxCardBalanceInquiryRequest",
})

export const SandboxCardAuthorizationAdviceRequest = Schema.Struct({
  cardTransactionId,
  amount: PositiveAmount.annotate({ description: "The new total of the authorization." }),
}).annotate({ identifier: "SandboxCardAuthorizationAdviceRequest" })

export const SandboxCardTransactionRefRequest = Schema.Struct({ cardTransactionId }).annotate({
  identifier: "SandboxCardTransactionRefRequest",
})

export const SandboxCardSimulationResponse = Schema.Struct({
  issuerTransactionToken: Schema.String.annotate({
    description: "The card transaction shows the same one; a declined authorization leaves no transaction.",
  }),
  declineReason: Schema.optionalKey(DeclineReason.annotate({ description: "Only of a declined authorization." })),
}).annotate({ identifier: "SandboxCardSimulationResponse" })
export type SandboxCardSimulationResponse = typeof SandboxCardSimulationResponse.Type
