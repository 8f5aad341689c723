/** The rules of quotes: their precedence, and each row on both sides of its boundary. */

import type { InternalAccount, QuoteRequest } from "@countersign/core/models"
import { QuoteExecutionRules } from "../../../packages/core/src/model/quote/QuoteExecutionRules.ts"
import { QuoteRules } from "../../../packages/core/src/model/quote/QuoteRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"
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
  request,
  requestFacts,
  uma,
  validFacts,
} from "./QuoteFacts.ts"

const again =
  (more: Partial<QuoteRequest>) =>
  (facts: Facts): Facts => ({ ...facts, request: { ...facts.request, ...more } })
const wallet: InternalAccount = { type: "EMBEDDED_WALLET", status: "ACTIVE", currency: "USDB" }
const { businessInfo: _, ...unregistered } = customer
const disabled = {
  ...platform,
  isRegulatedFinancialInstitution: false,
  supportedCurrencies: platform.supportedCurrencies.map((one) => ({ ...one, enabledTransactionTypes: [] })),
}

provePrecedence(QuoteRules, {
  broken: {
    request: {
      ...request,
      source: { sourceType: "ACCOUNT", accountId: "InternalAccount:a" },
      destination: { destinationType: "UMA_ADDRESS", umaAddress: "$a@b", currency: "MXN" },
      lockedCurrencyAmount: 0,
      immediatelyExecute: true,
      scaFactor: "TOTP",
      platformFeeOverride: { ...override, platformFixedFee: { amount: 1, currency: "EUR" } },
    },
    isCustomerKnown: false,
    receiver: { _tag: "Refused", refusal: { code: "UMA_NOT_FOUND", message: "nobody" } },
    isLookupKnown: false,
    missingPayerFields: ["FULL_NAME"],
    isSelfPayment: true,
    source: undefined,
    destination: undefined,
    isOwnersAccount: false,
    customer: { ...unregistered, checkStatus: "PENDING" },
    platform: disabled,
    sendingCurrency: "USD",
    receivingCurrency: "GBP",
    rate: undefined,
    price: "AMOUNT_TOO_SMALL",
  },
  masked: {
    AMOUNT_EXACT: "an amount is too small or too large",
    RECEIVING_CURRENCY: "needs the receiver, which an earlier row misses",
    DESTINATION_EXISTS: "an address is no account",
    CRYPTO_NETWORK: "a payer's money is no account's",
    PAYER_CAN_SEND: "a payer's money is no account's",
    SOURCE_ACTIVE: "needs the source, which an earlier row misses",
    DESTINATION_ACTIVE: "needs the destination, which an earlier row misses",
    RAIL_SUPPORTED: "needs the destination, which an earlier row misses",
    SENDER_INFORMATION: "needs the destination, which an earlier row misses",
    WITHIN_LIMITS: "without a price there is no amount",
  },
  steps: [
    ["AMOUNT_POSITIVE", again({ lockedCurrencyAmount: 9_000_000_000_000_001 }), { code: "INVALID_AMOUNT" }],
    ["AMOUNT_EXACT", again({ lockedCurrencyAmount: 1 }), { code: "AMOUNT_OUT_OF_RANGE" }],
    ["SCA_FACTOR", again({ scaFactor: "PASSKEY" }), { details: { errors: [{ field: "scaFactor" }] } }],
    [
      "FEE_OVERRIDE",
      again({ platformFeeOverride: override }),
      { details: { errors: [{ field: "platformFeeOverride" }] } },
    ],
    ["CUSTOMER_EXISTS", { isCustomerKnown: true }, { details: { errors: [{ field: "source.customerId" }] } }],
    [
      "SOURCE_EXISTS",
      { source: { _tag: "Internal", account: wallet } },
      { code: "REFERENCE_NOT_FOUND", message: "No such source account." },
    ],
    ["LOOKUP_GIVEN", again({ lookupId: "Lookup:a" }), { details: { errors: [{ field: "lookupId" }] } }],
    ["RECEIVER_FOUND", { receiver: uma }, { code: "UMA_NOT_FOUND" }],
    [
      "LOOKUP_KNOWN",
      { isLookupKnown: true },
      { code: "LOOKUP_REQUEST_NOT_FOUND", message: "No such lookup of this destination." },
    ],
    [
      "RECEIVING_CURRENCY",
      again({ destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:b", paymentRail: "PIX" } }),
      { code: "INVALID_CURRENCY", details: { supportedCurrencies: ["GBP"] } },
    ],
    [
      "DESTINATION_EXISTS",
      { destination: { _tag: "External", account: { ...external, status: "INACTIVE" } } },
      { code: "REFERENCE_NOT_FOUND", message: "No such destination account." },
    ],
    ["NOT_TO_ITSELF", { isSelfPayment: false }, { code: "SELF_PAYMENT" }],
    ["SAME_OWNER", { isOwnersAccount: true }, { details: { reason: "ACCOUNTS_OF_DIFFERENT_CUSTOMERS" } }],
    ["CUSTOMER_READY", { customer: unregistered }, { code: "USER_NOT_READY", details: { status: "PENDING" } }],
    [
      "TERMS_ACCEPTED",
      (facts) => ({ ...facts, platform: { ...facts.platform, isRegulatedFinancialInstitution: true } }),
      { code: "END_USER_TERMS_NOT_ACCEPTED" },
    ],
    [
      "IMMEDIATELY_EXECUTABLE",
      (facts): Facts => ({
        ...facts,
        request: {
          ...facts.request,
          immediatelyExecute: false,
          source: { sourceType: "REALTIME_FUNDING", currency: "USDC" },
        },
        source: { _tag: "Payer", instructions: [] },
      }),
      { code: "INVALID_INPUT" },
    ],
    [
      "CRYPTO_NETWORK",
      again({ source: { sourceType: "REALTIME_FUNDING", currency: "USDC", cryptoNetwork: "BASE" } }),
      { details: { errors: [{ field: "source.cryptoNetwork" }] } },
    ],
    [
      "PAYER_CAN_SEND",
      (facts): Facts => ({
        ...facts,
        request: { ...facts.request, source: request.source },
        source: { _tag: "Internal", account: { ...account, status: "FROZEN" } },
      }),
      { code: "NOT_IMPLEMENTED", details: { reason: "NO_FUNDING_INSTRUCTIONS" } },
    ],
    ["SOURCE_ACTIVE", { source: { _tag: "Internal", account } }, { details: { reason: "SOURCE_NOT_ACTIVE" } }],
    ["DESTINATION_ACTIVE", { destination: { _tag: "External", account: external } }, { code: "INVALID_BANK_ACCOUNT" }],
    ["RAIL_SUPPORTED", again({ destination: request.destination }), { code: "INVALID_INPUT" }],
    [
      "SENDER_INFORMATION",
      { customer },
      {
        code: "MISSING_MANDATORY_USER_INFO",
        details: { errors: [{ field: "customer.businessInfo.registrationNumber", message: "is required" }] },
      },
    ],
    [
      "PAYER_INFORMATION",
      { missingPayerFields: [] },
      { code: "MISSING_MANDATORY_USER_INFO", details: { errors: [{ field: "senderCustomerInfo.FULL_NAME" }] } },
    ],
    ["CURRENCY_ENABLED", { platform }, { code: "INVALID_CURRENCY" }],
    [
      "RATE_KNOWN",
      { rate: { from: "USD", to: "GBP", numerator: 1n, denominator: 1n } },
      { code: "QUOTE_REQUEST_FAILED", details: { reason: "RATE_UNAVAILABLE" } },
    ],
    ["PRICEABLE", { price: { sending: 9, receiving: 9, fees } }, { code: "AMOUNT_OUT_OF_RANGE" }],
    [
      "WITHIN_LIMITS",
      { price: { sending: 10, receiving: 9, fees } },
      { code: "AMOUNT_OUT_OF_RANGE", details: { side: "sending" } },
    ],
  ],
})

proveRow(QuoteRules, "CRYPTO_NETWORK", [
  ["a bank currency without a network", payer({ ...funding, currency: "USD" }), "holds"],
  ["bitcoin without a network", payer({ ...funding, currency: "BTC" }), "holds"],
  ["bitcoin over its own network", payer({ ...funding, currency: "BTC", cryptoNetwork: "LIGHTNING" }), "holds"],
  ["a stablecoin without a network", payer({ ...funding, currency: "USDC" }), "fails"],
  ["a stablecoin over one of its networks", payer({ ...funding, currency: "USDT", cryptoNetwork: "TRON" }), "holds"],
  [
    "a stablecoin over a network of another one",
    payer({ ...funding, currency: "USDC", cryptoNetwork: "TRON" }),
    "fails",
  ],
  ["a bank currency over a network", payer({ ...funding, currency: "USD", cryptoNetwork: "BASE" }), "fails"],
])

const pulled = { _tag: "External", account: external, isPullable: true, instructions: [] } as const

proveRow(QuoteRules, "PAYER_CAN_SEND", [
  ["payment instructions exist", payer({ ...funding, currency: "USD" }), "holds"],
  [
    "no payment instructions exist",
    { ...payer({ ...funding, currency: "USD" }), source: { _tag: "Payer", instructions: [] } },
    { answer: { code: "NOT_IMPLEMENTED", details: { reason: "NO_FUNDING_INSTRUCTIONS" } } },
  ],
  ["from an account that is pulled, without instructions", { ...validFacts, source: pulled }, "holds"],
  [
    "from an account whose payer sends the money, without instructions",
    { ...validFacts, source: { ...pulled, isPullable: false } },
    { answer: { code: "NOT_IMPLEMENTED", details: { reason: "NO_FUNDING_INSTRUCTIONS" } } },
  ],
])

proveRow(QuoteRules, "IMMEDIATELY_EXECUTABLE", [
  ["an internal account", requestFacts({ immediatelyExecute: true }), "holds"],
  [
    "a pullable account",
    {
      ...requestFacts({ immediatelyExecute: true }),
      source: pulled,
    },
    "holds",
  ],
  [
    "an account that cannot be pulled",
    {
      ...requestFacts({ immediatelyExecute: true }),
      source: { ...pulled, isPullable: false },
    },
    "fails",
  ],
  ["a payer", { ...requestFacts({ immediatelyExecute: true }), source: { _tag: "Payer", instructions: [] } }, "fails"],
])

proveRow(QuoteRules, "FEE_OVERRIDE", [
  ["from dollars", requestFacts({ platformFeeOverride: override }), "holds"],
  ["from another currency", { ...requestFacts({ platformFeeOverride: override }), sendingCurrency: "EUR" }, "fails"],
])

proveRow(QuoteRules, "WITHIN_LIMITS", [
  ["the minimum", { ...validFacts, price: { sending: 10, receiving: 1, fees } }, "holds"],
  ["the maximum", { ...validFacts, price: { sending: 1000, receiving: 10_000_000_000, fees } }, "holds"],
  [
    "one unit above the maximum",
    { ...validFacts, price: { sending: 1001, receiving: 1, fees } },
    { answer: { details: { side: "sending" } } },
  ],
  [
    "the maximum of the address",
    { ...validFacts, receiver: uma, price: { sending: 10, receiving: 500, fees } },
    "holds",
  ],
  [
    "one unit below the minimum of the address",
    { ...validFacts, receiver: uma, price: { sending: 10, receiving: 4, fees } },
    { answer: { details: { side: "receiving", minAmount: 5, maxAmount: 500 } } },
  ],
  [
    "above the platform's maximum, whatever the address receives",
    {
      ...validFacts,
      receiver: { ...uma, currencies: [{ code: "GBP", minAmount: 5, maxAmount: 20_000_000_000 }] },
      price: { sending: 10, receiving: 10_000_000_001, fees },
    },
    { answer: { details: { side: "receiving", maxAmount: 10_000_000_000 } } },
  ],
  [
    "above the default maximum of a currency without a configuration",
    { ...validFacts, price: { sending: 10, receiving: 10_000_000_001, fees } },
    { answer: { details: { side: "receiving", maxAmount: 10_000_000_000 } } },
  ],
])

provePrecedence(QuoteExecutionRules, {
  broken: {
    quote: { ...quote, funding: "PUSH", status: "EXPIRED" },
    customer: { ...customer, checkStatus: "HOLD" },
    source: { ...account, status: "FROZEN" },
    destination: { ...external, isDeleted: true },
  },
  steps: [
    ["NOT_SENT_BY_PAYER", { quote: { ...quote, status: "EXPIRED" } }, { details: { reason: "PAYER_SENDS" } }],
    ["CUSTOMER_READY", { customer }, { code: "USER_NOT_READY" }],
    ["STILL_OPEN", { quote }, { code: "CONFLICT", details: { reason: "QUOTE_EXPIRED" } }],
    ["SOURCE_ACTIVE", { source: account }, { code: "INVALID_INPUT" }],
    ["DESTINATION_ACTIVE", { destination: external }, { code: "INVALID_BANK_ACCOUNT" }],
  ],
})

proveRow(QuoteExecutionRules, "STILL_OPEN", [
  ["PENDING", executable, "holds"],
  ...(["PENDING_AUTHORIZATION", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"] as const).map(
    (status) =>
      [
        status,
        { ...executable, quote: { ...quote, status } },
        { answer: { code: "CONFLICT", details: { status } } },
      ] as const,
  ),
])
