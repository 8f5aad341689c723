/** Rows of the rules of quotes at both sides of their boundaries, and with facts that an earlier row refuses. */
import { QuoteExecutionRules } from "../../../packages/core/src/model/quote/QuoteExecutionRules.ts"
import { QuoteRules } from "../../../packages/core/src/model/quote/QuoteRules.ts"
import { proveRow } from "../../../packages/test/src/proof/RulesProof.ts"
import {
  account,
  customer,
  executable,
  external,
  type Facts,
  fees,
  funding,
  override,
  payer,
  platform,
  quote,
  requestFacts,
  uma,
  validFacts,
} from "./QuoteFacts.ts"

const address = { destinationType: "UMA_ADDRESS", umaAddress: "$a@b" } as const

proveRow(QuoteRules, "AMOUNT_EXACT", [
  ["the largest exact amount", requestFacts({ lockedCurrencyAmount: 9_000_000_000_000_000 }), "holds"],
  [
    "one unit above the largest exact amount",
    requestFacts({ lockedCurrencyAmount: 9_000_000_000_000_001 }),
    { answer: { code: "AMOUNT_OUT_OF_RANGE" } },
  ],
])

const overridden = requestFacts({ platformFeeOverride: override })
const fixedInEuros = { ...override, platformFixedFee: { amount: 1, currency: "EUR" } } as const
proveRow(QuoteRules, "FEE_OVERRIDE", [
  ["no override in any currency", { ...validFacts, sendingCurrency: "EUR" }, "holds"],
  ["an unknown sending currency", { ...overridden, sendingCurrency: undefined }, "holds"],
  ["a fixed fee in another currency", requestFacts({ platformFeeOverride: fixedInEuros }), "fails"],
])

proveRow(QuoteRules, "LOOKUP_GIVEN", [
  ["an account, which needs no lookup", validFacts, "holds"],
  ["an address with a lookup", requestFacts({ destination: address, lookupId: "Lookup:a" }), "holds"],
  ["an address without a lookup", requestFacts({ destination: address }), "fails"],
])

const refused = { _tag: "Refused", refusal: { code: "UMA_NOT_FOUND", message: "nobody" } } as const
proveRow(QuoteRules, "RECEIVER_FOUND", [
  ["an account, which has no receiver", validFacts, "holds"],
  ["a known receiver", { ...validFacts, receiver: uma }, "holds"],
  ["a receiver that its provider refuses", { ...validFacts, receiver: refused }, { answer: { code: "UMA_NOT_FOUND" } }],
])

const toAddress = (receiver: Facts["receiver"], currency?: "GBP" | "USD"): Facts => ({
  ...requestFacts({ destination: { ...address, ...(currency === undefined ? {} : { currency }) } }),
  receiver,
})
const takesNothing = { ...uma, currencies: [] }
proveRow(QuoteRules, "RECEIVING_CURRENCY", [
  ["the currency of an account", validFacts, "holds"],
  ["the currency of an account, even after a lookup", { ...validFacts, receiver: takesNothing }, "holds"],
  ["a currency that the address accepts", toAddress(uma, "GBP"), "holds"],
  ["the first currency of the address by default", toAddress(uma), "holds"],
  ["any currency of an address without a lookup", toAddress(undefined, "GBP"), "holds"],
  [
    "a currency that the address does not accept",
    toAddress(uma, "USD"),
    { answer: { message: "The address receives no USD." } },
  ],
  [
    "an address that accepts no currency",
    toAddress(takesNothing),
    { answer: { message: "The address receives no money.", details: { supportedCurrencies: [] } } },
  ],
])

const unregulated = { ...validFacts, platform: { ...platform, isRegulatedFinancialInstitution: false } }
const endUserTermsConsent = {
  acceptedAt: "2026-01-01T00:00:00Z",
  ipAddress: "203.0.113.7",
  termsVersion: "1",
  acceptanceMethod: "CHECKBOX",
} as const
proveRow(QuoteRules, "TERMS_ACCEPTED", [
  ["a customer of a regulated platform", validFacts, "holds"],
  ["the platform itself", { ...unregulated, customer: undefined }, "holds"],
  [
    "a customer that has accepted the terms",
    { ...unregulated, customer: { ...customer, endUserTermsConsent } },
    "holds",
  ],
  ["a customer that has not accepted the terms", unregulated, "fails"],
])

