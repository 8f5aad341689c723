/**
 * What each authorization, message, pull and expiry writes: postings, events, jobs and the record.
 * Source: wire contract 3.5 and 7.5; D-172 to D-176, D-262.
 */
import { describe, expect, it } from "vitest"
import {
  type CardTransactionLoaded,
  decideExpiry,
  decideMessage,
  decidePull,
} from "../../../packages/core/src/decision/card/CardTransactionDecision.ts"
import type { CardMessage } from "../../../packages/core/src/model/card/CardMessageRules.ts"
import type { CardTransaction } from "../../../packages/core/src/model/card/CardTransaction.ts"
import { toCardTransaction } from "../../../packages/core/src/model/card/CardTransactionResource.ts"
import { internalOf } from "../quote/CreationFacts.ts"
import {
  balance,
  beyondRange,
  cardOf,
  changesOf,
  collect,
  contextOf,
  effects,
  event,
  fence,
  nothing,
  now,
  one,
  outside,
  pull,
  purchaseOf,
  writtenTo,
} from "./StoredCards.ts"

const owed = "receivable:Customer:1:USD"
const asserted = [{ account: "available:InternalAccount:1", sequence: 6 }]

const loadedOf = (data: Partial<CardTransaction> = {}, more: Partial<CardTransactionLoaded> = {}) => ({
  card: cardOf(),
  transaction: purchaseOf(data),
  account: one,
  available: { balance: 30, sequence: 6 },
  owed: { balance: 0, sequence: 1 },
  ...more,
})
const said = (message: CardMessage, loaded = loadedOf(), isFull = false) =>
  decideMessage(message, "msg", undefined)(loaded, contextOf({ rejections: isFull ? beyondRange : [] }))
const recordOf = (decision: ReturnType<typeof said>) => writtenTo(changesOf(decision), "CardTransaction")[0]
const clearing = (amount: number): CardMessage => ({ _tag: "Clearing", amount })
const advice = (amount: number): CardMessage => ({ _tag: "Advice", amount })
const returned = (amount: number): CardMessage => ({ _tag: "Return", amount })
const touched = { messageIds: ["msg"], lastEventAt: now }

describe("a clearing", () => {
  it("is pulled out of the hold, then out of the available balance, and the rest is owed", () => {
    const within = said(clearing(60))
    expect(recordOf(within)).toEqual({ ...purchaseOf().data, ...touched, held: 40, clearings: [60], pulls: [pull(60)] })
    expect(effects(changesOf(within))).toEqual({ ...nothing, jobs: [collect(0)] })
    const beyond = said(clearing(150), loadedOf({ pulls: [pull(5, "DONE")] }))
    expect(recordOf(beyond)).toMatchObject({ held: 0, pulls: [pull(5, "DONE"), pull(100), pull(30)] })
    expect(effects(changesOf(beyond))).toEqual({
      events: [balance],
      postings: ["30 available:1 held:1", `20 ${owed} ${outside}`],
      jobs: [collect(1), collect(2)],
    })
    expect(changesOf(beyond).assertions).toEqual(asserted)
    const overdrawn = said(clearing(110), loadedOf({}, { available: { balance: -5, sequence: 6 } }))
    expect(effects(changesOf(overdrawn)).postings).toEqual([`10 ${owed} ${outside}`])
    expect(changesOf(said(clearing(130))).assertions).toEqual([])
  })

  it("of a credit is paid at once, or set aside", () => {
    const credit = { direction: "CREDIT", held: 0 } as const
    const paid = said(clearing(100), loadedOf(credit))
    expect(recordOf(paid)).toMatchObject({ status: "SETTLED", clearings: [100], pulls: [] })
    expect(effects(changesOf(paid))).toEqual({
      ...nothing,
      events: [event("SETTLED"), balance],
      postings: [`100 ${outside} available:1`],
    })
    expect(recordOf(said(clearing(60), loadedOf(credit)))).toMatchObject({ status: "PARTIALLY_SETTLED" })
    for (const decision of [
      said(clearing(100), loadedOf(credit), true),
      said(clearing(100), loadedOf(credit, { account: internalOf("Customer:1", { status: "CLOSED" }, one.id) })),
    ]) {
      expect(recordOf(decision)).toMatchObject({ isUnapplied: true })
      expect(effects(changesOf(decision)).postings).toEqual([
        "100 unapplied-outside:CardTransaction:1 unapplied:CardTransaction:1",
      ])
    }
    const indebted = said(clearing(100), loadedOf(credit, { owed: { balance: -100, sequence: 1 } }), true)
    expect(recordOf(indebted)).not.toHaveProperty("isUnapplied")
    expect(effects(changesOf(indebted)).postings).toEqual([`100 ${outside} ${owed}`])
  })

  it("of 0 ends the authorization and releases its hold", () => {
    const ended = said(clearing(0))
    expect(recordOf(ended)).toEqual({ ...purchaseOf().data, ...touched, status: "SETTLED", held: 0, isExpired: true })
    expect(effects(changesOf(ended))).toEqual({
      ...nothing,
      events: [event("SETTLED"), balance],
      postings: ["100 held:1 available:1"],
    })
    expect(effects(changesOf(said(clearing(0), loadedOf({ held: 0 })))).postings).toEqual([])
  })

  it("beyond the range of a purchase is refused", () => {
    const refusal = {
      refusal: {
        code: "AMOUNT_OUT_OF_RANGE",
        message: "The amount would take a balance beyond what can be kept exactly.",
      },
    }
    expect(said(clearing(5), loadedOf(), true)).toMatchObject(refusal)
    expect(said(advice(5), loadedOf(), true)).toMatchObject(refusal)
    expect(said(advice(5), loadedOf({ direction: "CREDIT", held: 0 }), true)).toMatchObject(refusal)
  })
})

