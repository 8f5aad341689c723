/** Rules of issuing and updating a card: precedence, and each row on both sides of its boundary. Wire contract 3.1 to 3.3. */

import type { InternalAccount } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import type * as CardRecord from "../../../packages/core/src/model/card/Card.ts"
import * as Rules from "../../../packages/core/src/model/card/CardRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"
import { ada as cardholder } from "../customer/SampleCustomer.ts"

const account: InternalAccount = { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD" }
const source: Rules.FundingSourceFacts = { accountId: "one", account, isOwnedByCardholder: true, isAdmitted: true }
const other: Rules.FundingSourceFacts = { ...source, accountId: "two" }
const eligibleCurrencies = ["USD", "USDB"] as const

const issue: Rules.CardIssueFacts = {
  hasPassword: false,
  takesPassword: false,
  cardholder,
  sources: [source],
  eligibleCurrencies,
  isTaken: false,
}

const cardIssueRulesBroken: Rules.CardIssueFacts = {
  hasPassword: true,
  takesPassword: false,
  cardholder: undefined,
  sources: [
    { ...source, account: undefined },
    { ...source, account: undefined },
  ],
  eligibleCurrencies,
  isTaken: true,
}

provePrecedence(Rules.CardIssueRules, {
  broken: cardIssueRulesBroken,
  masked: { CARDHOLDER_APPROVED: "needs the cardholder, whom an earlier row misses" },
  steps: [
    [
      "PASSWORD_SUPPORTED",
      { takesPassword: true },
      { code: "INVALID_INPUT", details: { errors: [{ field: "threeDSecurePassword" }] } },
    ],
    [
      "SOURCES_DISTINCT",
      { sources: [{ ...source, account: undefined }] },
      { code: "INVALID_INPUT", details: { errors: [{ field: "fundingSources.1" }] } },
    ],
    [
      "CARDHOLDER_EXISTS",
      { cardholder: { ...cardholder, checkStatus: "PENDING" } },
      { code: "USER_NOT_FOUND", message: "No such customer." },
    ],
    ["CARDHOLDER_APPROVED", { cardholder }, { code: "CARDHOLDER_KYC_NOT_APPROVED", details: { kycStatus: "PENDING" } }],
    [
      "SOURCES_ELIGIBLE",
      { sources: [source] },
      { code: "FUNDING_SOURCE_INELIGIBLE", details: { fundingSources: [{ accountId: "one", reason: "UNKNOWN" }] } },
    ],
    ["PLATFORM_CARD_ID_FREE", { isTaken: false }, { code: "CONFLICT" }],
  ],
})

const withSources = (...sources: ReadonlyArray<Rules.FundingSourceFacts>) => ({ ...issue, sources })
const reason = (...reasons: ReadonlyArray<string>) => ({
  answer: { details: { fundingSources: reasons.map((each) => ({ reason: each })) } },
})

proveRow(Rules.CardIssueRules, "PASSWORD_SUPPORTED", [
  ["no password", issue, "holds"],
  ["a password to an issuer that takes passwords", { ...issue, hasPassword: true, takesPassword: true }, "holds"],
  ["a password to an issuer that takes none", { ...issue, hasPassword: true }, "fails"],
])
proveRow(Rules.CardIssueRules, "SOURCES_DISTINCT", [
  ["two accounts", withSources(source, other), "holds"],
  [
    "the same account twice",
    withSources(source, other, other),
    { answer: { details: { errors: [{ field: "fundingSources.2" }] } } },
  ],
])
proveRow(Rules.CardIssueRules, "CARDHOLDER_APPROVED", [
  ["an approved person", issue, "holds"],
  ["a person on hold", { ...issue, cardholder: { ...cardholder, checkStatus: "HOLD" } }, "fails"],
  [
    "an approved business, which has no kycStatus",
    { ...issue, cardholder: { ...cardholder, customerType: "BUSINESS" } },
    { answer: { details: { customerType: "BUSINESS" } } },
  ],
])
// Proves: EP-CARD-09, EP-CARD-10, EP-CARD-11
proveRow(Rules.CardIssueRules, "SOURCES_ELIGIBLE", [
  ["one account", issue, "holds"],
  ["two accounts of one currency", withSources(source, other), "holds"],
  ["another customer's account", withSources({ ...source, isOwnedByCardholder: false }), reason("NOT_OF_CARDHOLDER")],
  ["a frozen account", withSources({ ...source, account: { ...account, status: "FROZEN" } }), reason("NOT_ACTIVE")],
  [
    "a currency without cards",
    withSources({ ...source, account: { ...account, currency: "EUR" } }),
    reason("CURRENCY_NOT_ELIGIBLE"),
  ],
  [
    "two currencies",
    withSources(source, { ...other, account: { ...account, currency: "USDB" } }),
    reason("CURRENCY_DIFFERS"),
  ],
  [
    "two unknown accounts",
    withSources({ ...source, account: undefined }, { ...other, account: undefined }),
    reason("UNKNOWN", "UNKNOWN"),
  ],
  [
    "an unknown account before an eligible one",
    withSources({ ...source, account: undefined }, other),
    {
      answer: {
        details: {
          fundingSources: [{ accountId: "one", reason: "UNKNOWN" }],
          errors: [{ field: "fundingSources.0", message: "cannot fund the card: UNKNOWN" }],
        },
      },
    },
  ],
  ["an account that the issuer refuses", withSources({ ...source, isAdmitted: false }), reason("ISSUER_REFUSES")],
])

const card: CardRecord.Card = {
  platformCardId: "card-1",
  form: "VIRTUAL",
  state: "ACTIVE",
  fundingSources: [{ id: "binding", accountId: "one" }],
  maxSpendPerTransaction: null,
  currency: "USD",
}
const update: Rules.CardUpdateFacts = { card, request: { state: "FROZEN" }, sources: [], eligibleCurrencies }
const closed: CardRecord.Card = { ...card, state: "CLOSED" }

const cardUpdateRulesBroken: Rules.CardUpdateFacts = {
  card: undefined,
  request: { state: "CLOSED" },
  sources: [
    { ...source, account: undefined },
    { ...source, account: undefined },
  ],
  eligibleCurrencies,
}

provePrecedence(Rules.CardUpdateRules, {
  broken: cardUpdateRulesBroken,
  masked: {
    SOURCES_ELIGIBLE: "needs the card, which an earlier row misses",
    NOT_CLOSED_TWICE: "needs the card, which an earlier row misses",
    MUTABLE: "needs the card, which an earlier row misses",
    ARROW_EXISTS: "needs the card, which an earlier row misses",
  },
  steps: [
    ["SOURCES_DISTINCT", { sources: [{ ...source, account: undefined }] }, { code: "INVALID_INPUT" }],
    ["CARD_EXISTS", { card: closed }, { code: "REFERENCE_NOT_FOUND", message: "No such card." }],
    ["SOURCES_ELIGIBLE", { sources: [source] }, { code: "FUNDING_SOURCE_INELIGIBLE" }],
    ["NOT_CLOSED_TWICE", { request: { state: "ACTIVE" } }, { code: "CARD_ALREADY_CLOSED" }],
    ["MUTABLE", { card }, { code: "CARD_NOT_MUTABLE", details: { state: "CLOSED" } }],
    [
      "ARROW_EXISTS",
      { request: { state: "FROZEN" } },
      { code: "INVALID_STATE_TRANSITION", details: { from: "ACTIVE", to: "ACTIVE" } },
    ],
  ],
})

proveRow(Rules.CardUpdateRules, "SOURCES_ELIGIBLE", [
  ["no replacement", update, "holds"],
  ["the card's currency", { ...update, sources: [source] }, "holds"],
  [
    "an eligible currency that differs from the card's",
    { ...update, sources: [{ ...source, account: { ...account, currency: "USDB" } }] },
    reason("CURRENCY_DIFFERS"),
  ],
])

// Proves: STATE-CARD-14
describe("card update by state", () => {
  const answers: { readonly [state: string]: { readonly [request: string]: string | undefined } } = {
    PROCESSING: {
      ACTIVE: "INVALID_STATE_TRANSITION",
      FROZEN: "INVALID_STATE_TRANSITION",
      CLOSED: "INVALID_STATE_TRANSITION",
      limit: undefined,
    },
    ACTIVE: { ACTIVE: "INVALID_STATE_TRANSITION", FROZEN: undefined, CLOSED: undefined, limit: undefined },
    FROZEN: { ACTIVE: undefined, FROZEN: "INVALID_STATE_TRANSITION", CLOSED: undefined, limit: undefined },
    CLOSED: {
      ACTIVE: "CARD_NOT_MUTABLE",
      FROZEN: "CARD_NOT_MUTABLE",
      CLOSED: "CARD_ALREADY_CLOSED",
      limit: "CARD_NOT_MUTABLE",
    },
  }
  const states = ["PROCESSING", "ACTIVE", "FROZEN", "CLOSED"] as const
  const requests = ["ACTIVE", "FROZEN", "CLOSED", "limit"] as const
  it.each(states.flatMap((state) => requests.map((request) => [state, request] as const)))(
    "permits or refuses: card %s, request %s",
    (state, requested) => {
      const request = requested === "limit" ? { maxSpendPerTransaction: 5 } : { state: requested }
      const refused = Rules.CardUpdateRules.first({ ...update, card: { ...card, state }, request })
      expect(refused?.refusal.code).toBe(answers[state]?.[requested])
    },
  )
})
