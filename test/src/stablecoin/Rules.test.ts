/** The rules of provider accounts, registrations, mints and burns: precedence and both sides. Source: wire contract areas 1.6.4, 1.6.7. */
import { ProviderLinkRules, RegistrationRules } from "../../../packages/core/src/model/stablecoin/ProviderLinkRules.ts"
import { StablecoinOperationRules } from "../../../packages/core/src/model/stablecoin/StablecoinOperationRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

type LinkFacts = Parameters<typeof ProviderLinkRules.first>[0]
type RegistrationFacts = Parameters<typeof RegistrationRules.first>[0]
type OperationFacts = Parameters<typeof StablecoinOperationRules.first>[0]

const linkBroken: LinkFacts = { isAccepted: undefined, reachable: [], named: undefined, isLinked: true }
provePrecedence(ProviderLinkRules, {
  broken: linkBroken,
  masked: {
    ACCOUNT_SELECTED: "needs reachable accounts, which an earlier row misses",
    ACCOUNT_REACHABLE: "needs a named account, which an earlier row misses",
  },
  steps: [
    ["PROVIDER_ANSWERS", { isAccepted: false }, { code: "SERVICE_UNAVAILABLE", details: { retryAfterSeconds: 5 } }],
    [
      "CREDENTIALS_ACCEPTED",
      { isAccepted: true, reachable: ["one", "two"] },
      { code: "STABLECOIN_PROVIDER_ACCOUNT_INVALID" },
    ],
    [
      "ACCOUNT_SELECTED",
      { named: "three" },
      { code: "INVALID_INPUT", details: { reason: "PROVIDER_ACCOUNT_ID_REQUIRED" } },
    ],
    [
      "ACCOUNT_REACHABLE",
      { named: "two" },
      { code: "INVALID_INPUT", details: { reason: "PROVIDER_ACCOUNT_NOT_REACHABLE" } },
    ],
    ["NOT_LINKED", { isLinked: false }, { code: "CONFLICT", details: { reason: "PROVIDER_ACCOUNT_LINKED" } }],
  ],
})
const linkSound: LinkFacts = { isAccepted: true, reachable: ["one"], named: undefined, isLinked: false }
proveRow(ProviderLinkRules, "CREDENTIALS_ACCEPTED", [
  ["that reach an account", linkSound, "holds"],
  ["that reach no account", { ...linkSound, reachable: [] }, "fails"],
  ["that are refused", { ...linkSound, isAccepted: false }, "fails"],
])
proveRow(ProviderLinkRules, "ACCOUNT_SELECTED", [
  ["the only one", linkSound, "holds"],
  ["one of several", { ...linkSound, reachable: ["one", "two"] }, "fails"],
  ["a named one of several", { ...linkSound, reachable: ["one", "two"], named: "two" }, "holds"],
])

const invalid = { status: "INVALID" } as const
const active = { status: "ACTIVE" } as const
const registrationBroken: RegistrationFacts = {
  isNamed: false,
  account: undefined,
  areSeveralActive: true,
  answer: "UNAVAILABLE",
  isTaken: true,
}
provePrecedence(RegistrationRules, {
  broken: registrationBroken,
  masked: {
    ACCOUNT_USABLE: "needs the account, which an earlier row misses",
    CREDENTIALS_ACCEPTED: "is another answer than that of an earlier row",
    NOT_WITHDRAWN: "is another answer than that of an earlier row",
    TOKEN_EXISTS: "is another answer than that of an earlier row",
  },
  steps: [
    ["ACCOUNT_EXISTS", { account: invalid }, { code: "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND" }],
    ["ACCOUNT_SELECTED", { isNamed: true }, { code: "STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED" }],
    ["ACCOUNT_USABLE", { account: active }, { code: "STABLECOIN_PROVIDER_ACCOUNT_INVALID" }],
    ["PROVIDER_ANSWERS", { answer: "REFUSED" }, { code: "SERVICE_UNAVAILABLE" }],
    ["CREDENTIALS_ACCEPTED", { answer: "WITHDRAWN" }, { code: "STABLECOIN_PROVIDER_ACCOUNT_INVALID" }],
    ["NOT_WITHDRAWN", { answer: "NOT_FOUND" }, { code: "STABLECOIN_PROVIDER_ACCOUNT_REVOKED" }],
    ["TOKEN_EXISTS", { answer: "DESCRIBED" }, { code: "INVALID_INPUT", details: { reason: "TOKEN_NOT_FOUND" } }],
    ["NOT_REGISTERED", { isTaken: false }, { code: "CONFLICT", details: { reason: "STABLECOIN_REGISTERED" } }],
  ],
})
const registration: RegistrationFacts = {
  isNamed: false,
  account: active,
  areSeveralActive: false,
  answer: "DESCRIBED",
  isTaken: false,
}
proveRow(RegistrationRules, "ACCOUNT_USABLE", [
  ["active", registration, "holds"],
  ["invalid", { ...registration, account: invalid }, { answer: { code: "STABLECOIN_PROVIDER_ACCOUNT_INVALID" } }],
  [
    "revoked",
    { ...registration, account: { status: "REVOKED" } },
    { answer: { code: "STABLECOIN_PROVIDER_ACCOUNT_REVOKED" } },
  ],
])
proveRow(RegistrationRules, "ACCOUNT_SELECTED", [
  ["one of several, by its id", { ...registration, areSeveralActive: true, isNamed: true }, "holds"],
  ["one of several, without its id", { ...registration, areSeveralActive: true }, "fails"],
])