describe("a message", () => {
  it("is about a transaction of its card, and counts once", () => {
    expect(said(clearing(5), loadedOf({ cardId: "Card:2" }))).toMatchObject({
      refusal: { code: "TRANSACTION_NOT_FOUND" },
    })
    const again = said(clearing(5), loadedOf({ messageIds: ["msg"] }))
    expect(again).toMatchObject({ status: 200, body: { id: "CardTransaction:1", updatedAt: "2026-03-02T07:59:56Z" } })
    expect(changesOf(again)).toEqual({})
    expect(said(returned(5))).toMatchObject({ refusal: { details: { reason: "NOT_SETTLED" } } })
  })

  it("is audited where the sandbox simulates it", () => {
    const audited = (message: CardMessage) =>
      writtenTo(
        changesOf(decideMessage(message, "msg", { message: "Clearing" })(loadedOf(), contextOf())),
        "AuditRecord",
      )
    expect(audited(clearing(5))).toMatchObject([
      { operation: "SANDBOX_CARD_MESSAGE", target: "Card:1", details: { message: "Clearing" } },
    ])
    expect([audited(returned(5)), writtenTo(changesOf(said(clearing(5))), "AuditRecord")]).toEqual([[], []])
  })
})

describe("an advice", () => {
  it("changes the hold as far as the available balance covers it", () => {
    const held = (amount: number, data: Partial<CardTransaction> = {}) => {
      const decision = said(advice(amount), loadedOf(data))
      return [Object(recordOf(decision)).held, effects(changesOf(decision)).postings, changesOf(decision).assertions]
    }
    expect(held(120)).toEqual([120, ["20 available:1 held:1"], []])
    expect(held(130)).toEqual([130, ["30 available:1 held:1"], []])
    expect(held(131)).toEqual([130, ["30 available:1 held:1"], asserted])
    expect(held(60)).toEqual([60, ["40 held:1 available:1"], []])
    expect(held(100)).toEqual([100, [], []])
    expect(held(120, { direction: "CREDIT", held: 0 })).toEqual([0, [], []])
  })

  it("that leaves nothing open settles what was cleared", () => {
    const data = { clearings: [60], pulls: [pull(60, "DONE")], held: 40, status: "PARTIALLY_SETTLED" } as const
    expect(recordOf(said(advice(60), loadedOf(data)))).toMatchObject({ status: "SETTLED", held: 0, authorized: 60 })
    expect(recordOf(said(advice(61), loadedOf(data)))).toMatchObject({ status: "PARTIALLY_SETTLED", held: 1 })
  })
})

