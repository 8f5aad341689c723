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
  ["the largest that can be named", requestFacts({ lockedCurrencyAmount: 9_000_000_000_000_000 }), "holds"],
  [
    "one more",
    requestFacts({ lockedCurrencyAmount: 9_000_000_000_000_001 }),
    { answer: { code: "AMOUNT_OUT_OF_RANGE" } },
  ],
])

const overridden = requestFacts({ platformFeeOverride: override })
const fixedInEuros = { ...override, platformFixedFee: { amount: 1, currency: "EUR" } } as const
proveRow(QuoteRules, "FEE_OVERRIDE", [
  ["none, whatever is sent", { ...validFacts, sendingCurrency: "EUR" }, "holds"],
  ["with an unknown sending currency", { ...overridden, sendingCurrency: undefined }, "holds"],
  ["with a fixed fee in another currency", requestFacts({ platformFeeOverride: fixedInEuros }), "fails"],
])

proveRow(QuoteRules, "LOOKUP_GIVEN", [
  ["an account is not looked up", validFacts, "holds"],
  ["an address that was", requestFacts({ destination: address, lookupId: "Lookup:a" }), "holds"],
  ["an address that was not", requestFacts({ destination: address }), "fails"],
])

const refused = { _tag: "Refused", refusal: { code: "UMA_NOT_FOUND", message: "nobody" } } as const
proveRow(QuoteRules, "RECEIVER_FOUND", [
  ["an account has none", validFacts, "holds"],
  ["one that was found", { ...validFacts, receiver: uma }, "holds"],
  ["one that its provider refused", { ...validFacts, receiver: refused }, { answer: { code: "UMA_NOT_FOUND" } }],
])

