/**
 * The wire format of exchange rates.
 * Source: wire contract 5.4; D-126.
 */
import { Schema } from "effect"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { NonNegativeAmount } from "../../foundation/money/Amount.ts"
import { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { Currency } from "../../foundation/money/Currencies.ts"
import { PaymentRail } from "../account/AccountTypeRow.ts"

export const ExchangeRateResource = Schema.Struct({
  sourceCurrency: Currency,
  sendingAmount: NonNegativeAmount,
  minSendingAmount: NonNegativeAmount,
  maxSendingAmount: NonNegativeAmount,
  destinationCurrency: Currency,
  destinationPaymentRail: Schema.Literals([...PaymentRail.literals, ...CryptoNetwork.literals]).annotate({
    description: "How the money usually arrives: a rail, or the network of a crypto asset.",
  }),
  receivingAmount: NonNegativeAmount.annotate({
    description: "The amount that arrives when `sendingAmount` is sent, after fees.",
  }),
  exchangeRate: Schema.Finite.annotate({ description: "Sending per receiving currency, without fees." }),
  fees: Schema.Struct({
    fixed: NonNegativeAmount,
    total: NonNegativeAmount,
  }).annotate({ identifier: "ExchangeRateFees", description: "In the source currency's smallest unit." }),
  updatedAt: Timestamp,
}).annotate({ identifier: "ExchangeRate" })
export type ExchangeRateResource = typeof ExchangeRateResource.Type

/** Answer of `GET /exchange-rates`: what an amount yields in other currencies, without pages. */
export const ExchangeRateListResponse = Schema.Struct({ data: Schema.Array(ExchangeRateResource) }).annotate({
  identifier: "ExchangeRateListResponse",
})