proveRow(QuoteRules, "CRYPTO_NETWORK", [
  ["an account as source", validFacts, "holds"],
  [
    "a stablecoin over a network of another one",
    payer({ ...funding, currency: "USDC", cryptoNetwork: "TRON" }),
    { answer: { details: { errors: [{ constraint: { enum: ["SOLANA", "POLYGON", "BASE", "ETHEREUM"] } }] } } },
  ],
])

const inactive = { ...external, status: "INACTIVE" } as const
const frozen = { ...account, status: "FROZEN" } as const
const inactiveAs = (side: "SOURCE" | "DESTINATION") => ({
  answer: { code: "INVALID_BANK_ACCOUNT", details: { reason: `${side}_NOT_ACTIVE`, status: "INACTIVE" } },
})
const frozenAs = (side: "SOURCE" | "DESTINATION") => ({
  answer: { code: "INVALID_INPUT", details: { reason: `${side}_NOT_ACTIVE`, status: "FROZEN" } },
})
const from = (source: NonNullable<Facts["source"]>): Facts => ({ ...validFacts, source })
const pulled = { _tag: "External", account: external, isPullable: true, instructions: [] } as const
proveRow(QuoteRules, "SOURCE_ACTIVE", [
  ["an internal account", validFacts, "holds"],
  ["an external account", from(pulled), "holds"],
  ["a payer", from({ _tag: "Payer", instructions: [] }), "holds"],
  ["a frozen account", from({ _tag: "Internal", account: frozen }), frozenAs("SOURCE")],
  ["an inactive account", from({ ...pulled, account: inactive }), inactiveAs("SOURCE")],
])

const into = (destination: NonNullable<Facts["destination"]>): Facts => ({ ...validFacts, destination })
proveRow(QuoteRules, "DESTINATION_ACTIVE", [
  ["an external account", validFacts, "holds"],
  ["an internal account", into({ _tag: "Internal", account }), "holds"],
  ["an address", into({ _tag: "Uma" }), "holds"],
  ["a frozen account", into({ _tag: "Internal", account: frozen }), frozenAs("DESTINATION")],
  ["an inactive account", into({ _tag: "External", account: inactive }), inactiveAs("DESTINATION")],
])

