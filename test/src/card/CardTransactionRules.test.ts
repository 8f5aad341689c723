/** Rules of authorizations, later network messages and reveals: precedence and boundaries. Wire contract 3.3 to 3.5. */

import { MerchantDeclines } from "@countersign/core/sandbox"
import type { Stored } from "@countersign/core/store"
import { expect, it } from "vitest"
import type * as CardRecord from "../../../packages/core/src/model/card/Card.ts"
import * as Authorizing from "../../../packages/core/src/model/card/CardAuthorizationRules.ts"
import { CardMessageRules } from "../../../packages/core/src/model/card/CardMessageRules.ts"
import { type RevealFacts, RevealRules } from "../../../packages/core/src/model/card/CardRevealRules.ts"
import type * as CardTransactionRecord from "../../../packages/core/src/model/card/CardTransaction.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"
import { ada as cardholder } from "../customer/SampleCustomer.ts"

const card: CardRecord.Card = {
  platformCardId: "card-1",
  form: "VIRTUAL",
  state: "ACTIVE",
  fundingSources: [{ id: "binding", accountId: "one" }],
  maxSpendPerTransaction: 100,
  currency: "USD",
}
const source: Authorizing.FundingSource = {
  account: { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD" },
  available: 100,
  isDrawable: true,
}
const sound: Authorizing.AuthorizationFacts = {
  card,
  cardholder,
  now: Date.UTC(2029, 0, 1),
  direction: "DEBIT",
  amount: 100,
  sources: [source],
  screeningDecline: undefined,
}

provePrecedence(Authorizing.CardAuthorizationRules, {
  broken: {
    card: { ...card, state: "FROZEN", expMonth: 12, expYear: 2028 },
    cardholder: { ...cardholder, checkStatus: "HOLD" },
    now: Date.UTC(2029, 0, 1),
    direction: "DEBIT",
    amount: 101,
    sources: [{ ...source, isDrawable: false }],
    screeningDecline: "SUSPECTED_FRAUD",
  },
  steps: [
    ["CARD_ACTIVE", { card: { ...card, expMonth: 12, expYear: 2028 } }],
    ["CARD_NOT_EXPIRED", { card }],
    ["CARDHOLDER_APPROVED", { cardholder }],
    ["WITHIN_LIMIT", { card: { ...card, maxSpendPerTransaction: 101 } }],
    ["SCREENED", { screeningDecline: undefined }],
    ["SOURCE_USABLE", { sources: [source] }],
    ["COVERED", { sources: [{ ...source, available: 101 }] }],
  ],
})

const declines = (patch: Partial<Authorizing.AuthorizationFacts>) =>
  Authorizing.CardAuthorizationRules.first({ ...sound, ...patch })?.refusal

it.each<[string, Partial<Authorizing.AuthorizationFacts>, Authorizing.DeclineReason | undefined]>([
  ["exactly the limit and the balance", {}, undefined],
  ["one unit above the limit", { amount: 101 }, "SPEND_LIMIT_EXCEEDED"],
  ["no limit", { card: { ...card, maxSpendPerTransaction: null }, amount: 101 }, "INSUFFICIENT_FUNDS"],
  ["a frozen card", { card: { ...card, state: "FROZEN" } }, "CARD_PAUSED"],
  ["a closed card", { card: { ...card, state: "CLOSED" } }, "CARD_CLOSED"],
  ["a card in PROCESSING", { card: { ...card, state: "PROCESSING" } }, "CARD_NOT_ACTIVE"],
  ["a card whose last month is over", { card: { ...card, expMonth: 12, expYear: 2028 } }, "CARD_EXPIRED"],
  [
    "a card in the last millisecond of its last month",
    { card: { ...card, expMonth: 12, expYear: 2028 }, now: Date.UTC(2029, 0, 1) - 1 },
    undefined,
  ],
  ["a card in its last month", { card: { ...card, expMonth: 1, expYear: 2029 } }, undefined],
  [
    "a credit to an expired card",
    { direction: "CREDIT", card: { ...card, expMonth: 1, expYear: 2028 } },
    "CARD_EXPIRED",
  ],
  ["a cardholder on hold", { cardholder: { ...cardholder, checkStatus: "HOLD" } }, "CARDHOLDER_NOT_APPROVED"],
  [
    "half of the amount in each of two sources",
    { sources: [50, 50].map((available) => ({ ...source, available })) },
    "INSUFFICIENT_FUNDS",
  ],
  ["a frozen first source and a sufficient second", { sources: [{ ...source, isDrawable: false }, source] }, undefined],
  [
    "an insufficient first source and a sufficient second",
    { sources: [{ ...source, available: 1 }, source] },
    undefined,
  ],
  [
    "a frozen source",
    { sources: [{ ...source, account: { ...source.account, status: "FROZEN" } }] },
    "FUNDING_SOURCE_UNAVAILABLE",
  ],
  ["a wallet without a key", { sources: [{ ...source, isDrawable: false }] }, "FUNDING_SOURCE_UNAVAILABLE"],
  ["a credit beyond limit and balance", { direction: "CREDIT", amount: 5000 }, undefined],
  ["a credit to a frozen card", { direction: "CREDIT", card: { ...card, state: "FROZEN" } }, "CARD_PAUSED"],
  ["a purchase that the issuer declines", { screeningDecline: "SUSPECTED_FRAUD" }, "SUSPECTED_FRAUD"],
])("approves or declines: %s", (_what, patch, reason) => {
  expect(declines(patch)).toBe(reason)
})

it("describes every decline reason", () => {
  expect(Authorizing.DeclineReasons.entries.filter(([, text]) => text.trim() === "")).toEqual([])
})

it("lists every decline reason of the sandbox's merchants", () => {
  expect(MerchantDeclines.entries.filter(([, reason]) => !Authorizing.DeclineReasons.has(reason))).toEqual([])
})

const settled: CardTransactionRecord.CardTransaction = {
  cardId: "card",
  platformCustomerId: "ada",
  issuerTransactionToken: "txn",
  status: "SETTLED",
  direction: "DEBIT",
  merchant: { descriptor: "Shop" },
  currency: "USD",
  accountId: "one",
  authorized: 100,
  held: 0,
  isExpired: false,
  clearings: [100],
  pulls: [{ amount: 100, status: "DONE", requestedAt: 0 }],
  refunds: [],
  messageIds: [],
  authorizedAt: 0,
}
const open = { ...settled, status: "AUTHORIZED" as const, clearings: [], pulls: [], held: 100 }
const refunded = { ...settled, status: "REFUNDED" as const, refunds: [100] }
const failed = { ...settled, status: "EXCEPTION" as const, isExpired: true }
const clearing = (amount: number) => ({ _tag: "Clearing" as const, amount })
const giveBack = (amount: number) => ({ _tag: "Return" as const, amount })

proveRow(CardMessageRules, "ADVICE_OF_OPEN", [
  ["an advice on an open transaction", { transaction: open, message: { _tag: "Advice", amount: 5 } }, "holds"],
  ["an advice on a settled transaction", { transaction: settled, message: { _tag: "Advice", amount: 5 } }, "fails"],
])
proveRow(CardMessageRules, "CLEARABLE", [
  ["an open transaction", { transaction: open, message: clearing(1) }, "holds"],
  ["a settled transaction, late", { transaction: settled, message: clearing(1) }, "holds"],
  ["a refunded transaction", { transaction: refunded, message: clearing(1) }, "fails"],
  ["a failed transaction", { transaction: failed, message: clearing(1) }, "fails"],
])
proveRow(CardMessageRules, "EXPIRY_OF_OPEN", [
  ["an open transaction", { transaction: open, message: clearing(0) }, "holds"],
  ["a return of zero on a settled transaction", { transaction: settled, message: giveBack(0) }, "holds"],
  ["a settled transaction", { transaction: settled, message: clearing(0) }, "fails"],
])
proveRow(CardMessageRules, "RETURN_OF_PURCHASE", [
  ["a purchase", { transaction: settled, message: giveBack(1) }, "holds"],
  ["a credit", { transaction: { ...settled, direction: "CREDIT" }, message: giveBack(1) }, "fails"],
])
proveRow(CardMessageRules, "RETURN_OF_SETTLED", [
  ["a settled transaction", { transaction: settled, message: giveBack(1) }, "holds"],
  ["an open transaction", { transaction: open, message: giveBack(1) }, "fails"],
  [
    "a transaction whose late clearing is not pulled yet",
    {
      transaction: { ...settled, pulls: [{ amount: 100, status: "PENDING", requestedAt: 0 }] },
      message: giveBack(1),
    },
    "fails",
  ],
])
proveRow(CardMessageRules, "RETURN_WITHIN_NET", [
  ["the whole amount", { transaction: settled, message: giveBack(100) }, "holds"],
  [
    "one unit above the amount",
    { transaction: settled, message: giveBack(101) },
    { answer: { details: { netSettled: 100 } } },
  ],
  ["the whole remainder", { transaction: { ...settled, refunds: [40] }, message: giveBack(60) }, "holds"],
  ["one unit above the remainder", { transaction: { ...settled, refunds: [40] }, message: giveBack(61) }, "fails"],
])
proveRow(CardMessageRules, "REVERSAL_OF_REFUNDED", [
  ["a refunded transaction", { transaction: refunded, message: { _tag: "ReturnReversal" } }, "holds"],
  ["a settled transaction", { transaction: settled, message: { _tag: "ReturnReversal" } }, "fails"],
])
proveRow(CardMessageRules, "SUMS_EXACT", [
  ["up to the largest exact amount", { transaction: open, message: clearing(Number.MAX_SAFE_INTEGER) }, "holds"],
  [
    "above the largest exact amount",
    { transaction: settled, message: clearing(Number.MAX_SAFE_INTEGER) },
    { answer: { code: "AMOUNT_OUT_OF_RANGE" } },
  ],
])

/** One message of each type. The table below names the row that refuses it, if any. */
const messages = {
  advice: { _tag: "Advice", amount: 5 },
  expiry: clearing(0),
  clearing: clearing(5),
  "clearing of too much": clearing(Number.MAX_SAFE_INTEGER),
  return: giveBack(5),
  "return of too much": giveBack(101),
  reversal: { _tag: "ReturnReversal" },
} as const
const credited = { ...settled, direction: "CREDIT" as const }
const answers: ReadonlyArray<
  readonly [
    string,
    CardTransactionRecord.CardTransaction,
    { readonly [message in keyof typeof messages]: string | null },
  ]
> = [
  [
    "an open transaction",
    open,
    {
      advice: null,
      expiry: null,
      clearing: null,
      "clearing of too much": null,
      return: "RETURN_OF_SETTLED",
      "return of too much": "RETURN_OF_SETTLED",
      reversal: "REVERSAL_OF_REFUNDED",
    },
  ],
  [
    "a settled transaction",
    settled,
    {
      advice: "ADVICE_OF_OPEN",
      expiry: "EXPIRY_OF_OPEN",
      clearing: null,
      "clearing of too much": "SUMS_EXACT",
      return: null,
      "return of too much": "RETURN_WITHIN_NET",
      reversal: "REVERSAL_OF_REFUNDED",
    },
  ],
  [
    "a settled credit",
    credited,
    {
      advice: "ADVICE_OF_OPEN",
      expiry: "EXPIRY_OF_OPEN",
      clearing: null,
      "clearing of too much": "SUMS_EXACT",
      return: "RETURN_OF_PURCHASE",
      "return of too much": "RETURN_OF_PURCHASE",
      reversal: "REVERSAL_OF_REFUNDED",
    },
  ],
  [
    "a refunded transaction",
    refunded,
    {
      advice: "ADVICE_OF_OPEN",
      expiry: "CLEARABLE",
      clearing: "CLEARABLE",
      "clearing of too much": "CLEARABLE",
      return: "RETURN_OF_SETTLED",
      "return of too much": "RETURN_OF_SETTLED",
      reversal: null,
    },
  ],
  [
    "a failed transaction",
    failed,
    {
      advice: "ADVICE_OF_OPEN",
      expiry: "CLEARABLE",
      clearing: "CLEARABLE",
      "clearing of too much": "CLEARABLE",
      return: "RETURN_OF_SETTLED",
      "return of too much": "RETURN_OF_SETTLED",
      reversal: "REVERSAL_OF_REFUNDED",
    },
  ],
]

it.each(answers)("accepts or refuses every message about %s", (_what, transaction, rows) => {
  const refused = Object.entries(messages).map(([name, message]) => [
    name,
    CardMessageRules.first({ transaction, message })?.rule ?? null,
  ])
  expect(Object.fromEntries(refused)).toEqual(rows)
})

const stored = (state: CardRecord.Card["state"]): Stored<"Card"> => ({
  kind: "Card",
  id: "Card:1",
  platformId: "PlatformConfig:1",
  customerId: "Customer:1",
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  data: { ...card, state },
})

const revealRulesBroken: RevealFacts = { card: stored("CLOSED"), tokenId: null }

provePrecedence(RevealRules, {
  broken: revealRulesBroken,
  steps: [
    ["CALLER_ATTRIBUTED", { tokenId: "Token:1" }, { code: "FORBIDDEN" }],
    ["REVEALABLE", { card: stored("FROZEN") }, { code: "CARD_NOT_MUTABLE" }],
  ],
})
proveRow(RevealRules, "REVEALABLE", [
  ["an active card", { card: stored("ACTIVE"), tokenId: "Token:1" }, "holds"],
  ["a frozen card", { card: stored("FROZEN"), tokenId: "Token:1" }, "holds"],
  ["a closed card", { card: stored("CLOSED"), tokenId: "Token:1" }, "fails"],
  ["a card in PROCESSING", { card: stored("PROCESSING"), tokenId: "Token:1" }, "fails"],
])
