/**
 * What the authorization of a purchase or credit writes, which funding source pays it, and what the sandbox audits.
 * Source: wire contract 3.5 and 7.5; D-172, D-262.
 */
import { describe, expect, it } from "vitest"
import {
  type AuthorizationAsked,
  type AuthorizationLoaded,
  type AuthorizationSettings,
  type CardAuthorization,
  decideAuthorization,
} from "../../../packages/core/src/decision/card/CardAuthorizationDecision.ts"
import { internalOf } from "../quote/CreationFacts.ts"
import {
  balance,
  cardholder,
  cardOf,
  changesOf,
  collect,
  contextOf,
  effects,
  event,
  keyOf,
  nothing,
  now,
  one,
  outside,
  pull,
  purchaseOf,
  two,
  writtenTo,
} from "./StoredCards.ts"

const day = 24 * 60 * 60 * 1000
describe("an authorization", () => {
  const order: CardAuthorization = {
    cardId: "Card:1",
    issuerTransactionToken: "token",
    direction: "DEBIT",
    amount: 100,
    currency: "USD",
    merchant: { descriptor: "Shop" },
    isFinancial: false,
  }
  const source = (account = one, available = 100, key?: ReturnType<typeof keyOf>) => ({
    account,
    available: { balance: available, sequence: 6 },
    owed: { balance: 0, sequence: 1 },
    key,
  })
  const loaded = { card: cardOf(), cardholder, sources: [source()], known: undefined, screeningDecline: undefined }
  const decided = (
    more: Partial<CardAuthorization> = {},
    facts: Partial<AuthorizationLoaded & AuthorizationAsked> = {},
    settings: Partial<AuthorizationSettings> = {},
  ) =>
    decideAuthorization({ ...order, ...more }, { needsDelegatedKeys: false, ...settings })(
      { ...loaded, ...facts },
      contextOf(),
    )
  const record = (...of: Parameters<typeof decided>) => writtenTo(changesOf(decided(...of)), "CardTransaction")
  const { messageIds, authorizedAt: _, ...common } = purchaseOf().data
  const expiry = ["card.expire", 7 * day, undefined, { cardTransactionId: "CardTransaction:new1" }]

  it("holds the amount of a purchase for seven days", () => {
    expect(record()).toEqual([{ ...common, messageIds, authorizedAt: now }])
    expect(effects(changesOf(decided()))).toEqual({
      events: [event("AUTHORIZED"), balance],
      postings: ["100 available:1 held:1"],
      jobs: [expiry],
    })
    expect(decided()).toMatchObject({
      status: 200,
      body: { _tag: "Approved", transaction: { id: "CardTransaction:new1", status: "AUTHORIZED" } },
    })
    expect(changesOf(decided()).guards).toEqual([
      { kind: "Card", id: "Card:1", version: 3 },
      { kind: "Customer", id: cardholder.id, version: cardholder.version },
      { kind: "InternalAccount", id: one.id, version: one.version },
    ])
  })

  it("holds nothing for a credit or a question about the balance", () => {
    for (const more of [{ direction: "CREDIT" }, { amount: 0 }] as const) {
      expect(record(more)).toMatchObject([
        { held: 0, ...("direction" in more ? { direction: "CREDIT", authorized: 100 } : { authorized: 0 }) },
      ])
      expect(effects(changesOf(decided(more)))).toEqual({ ...nothing, events: [event("AUTHORIZED")], jobs: [expiry] })
    }
  })

  it("that is financial clears at once, out of its own hold", () => {
    expect(record({ isFinancial: true })).toMatchObject([
      { held: 0, clearings: [100], pulls: [pull(100)], status: "AUTHORIZED" },
    ])
    expect(effects(changesOf(decided({ isFinancial: true })))).toMatchObject({
      postings: ["100 available:1 held:1"],
      jobs: [expiry, collect(0, "CardTransaction:new1")],
    })
    expect(effects(changesOf(decided({ isFinancial: true, direction: "CREDIT" }))).postings).toEqual([
      `100 ${outside} available:1`,
    ])
  })

  it("is paid by the first source that covers it", () => {
    const sources = [source(one, 99), source(two, 100)]
    expect(record({}, { sources })).toMatchObject([{ accountId: two.id }])
    expect(record({ direction: "CREDIT" }, { sources })).toMatchObject([{ accountId: one.id }])
    expect(decided({}, { sources: [source(one, 99)] })).toMatchObject({
      body: { _tag: "Declined", reason: "INSUFFICIENT_FUNDS" },
      changes: {},
    })
  })

  it("out of a wallet needs a key where the issuer needs one", () => {
    const wallet = internalOf("Customer:1", { type: "EMBEDDED_WALLET" }, "InternalAccount:w")
    const needs = { needsDelegatedKeys: true }
    expect(decided({}, { sources: [source(wallet)] }, needs)).toMatchObject({
      body: { reason: "FUNDING_SOURCE_UNAVAILABLE" },
    })
    expect(decided({}, { sources: [source(wallet)] })).toMatchObject({ body: { _tag: "Approved" } })
    expect(decided({}, {}, needs)).toMatchObject({ body: { _tag: "Approved" } })
    const signed = decided({}, { sources: [source(wallet, 100, keyOf())] }, needs)
    expect(changesOf(signed).guards?.map(({ kind }) => kind)).toEqual([
      "Card",
      "Customer",
      "InternalAccount",
      "DelegatedKey",
    ])
  })

  it("is answered again for its token, and refused in another currency", () => {
    const known = purchaseOf({ status: "SETTLED" })
    expect(decided({}, { known })).toMatchObject({
      body: { _tag: "Approved", transaction: { id: "CardTransaction:1", status: "SETTLED" } },
    })
    expect(changesOf(decided({}, { known }))).toEqual({})
    const errors = [{ field: "currency", message: "must be USD", constraint: { enum: ["USD"] } }]
    expect(decided({ currency: "EUR" })).toEqual({
      _tag: "Refuse",
      refusal: { code: "INVALID_CURRENCY", message: "This card is authorized in USD.", details: { errors } },
      changes: {},
    })
    expect(decided({}, { screeningDecline: "SUSPECTED_FRAUD" })).toMatchObject({
      body: { _tag: "Declined", reason: "SUSPECTED_FRAUD" },
    })
  })

  it("is audited with its outcome where the sandbox simulates it", () => {
    const audit = { message: "Authorization" }
    const audited = (...[more, facts]: Parameters<typeof decided>) =>
      writtenTo(changesOf(decided(more, facts, { audit })), "AuditRecord")
    const entry = { operation: "SANDBOX_CARD_MESSAGE", target: "Card:1" }
    expect(audited()).toMatchObject([
      { ...entry, outcome: "DONE", details: { ...audit, cardTransactionId: "CardTransaction:new1" } },
    ])
    expect(audited({}, { screeningDecline: "SUSPECTED_FRAUD" })).toMatchObject([
      { ...entry, outcome: "REFUSED", details: { ...audit, declineReason: "SUSPECTED_FRAUD" } },
    ])
    expect([audited({ currency: "EUR" }), writtenTo(changesOf(decided()), "AuditRecord")]).toEqual([[], []])
  })
})