const byRail = (paymentRail: "FASTER_PAYMENTS" | "PIX") =>
  requestFacts({ destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:b", paymentRail } })
const rails = (...names: ReadonlyArray<string>) => ({
  answer: {
    message: "destination.paymentRail: must be a rail that the destination supports",
    details: { errors: [{ field: "destination.paymentRail", constraint: { enum: names } }] },
  },
})
proveRow(QuoteRules, "RAIL_SUPPORTED", [
  ["no rail in the request", validFacts, "holds"],
  ["a rail of the destination", byRail("FASTER_PAYMENTS"), "holds"],
  ["an address, which has no rails", requestFacts({ destination: address }), "holds"],
  ["a rail of other accounts", byRail("PIX"), rails("FASTER_PAYMENTS")],
  ["any rail to an internal account", { ...byRail("PIX"), destination: { _tag: "Internal", account } }, rails()],
  ["an unknown destination", { ...byRail("PIX"), destination: undefined }, "holds"],
])

proveRow(QuoteRules, "PAYER_INFORMATION", [
  ["no missing field", validFacts, "holds"],
  [
    "two missing fields",
    { ...validFacts, missingPayerFields: ["FULL_NAME", "BIRTH_DATE"] },
    { answer: { message: "The receiver requires FULL_NAME, BIRTH_DATE of the payer." } },
  ],
])

const unknownSent: Facts = { ...validFacts, sendingCurrency: undefined }
const unknownReceived: Facts = { ...validFacts, receivingCurrency: undefined }
const disabled = {
  ...platform,
  supportedCurrencies: platform.supportedCurrencies.map((one) => ({ ...one, enabledTransactionTypes: [] })),
}
proveRow(QuoteRules, "CURRENCY_ENABLED", [
  ["an enabled currency", validFacts, "holds"],
  ["a currency without a configuration", { ...validFacts, platform: disabled, sendingCurrency: "EUR" }, "holds"],
  ["an unknown currency", { ...unknownSent, platform: disabled }, "holds"],
  [
    "a disabled currency",
    { ...validFacts, platform: disabled },
    { answer: { message: "The platform does not send USD." } },
  ],
])

proveRow(QuoteRules, "RATE_KNOWN", [
  ["a rate", validFacts, "holds"],
  ["an unknown sending currency", { ...unknownSent, rate: undefined }, "holds"],
  ["an unknown receiving currency", { ...unknownReceived, rate: undefined }, "holds"],
  ["no rate", { ...validFacts, rate: undefined }, { answer: { details: { reason: "RATE_UNAVAILABLE" } } }],
])

const tooMuch = { sending: 10_000_000_001, receiving: 10_000_000_001, fees }
const twoCurrencies = { ...uma, currencies: [{ code: "USD", minAmount: 1, maxAmount: 1 } as const, ...uma.currencies] }
proveRow(QuoteRules, "WITHIN_LIMITS", [
  ["no price", { ...validFacts, price: undefined }, "holds"],
  ["an amount without a price", { ...validFacts, price: "AMOUNT_TOO_SMALL" }, "holds"],
  ["an unknown sending currency", { ...unknownSent, price: tooMuch }, "holds"],
  ["an unknown receiving currency", { ...unknownReceived, price: tooMuch }, "holds"],
  [
    "an amount above the address's maximum in this currency, whatever its maximum in another",
    { ...validFacts, receiver: twoCurrencies, price: { sending: 10, receiving: 501, fees } },
    { answer: { details: { side: "receiving", currency: "GBP", minAmount: 5, maxAmount: 500 } } },
  ],
  [
    "an amount above the sending maximum",
    { ...validFacts, price: tooMuch },
    { answer: { details: { side: "sending", amount: 10_000_000_001 } } },
  ],
])

proveRow(QuoteExecutionRules, "STILL_OPEN", [
  ["PENDING", executable, "holds"],
  ...(
    [
      ["EXPIRED", "QUOTE_EXPIRED"],
      ["PENDING_AUTHORIZATION", "AUTHORIZATION_PENDING"],
      ["PROCESSING", "QUOTE_ALREADY_EXECUTED"],
      ["COMPLETED", "QUOTE_ALREADY_EXECUTED"],
      ["FAILED", "QUOTE_ALREADY_EXECUTED"],
    ] as const
  ).map(
    ([status, reason]) =>
      [
        status,
        { ...executable, quote: { ...quote, status } },
        { answer: { message: `The quote is ${status}.`, details: { reason } } },
      ] as const,
  ),
])

proveRow(QuoteExecutionRules, "SOURCE_ACTIVE", [
  ["an internal account", executable, "holds"],
  ["a payer", { ...executable, source: undefined }, "holds"],
  ["an external account", { ...executable, source: external }, "holds"],
  ["a frozen account", { ...executable, source: frozen }, frozenAs("SOURCE")],
  [
    "a deleted account",
    { ...executable, source: { ...external, isDeleted: true } },
    { answer: { code: "INVALID_BANK_ACCOUNT", details: { reason: "SOURCE_DELETED" } } },
  ],
  ["an inactive account", { ...executable, source: inactive }, inactiveAs("SOURCE")],
])

proveRow(QuoteExecutionRules, "DESTINATION_ACTIVE", [
  ["an external account", executable, "holds"],
  ["an address", { ...executable, destination: undefined }, "holds"],
  ["a frozen account", { ...executable, destination: frozen }, frozenAs("DESTINATION")],
  [
    "a deleted account",
    { ...executable, destination: { ...external, isDeleted: true } },
    { answer: { code: "INVALID_BANK_ACCOUNT", details: { reason: "DESTINATION_DELETED" } } },
  ],
  ["an inactive account", { ...executable, destination: inactive }, inactiveAs("DESTINATION")],
])
