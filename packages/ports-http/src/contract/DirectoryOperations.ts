/**
 * The operations of `ExchangeRates`, `BankDirectory` and `FundingInstructions`.
 * Source: ports/ExchangeRates.ts, BankDirectory.ts, FundingInstructions.ts; D-397, D-527.
 */
import { CryptoNetwork, CurrencyCode, InternalAccountType, PaymentInstructions } from "@countersign/core/models"
import type {
  AccountFundingRequest,
  BankFilter,
  CollectionAnswer,
  CollectionRequest,
  FundingRequest,
} from "@countersign/core/ports"
import { Schema } from "effect"
import { Amount, exactly, Millis, optional, outcome, result, Text } from "./Parts.ts"
import { withoutUnknown } from "./PortOperation.ts"

const Positive = Text.check(Schema.isPattern(/^[1-9]\d{0,38}$/u)).annotate({
  description: "A positive integer as text.",
})

const Rate = Schema.Struct({
  numerator: Positive,
  denominator: Positive,
  fee: optional(Schema.Struct({ fixed: Amount, variableBps: Schema.Int })),
  updatedAt: optional(Millis),
}).annotate({
  identifier: "Rate",
  description: "`numerator / denominator` major units of `from` for one major unit of `to`.",
})

const asking = { repetition: "none", deadline: "ask" } as const

export const exchangeRatesOperations = {
  rate: withoutUnknown({
    path: "/exchange-rates/rate",
    summary: "Returns the rate between two currencies, or `null` if none exists.",
    request: Schema.Struct({ from: CurrencyCode, to: CurrencyCode }),
    answer: result(Schema.NullOr(Rate)),
    ...asking,
  }),
}

const Bank = Schema.Struct({
  bankName: Text,
  displayName: Text,
  country: Text.check(Schema.isPattern(/^[A-Z]{2}$/u)),
  currency: CurrencyCode,
}).annotate({ identifier: "Bank" })

export const bankDirectoryOperations = {
  find: withoutUnknown({
    path: "/bank-directory/find",
    summary: "Lists banks by country and currency.",
    request: exactly<BankFilter>()(Schema.Struct({ country: optional(Text), currency: optional(Text) })),
    answer: result(Schema.Array(Bank)),
    ...asking,
  }),
}

export const fundingInstructionsOperations = {
  forPayment: withoutUnknown({
    path: "/funding-instructions/for-payment",
    summary: "Returns where a payer sends the money of a payment; an empty list: payers cannot send this currency.",
    request: exactly<FundingRequest>()(
      Schema.Struct({
        reference: Text,
        currency: CurrencyCode,
        cryptoNetwork: optional(CryptoNetwork),
        region: optional(Text),
      }),
    ),
    answer: result(Schema.Array(PaymentInstructions)),
    ...asking,
  }),
  forAccount: withoutUnknown({
    path: "/funding-instructions/for-account",
    summary: "Returns how money reaches an account; the same until a change is reported.",
    request: exactly<AccountFundingRequest>()(
      Schema.Struct({
        accountId: Text,
        type: InternalAccountType,
        currency: CurrencyCode,
        reference: Text,
        isPlatformAccount: Schema.Boolean,
        holderName: optional(Text),
        region: optional(Text),
        hasCollectionAccount: Schema.Boolean,
      }),
    ),
    answer: result(Schema.Array(PaymentInstructions)),
    ...asking,
  }),
  collectionAccount: withoutUnknown({
    path: "/funding-instructions/collection-account",
    summary: "Says whether a customer has an international collection account.",
    request: exactly<CollectionRequest>()(
      Schema.Struct({ customerId: Text, platformCustomerId: Text, region: optional(Text), openedAt: Millis }),
    ),
    answer: exactly<CollectionAnswer>()(
      Schema.Union([outcome("None", {}), outcome("Available", {}), outcome("Later", { at: Millis })]).annotate({
        identifier: "CollectionAnswer",
      }),
    ),
    repetition: "none",
    deadline: "instruct",
  }),
}