const stablecoin: OperationFacts["stablecoin"] = {
  name: "Acme Dollar",
  symbol: "ACME",
  baseCurrency: "USD",
  network: "SPARK",
  decimals: 6,
  issuanceStatus: "PROVISIONED",
  serviceOperationsStatus: "NOT_ENABLED",
  networkTokenIdentifier: "btkn",
  provider: "BRALE",
  stablecoinProviderAccountId: "a",
  providerEnvironment: "SANDBOX",
  providerTokenIdentifier: "ACME",
  registeredAt: 0,
}
const account = { currency: "USD", status: "ACTIVE", defaultUmaDepositAccount: false, isDeleted: false } as const
const bank = { ...account, accountInfo: { accountType: "USD_ACCOUNT", accountNumber: "1", routingNumber: "2" } }
const wallet = { ...account, currency: "BTC", accountInfo: { accountType: "SPARK_WALLET", address: "s" } } as const
const mint: OperationFacts = {
  operationType: "MINT",
  sourceType: "ACH_DEBIT",
  isDestinationInternal: false,
  cents: 100,
  source: bank,
  destination: wallet,
  rail: undefined,
  stablecoin,
  providerAccount: active,
}
const burn: OperationFacts = {
  ...mint,
  operationType: "BURN",
  sourceType: "EXTERNAL_ACCOUNT",
  source: undefined,
  destination: bank,
  rail: "WIRE",
}
const suspended = { ...bank, status: "INACTIVE" } as const
provePrecedence(StablecoinOperationRules, {
  broken: {
    ...mint,
    sourceType: "PROVIDER_INTERNAL_BALANCE",
    isDestinationInternal: true,
    cents: undefined,
    source: undefined,
    destination: undefined,
    rail: "RTP_CREDIT",
    providerAccount: invalid,
    stablecoin: { ...stablecoin, issuanceStatus: "PROVISIONING" },
  },
  masked: {
    SOURCE_EXISTS: "needs a source that is debited, which an earlier row refuses",
    SOURCE_USABLE: "needs the source, which an earlier row misses",
    DESTINATION_USABLE: "needs the destination, which an earlier row misses",
    RAIL_SUPPORTED: "needs the destination, which an earlier row misses",
  },
  steps: [
    [
      "SOURCE_SUPPORTED",
      { sourceType: "ACH_DEBIT" },
      { code: "INVALID_INPUT", details: { reason: "FUNDING_SOURCE_RESERVED" } },
    ],
    [
      "DESTINATION_SUPPORTED",
      { isDestinationInternal: false },
      { code: "INVALID_INPUT", details: { reason: "DESTINATION_NOT_SUPPORTED" } },
    ],
    ["AMOUNT_VALID", { cents: 100 }, { code: "INVALID_AMOUNT", details: { decimals: 6 } }],
    ["SOURCE_EXISTS", { source: suspended }, { code: "REFERENCE_NOT_FOUND" }],
    ["DESTINATION_EXISTS", { destination: suspended }, { code: "REFERENCE_NOT_FOUND" }],
    ["PROVIDER_ACCOUNT_USABLE", { providerAccount: active }, { code: "STABLECOIN_PROVIDER_ACCOUNT_INVALID" }],
    [
      "SOURCE_USABLE",
      { source: bank },
      { code: "INVALID_BANK_ACCOUNT", details: { reason: "SOURCE_NOT_ACTIVE", status: "INACTIVE" } },
    ],
    [
      "DESTINATION_USABLE",
      { destination: wallet },
      { code: "INVALID_BANK_ACCOUNT", details: { reason: "DESTINATION_NOT_ACTIVE" } },
    ],
    [
      "RAIL_SUPPORTED",
      { rail: undefined },
      { code: "INVALID_BANK_ACCOUNT", details: { reason: "DESTINATION_RAIL_NOT_SUPPORTED" } },
    ],
    [
      "PROVISIONED",
      { stablecoin },
      { code: "CONFLICT", details: { reason: "STABLECOIN_NOT_PROVISIONED", issuanceStatus: "PROVISIONING" } },
    ],
  ],
})
proveRow(StablecoinOperationRules, "SOURCE_SUPPORTED", [
  ["a wire", { ...mint, sourceType: "WIRE" }, "holds"],
  ["a debit", mint, "holds"],
  ["a debit on the same day", { ...mint, sourceType: "SAME_DAY_ACH_DEBIT" }, "holds"],
  ["the provider's balance for a mint", { ...mint, sourceType: "PROVIDER_INTERNAL_BALANCE" }, "fails"],
  ["an internal account for a mint", { ...mint, sourceType: "SERVICE_INTERNAL_ACCOUNT" }, "fails"],
  ["sent tokens for a burn", burn, "holds"],
  ["the provider's balance for a burn", { ...burn, sourceType: "PROVIDER_INTERNAL_BALANCE" }, "holds"],
  ["an internal account for a burn", { ...burn, sourceType: "SERVICE_INTERNAL_ACCOUNT" }, "fails"],
])
proveRow(StablecoinOperationRules, "SOURCE_EXISTS", [
  ["a debit without its account", { ...mint, source: undefined }, "fails"],
  ["a wire, which has no account", { ...mint, sourceType: "WIRE", source: undefined }, "holds"],
])
proveRow(StablecoinOperationRules, "SOURCE_USABLE", [
  ["a bank account in the currency of the token", mint, "holds"],
  ["in another currency", { ...mint, stablecoin: { ...stablecoin, baseCurrency: "EUR" } }, "fails"],
  ["a wallet", { ...mint, source: wallet }, "fails"],
  ["an account that is not active", { ...mint, source: suspended }, "fails"],
])
proveRow(StablecoinOperationRules, "DESTINATION_USABLE", [
  ["a Spark wallet for a mint", mint, "holds"],
  ["a bank account for a mint", { ...mint, destination: bank }, "fails"],
  ["a bank account for a burn", burn, "holds"],
  ["a Spark wallet for a burn", { ...burn, destination: wallet }, "fails"],
  ["a bank account in another currency", { ...burn, stablecoin: { ...stablecoin, baseCurrency: "EUR" } }, "fails"],
  ["an account that is not active", { ...burn, destination: suspended }, "fails"],
])
proveRow(StablecoinOperationRules, "RAIL_SUPPORTED", [
  ["a rail that reaches the account", burn, "holds"],
  ["by ACH", { ...burn, rail: "ACH_CREDIT" }, "holds"],
  ["by ACH on the same day", { ...burn, rail: "SAME_DAY_ACH_CREDIT" }, "holds"],
  ["to an account without rails", { ...burn, destination: wallet }, "fails"],
])
proveRow(StablecoinOperationRules, "PROVIDER_ACCOUNT_USABLE", [
  ["active", mint, "holds"],
  ["revoked", { ...mint, providerAccount: { status: "REVOKED" } }, "fails"],
])
proveRow(StablecoinOperationRules, "PROVISIONED", [
  ["provisioned", mint, "holds"],
  ["failed", { ...mint, stablecoin: { ...stablecoin, issuanceStatus: "FAILED" } }, "fails"],
])