describe("a return", () => {
  const settled = { status: "SETTLED", held: 0, clearings: [100], pulls: [pull(100, "DONE")] } as const

  it("credits the account, and refunds the transaction when nothing is left", () => {
    const part = said(returned(40), loadedOf(settled))
    expect(recordOf(part)).toMatchObject({ status: "SETTLED", refunds: [40], lastEventAt: now })
    expect(effects(changesOf(part))).toEqual({ ...nothing, events: [balance], postings: [`40 ${outside} available:1`] })
    const rest = said(returned(60), loadedOf({ ...settled, refunds: [40] }))
    expect(recordOf(rest)).toMatchObject({ status: "REFUNDED", refunds: [40, 60] })
    expect(effects(changesOf(rest)).events).toEqual([event("REFUNDED"), balance])
    expect(recordOf(said(returned(40), loadedOf(settled), true))).toMatchObject({ isUnapplied: true })
  })

  it("is reversed out of the available balance, and the rest is owed", () => {
    const reversed = said({ _tag: "ReturnReversal" }, loadedOf({ ...settled, status: "REFUNDED", refunds: [60, 40] }))
    expect(recordOf(reversed)).toMatchObject({ status: "SETTLED", refunds: [60], lastEventAt: now })
    expect(effects(changesOf(reversed))).toEqual({
      ...nothing,
      events: [event("SETTLED"), balance],
      postings: [`30 available:1 ${outside}`, `10 ${owed} ${outside}`],
    })
  })
})

describe("the outcome of a pull", () => {
  const cleared = { held: 0, clearings: [100], pulls: [pull(100)] }
  type Outcome = Parameters<typeof decidePull>[1]
  const decided = (outcome: Outcome, data: Partial<CardTransaction> = cleared, index = 0) =>
    changesOf(decidePull(index, outcome, fence)(loadedOf(data), contextOf()))
  const record = (...of: Parameters<typeof decided>) => writtenTo(decided(...of), "CardTransaction")[0]

  it("captures the money and settles the transaction", () => {
    expect(record({ _tag: "Done" })).toMatchObject({ status: "SETTLED", pulls: [pull(100, "DONE")], lastEventAt: now })
    expect(effects(decided({ _tag: "Done" }))).toEqual({
      ...nothing,
      events: [event("SETTLED"), balance],
      postings: [`100 held:1 ${outside}`],
    })
    expect(record({ _tag: "Done" }, { held: 40, clearings: [60], pulls: [pull(60)] })).toMatchObject({
      status: "PARTIALLY_SETTLED",
      held: 40,
    })
    expect(record({ _tag: "Done" }, { ...cleared, pulls: [pull(60), pull(40)] }, 1)).toMatchObject({
      status: "AUTHORIZED",
      pulls: [pull(60), pull(40, "DONE")],
    })
    expect(record({ _tag: "Done" }, { ...cleared, status: "SETTLED" })).toMatchObject({ status: "SETTLED" })
    expect(effects(decided({ _tag: "Done" }, { ...cleared, status: "SETTLED" })).events).toEqual([balance])
  })

  it("that fails keeps its money held, and releases the rest", () => {
    const failed = { held: 40, clearings: [60], pulls: [pull(60)] }
    expect(record({ _tag: "Refused" }, failed)).toMatchObject({
      status: "EXCEPTION",
      held: 0,
      isExpired: true,
      pulls: [pull(60, "FAILED")],
    })
    expect(effects(decided({ _tag: "Refused" }, failed))).toEqual({
      ...nothing,
      events: [event("EXCEPTION"), balance],
      postings: ["40 held:1 available:1"],
    })
    expect(effects(decided({ _tag: "Refused" }))).toEqual({ ...nothing, events: [event("EXCEPTION")] })
  })

  it("is collected later by an operator, until nothing has failed", () => {
    const exception = {
      ...cleared,
      status: "EXCEPTION",
      isExpired: true,
      pulls: [pull(60, "FAILED"), pull(40, "DONE")],
    } as const
    expect(record({ _tag: "Done" }, exception)).toMatchObject({
      status: "SETTLED",
      pulls: [pull(60, "DONE"), pull(40, "DONE")],
    })
    const both = { ...exception, pulls: [pull(60, "FAILED"), pull(40, "FAILED")] }
    expect(record({ _tag: "Done" }, both)).toMatchObject({ status: "EXCEPTION" })
    expect(effects(decided({ _tag: "Done" }, both)).events).toEqual([balance])
  })

  it("is asked for again in a second at the earliest", () => {
    expect(effects(decided({ _tag: "Later", at: now }))).toEqual({
      ...nothing,
      jobs: [collect(0, "CardTransaction:1", 1000)],
    })
  })

  it("changes nothing twice, but ends its job", () => {
    for (const [outcome, data, index] of [
      [{ _tag: "Done" }, { ...cleared, pulls: [pull(100, "DONE")] }, 0],
      [{ _tag: "Refused" }, { ...cleared, pulls: [pull(100, "FAILED")] }, 0],
      [{ _tag: "Later", at: now }, { ...cleared, pulls: [pull(100, "FAILED")] }, 0],
      [{ _tag: "Done" }, cleared, 1],
    ] as const) {
      expect(record(outcome, data, index)).toBeUndefined()
      expect([effects(decided(outcome, data, index)), decided(outcome, data, index).finishes]).toEqual([
        nothing,
        fence.finishes,
      ])
    }
  })
})

