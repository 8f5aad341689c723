/** The rules of delegating a funding source to a key. Source: wire contract 3.5. */
import { describe, expect, it } from "vitest"
import * as DelegationRules from "../../../packages/core/src/model/card/DelegationRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

const owner = { platformId: "p", customerId: "c", version: 1, createdAt: 0, updatedAt: 0 }
const account: DelegationRules.DelegationFacts["account"] = {
  ...owner,
  kind: "InternalAccount",
  id: "wallet",
  data: { type: "EMBEDDED_WALLET", status: "ACTIVE", currency: "USDB" },
}
const card: NonNullable<DelegationRules.DelegationFacts["card"]> = {
  ...owner,
  kind: "Card",
  id: "card",
  data: {
    platformCardId: "card-1",
    form: "VIRTUAL",
    state: "ACTIVE",
    fundingSources: [{ id: "binding", accountId: "wallet" }],
    maxSpendPerTransaction: null,
    currency: "USDB",
  },
}
const elsewhere = { ...card, data: { ...card.data, state: "CLOSED" as const, fundingSources: [] } }
const closed = { ...card, data: { ...card.data, state: "CLOSED" as const } }
const fiat = { ...account, data: { ...account.data, type: "INTERNAL_FIAT" as const } }

const delegationRulesBroken: DelegationRules.DelegationFacts = {
  card: undefined,
  account: undefined,
  hasActiveKey: true,
}

provePrecedence(DelegationRules.DelegationRules, {
  broken: delegationRulesBroken,
  masked: {
    ACCOUNT_IS_WALLET: "needs the account, which an earlier row misses",
    ACCOUNT_FUNDS_CARD: "needs both, which earlier rows miss",
    CARD_OPEN: "needs the card, which an earlier row misses",
  },
  steps: [
    ["CARD_EXISTS", { card: elsewhere }, { code: "REFERENCE_NOT_FOUND" }],
    ["ACCOUNT_EXISTS", { account: fiat }, { code: "REFERENCE_NOT_FOUND" }],
    ["ACCOUNT_IS_WALLET", { account }, { code: "INVALID_INPUT" }],
    ["ACCOUNT_FUNDS_CARD", { card: closed }, { code: "INVALID_INPUT" }],
    ["CARD_OPEN", { card }, { code: "CARD_NOT_MUTABLE" }],
    ["KEY_FREE", { hasActiveKey: false }, { code: "CONFLICT" }],
  ],
})
proveRow(DelegationRules.DelegationRules, "CARD_OPEN", [
  ["an active card", { card, account, hasActiveKey: false }, "holds"],
  ["a closed card", { card: closed, account, hasActiveKey: false }, "fails"],
])
proveRow(DelegationRules.DelegationRules, "ACCOUNT_FUNDS_CARD", [
  ["a funding source of the card", { card, account, hasActiveKey: false }, "holds"],
  ["another wallet", { card, account: { ...account, id: "other" }, hasActiveKey: false }, "fails"],
])

describe("a refusal of a delegation", () => {
  const rules = DelegationRules.DelegationRules

  it("names the missing record", () => {
    expect(rules.first({ card: undefined, account, hasActiveKey: false })?.refusal.message).toBe("No such card.")
    expect(rules.first({ card, account: undefined, hasActiveKey: false })?.refusal.message).toBe(
      "No such internal account.",
    )
  })

  it("lists the field of an account that does not fund the card", () => {
    const message = "must be a funding source of the card"
    const other = { ...account, id: "other" }
    expect(rules.first({ card, account: other, hasActiveKey: false })?.refusal).toEqual({
      code: "INVALID_INPUT",
      message: `internalAccountId: ${message}`,
      details: { errors: [{ field: "internalAccountId", message }] },
    })
  })

  it("leaves the binding to rows that have both records", () => {
    const row = rules.rows.find(({ name }) => name === "ACCOUNT_FUNDS_CARD")
    expect(row?.test({ card: undefined, account, hasActiveKey: false })).toBeUndefined()
    expect(row?.test({ card, account: undefined, hasActiveKey: false })).toBeUndefined()
  })
})

it("finds no binding without a card or an account", () => {
  expect(DelegationRules.bindingOf({ card: undefined, account })).toBeUndefined()
  expect(DelegationRules.bindingOf({ card, account: undefined })).toBeUndefined()
})