const toAddress = (receiver: Facts["receiver"], currency?: "GBP" | "USD"): Facts => ({
  ...requestFacts({ destination: { ...address, ...(currency === undefined ? {} : { currency }) } }),
  receiver,
})
const takesNothing = { ...uma, currencies: [] }
proveRow(QuoteRules, "RECEIVING_CURRENCY", [
  ["an account's own", validFacts, "holds"],
  ["an account's own, even after a lookup", { ...validFacts, receiver: takesNothing }, "holds"],
  ["one that the address takes", toAddress(uma, "GBP"), "holds"],
  ["the address's first, where none is named", toAddress(uma), "holds"],
  ["of an address without a lookup", toAddress(undefined, "GBP"), "holds"],
  ["one that it does not take", toAddress(uma, "USD"), { answer: { message: "The address receives no USD." } }],
  [
    "none, of an address that takes nothing",
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
  ["a regulated platform's customer", validFacts, "holds"],
  ["the platform itself", { ...unregulated, customer: undefined }, "holds"],
  ["a customer that has accepted them", { ...unregulated, customer: { ...customer, endUserTermsConsent } }, "holds"],
  ["a customer that has not", unregulated, "fails"],
])

proveRow(QuoteRules, "CRYPTO_NETWORK", [
  ["an account's money", validFacts, "holds"],
  [
    "a stablecoin over another's",
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
proveRow(QuoteRules, "SOURCE_ACTIVE", [
  ["an internal account", validFacts, "holds"],
  ["an external one", from({ _tag: "External", account: external, isPullable: true }), "holds"],
  ["a payer", from({ _tag: "Payer", instructions: [] }), "holds"],
  ["a frozen one", from({ _tag: "Internal", account: frozen }), frozenAs("SOURCE")],
  ["an inactive one", from({ _tag: "External", account: inactive, isPullable: true }), inactiveAs("SOURCE")],
])

const into = (destination: NonNullable<Facts["destination"]>): Facts => ({ ...validFacts, destination })
proveRow(QuoteRules, "DESTINATION_ACTIVE", [
  ["an external account", validFacts, "holds"],
  ["an internal one", into({ _tag: "Internal", account }), "holds"],
  ["an address", into({ _tag: "Uma" }), "holds"],
  ["a frozen one", into({ _tag: "Internal", account: frozen }), frozenAs("DESTINATION")],
  ["an inactive one", into({ _tag: "External", account: inactive }), inactiveAs("DESTINATION")],
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
  ["none named", validFacts, "holds"],
  ["one of the destination's", byRail("FASTER_PAYMENTS"), "holds"],
  ["an address has none", requestFacts({ destination: address }), "holds"],
  ["one of other accounts", byRail("PIX"), rails("FASTER_PAYMENTS")],
  ["any to an internal account", { ...byRail("PIX"), destination: { _tag: "Internal", account } }, rails()],
  ["with an unknown destination", { ...byRail("PIX"), destination: undefined }, "holds"],
])

proveRow(QuoteRules, "PAYER_INFORMATION", [
  ["nothing is missing", validFacts, "holds"],
  [
    "two things are",
    { ...validFacts, missingPayerFields: ["FULL_NAME", "BIRTH_DATE"] },
    { answer: { message: "The receiver must be told FULL_NAME, BIRTH_DATE of who pays." } },
  ],
])

const unknownSent: Facts = { ...validFacts, sendingCurrency: undefined }
const unknownReceived: Facts = { ...validFacts, receivingCurrency: undefined }
const disabled = {
  ...platform,
  supportedCurrencies: platform.supportedCurrencies.map((one) => ({ ...one, enabledTransactionTypes: [] })),
}
proveRow(QuoteRules, "CURRENCY_ENABLED", [
  ["one that is", validFacts, "holds"],
  ["one that is not configured", { ...validFacts, platform: disabled, sendingCurrency: "EUR" }, "holds"],
  ["while nobody knows it", { ...unknownSent, platform: disabled }, "holds"],
  [
    "one that is not",
    { ...validFacts, platform: disabled },
    { answer: { message: "The platform does not send USD." } },
  ],
])

proveRow(QuoteRules, "RATE_KNOWN", [
  ["a rate", validFacts, "holds"],
  ["with an unknown sending currency", { ...unknownSent, rate: undefined }, "holds"],
  ["while nobody knows what is received", { ...unknownReceived, rate: undefined }, "holds"],
  ["no rate", { ...validFacts, rate: undefined }, { answer: { details: { reason: "RATE_UNAVAILABLE" } } }],
])

const tooMuch = { sending: 10_000_000_001, receiving: 10_000_000_001, fees }
const twoCurrencies = { ...uma, currencies: [{ code: "USD", minAmount: 1, maxAmount: 1 } as const, ...uma.currencies] }
proveRow(QuoteRules, "WITHIN_LIMITS", [
  ["no price", { ...validFacts, price: undefined }, "holds"],
  ["no price that could be made", { ...validFacts, price: "AMOUNT_TOO_SMALL" }, "holds"],
  ["with an unknown sending currency", { ...unknownSent, price: tooMuch }, "holds"],
  ["while nobody knows what is received", { ...unknownReceived, price: tooMuch }, "holds"],
  [
    "more than the address takes of this currency, whatever it takes of another",
    { ...validFacts, receiver: twoCurrencies, price: { sending: 10, receiving: 501, fees } },
    { answer: { details: { side: "receiving", currency: "GBP", minAmount: 5, maxAmount: 500 } } },
  ],
  [
    "more than may be sent",
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
  ["a frozen one", { ...executable, source: frozen }, frozenAs("SOURCE")],
  [
    "a deleted one",
    { ...executable, source: { ...external, isDeleted: true } },
    { answer: { code: "INVALID_BANK_ACCOUNT", details: { reason: "SOURCE_DELETED" } } },
  ],
  ["an inactive one", { ...executable, source: inactive }, inactiveAs("SOURCE")],
])

proveRow(QuoteExecutionRules, "DESTINATION_ACTIVE", [
  ["an external account", executable, "holds"],
  ["an address", { ...executable, destination: undefined }, "holds"],
  ["a frozen one", { ...executable, destination: frozen }, frozenAs("DESTINATION")],
  [
    "a deleted one",
    { ...executable, destination: { ...external, isDeleted: true } },
    { answer: { code: "INVALID_BANK_ACCOUNT", details: { reason: "DESTINATION_DELETED" } } },
  ],
  ["an inactive one", { ...executable, destination: inactive }, inactiveAs("DESTINATION")],
])