it("an authorization expires while it waits for clearings", () => {
  const expired = (data: Partial<CardTransaction>) => changesOf(decideExpiry(fence)(loadedOf(data), contextOf()))
  expect(writtenTo(expired({}), "CardTransaction")).toMatchObject([{ isExpired: true, held: 0, status: "SETTLED" }])
  const part = { status: "PARTIALLY_SETTLED", held: 40, clearings: [60], pulls: [pull(60, "DONE")] } as const
  expect(writtenTo(expired(part), "CardTransaction")).toMatchObject([{ isExpired: true, held: 0, status: "SETTLED" }])
  for (const data of [
    { isExpired: true },
    { status: "SETTLED" },
    { status: "REFUNDED" },
    { status: "EXCEPTION" },
  ] as const) {
    expect(writtenTo(expired(data), "CardTransaction")).toEqual([])
    expect(expired(data).finishes).toEqual(fence.finishes)
  }
})

it("a card transaction shows what is settled, refunded and pulled", () => {
  const usd = (amount: number) => ({ amount, currency: expect.objectContaining({ code: "USD" }) })
  const shown = toCardTransaction(purchaseOf())
  expect(shown).toMatchObject({
    id: "CardTransaction:1",
    customerId: "Customer:1",
    authorizedAmount: usd(100),
    pullSummary: { count: 1, totalAmount: 100, pendingCount: 1 },
    refundSummary: { count: 0, totalAmount: 0 },
    settlementSummary: { count: 0, totalAmount: 0 },
    authorizedAt: "2026-03-02T07:59:55Z",
  })
  for (const name of ["settledAmount", "refundedAmount", "lastEventAt"]) expect(shown).not.toHaveProperty(name)
  const pulls = [pull(60, "FAILED"), pull(20), pull(10, "DONE")]
  expect(
    toCardTransaction(purchaseOf({ clearings: [60, 30], refunds: [5], pulls, held: 0, lastEventAt: now })),
  ).toMatchObject({
    settledAmount: usd(90),
    refundedAmount: usd(5),
    pullSummary: { count: 3, totalAmount: 30, pendingCount: 1 },
    refundSummary: { count: 1, totalAmount: 5 },
    settlementSummary: { count: 2, totalAmount: 90 },
    lastEventAt: "2026-03-02T08:00:00Z",
  })
  expect(toCardTransaction(purchaseOf({ isExpired: true, held: 0 }))).toMatchObject({
    settledAmount: usd(0),
    pullSummary: { count: 0 },
  })
})
