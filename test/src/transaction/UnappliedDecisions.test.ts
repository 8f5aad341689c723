/**
 * What an operator's resolution of unapplied money posts and stores, and when it is refused.
 * Source: D-033, D-355, D-416.
 */
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import { zeroReceivable } from "../../../packages/core/src/decision/ledger/PostingChanges.ts"
import {
  amountOf,
  applyUnapplied,
  hasHeldMoney,
  intendedAccountOf,
  returnUnapplied,
  toUnappliedMoney,
  type UnappliedLoaded,
  unappliedAccountOf,
} from "../../../packages/core/src/decision/transaction/UnappliedDecision.ts"
import {
  balance,
  beyondRange,
  changesOf,
  contextOf,
  dataOf,
  depositOf,
  exchangeOf,
  internalOf,
  now,
  outgoingOf,
  owner,
  pullOf,
  transactionId,
  unchanged,
  written,
} from "./StoredTransactions.ts"

const refund = { reference: "R1", initiatedAt: now, status: "FAILED", reason: "TIMEOUT" } as const
const unapplied = pullOf({ status: "FAILED", isUnapplied: true })
const held = depositOf({ status: "FAILED", isUnapplied: true, refund })
const card: Stored<"CardTransaction"> = {
  ...unapplied,
  kind: "CardTransaction",
  id: transactionId,
  data: {
    cardId: "Card:1",
    platformCustomerId: "ada",
    issuerTransactionToken: "token",
    status: "REFUNDED",
    direction: "DEBIT",
    merchant: { descriptor: "Shop" },
    currency: "USD",
    accountId: "InternalAccount:2",
    authorized: 400,
    held: 0,
    isExpired: false,
    clearings: [400],
    pulls: [],
    refunds: [400],
    isUnapplied: true,
    messageIds: [],
    authorizedAt: 1,
  },
}
const loaded: UnappliedLoaded = {
  transaction: unapplied,
  money: { balance: 150, sequence: 7 },
  holder: internalOf(),
  account: internalOf(),
  receivable: zeroReceivable,
}

describe("unapplied money", () => {
  it("is meant for the account that was to be credited, or the one that paid", () => {
    const { sourceAccountId: _, ...paid } = outgoingOf({ exchange: exchangeOf({ funding: "PUSH" }) }).data
    expect(
      [
        card,
        unapplied,
        outgoingOf(),
        outgoingOf({ exchange: exchangeOf() }),
        outgoingOf({ exchange: exchangeOf({ funding: "PULL", refundAccountId: "InternalAccount:3" }) }),
        { ...outgoingOf(), data: paid },
      ].map(intendedAccountOf),
    ).toEqual([
      "InternalAccount:2",
      "InternalAccount:1",
      "InternalAccount:1",
      "InternalAccount:1",
      "InternalAccount:3",
      undefined,
    ])
  })

  it("is held only for a deposit that could not be given back", () => {
    const cases = [
      held,
      depositOf({ isUnapplied: true, refund: { ...refund, status: "PENDING" } }),
      depositOf({ refund }),
      depositOf({ isUnapplied: true }),
      outgoingOf({ isUnapplied: true, refund }),
      card,
    ]
    expect(cases.map(hasHeldMoney)).toEqual([true, false, false, false, false, false])
    expect(cases.slice(0, 2).map((stored) => amountOf(stored, { balance: 150 }))).toEqual([400, 150])
    expect([unapplied, card].map(unappliedAccountOf)).toEqual([
      `unapplied:${transactionId}`,
      `unapplied:${transactionId}`,
    ])
  })

  it("shows its owner, its account and its resolution, where it has them", () => {
    const usd = { amount: 150, currency: expect.objectContaining({ code: "USD" }) }
    const open = { transactionId, amount: usd, status: "OPEN", createdAt: "2026-03-02T07:59:55Z" }
    expect(toUnappliedMoney(unapplied, 150)).toEqual({
      ...open,
      customerId: "Customer:1",
      accountId: "InternalAccount:1",
    })
    const { sourceAccountId: _, ...paid } = outgoingOf({
      exchange: exchangeOf({ funding: "PUSH", isPaidByPlatform: true }),
    }).data
    expect(toUnappliedMoney({ ...outgoingOf(), data: paid }, 150)).toEqual(open)
    const resolution = { status: "APPLIED", at: now, accountId: "InternalAccount:9" } as const
    expect(toUnappliedMoney(pullOf({ unappliedResolution: resolution }), 150)).toEqual({
      ...open,
      customerId: "Customer:1",
      accountId: "InternalAccount:9",
      status: "APPLIED",
      resolvedAt: "2026-03-02T08:00:00Z",
    })
  })
})

describe.each([
  ["applied", (more: Partial<UnappliedLoaded>) => applyUnapplied({ ...loaded, ...more }, contextOf())],
  ["returned", (more: Partial<UnappliedLoaded>) => returnUnapplied("bank-7")({ ...loaded, ...more }, contextOf())],
] as const)("money that is %s", (_how, decided) => {
  it("must be unapplied, and no refund of it be pending", () => {
    expect(decided({ transaction: pullOf() })).toMatchObject({
      refusal: {
        code: "CONFLICT",
        message: "The transaction has no unapplied money.",
        details: { reason: "NOT_UNAPPLIED" },
      },
    })
    const pending = { ...refund, status: "PENDING" } as const
    expect(decided({ transaction: outgoingOf({ isUnapplied: true, refund: pending }) })).toMatchObject({
      refusal: {
        code: "CONFLICT",
        message: "The rail is being asked for the refund again.",
        details: { reason: "REFUND_PENDING" },
      },
    })
    for (const transaction of [
      outgoingOf({ isUnapplied: true, refund }),
      pullOf({ isUnapplied: true, refund: pending }),
      card,
    ])
      expect(decided({ transaction })).toMatchObject({ status: 200 })
  })
})

describe("money that is applied", () => {
  const applied = (more: Partial<UnappliedLoaded> = {}, isFull = false) =>
    applyUnapplied({ ...loaded, ...more }, contextOf({ rejections: isFull ? beyondRange : [] }))
  const assertion = { account: `unapplied:${transactionId}`, sequence: 7 }

  it("credits the account, and is stored with its audit", () => {
    const resolution = { status: "APPLIED", at: now, accountId: "InternalAccount:1" }
    const { isUnapplied: _, ...data } = unapplied.data
    const decision = applied()
    expect(decision).toMatchObject({
      status: 200,
      body: { status: "APPLIED", accountId: "InternalAccount:1", amount: { amount: 150 } },
    })
    expect(dataOf({ updates: changesOf(decision).updates ?? [] })).toEqual([
      { ...data, unappliedResolution: resolution },
    ])
    expect(changesOf(decision).inserts).toMatchObject([
      {
        data: {
          operation: "UNAPPLIED_APPLY",
          target: transactionId,
          details: { amount: 150, currency: "USD", accountId: "InternalAccount:1" },
        },
      },
    ])
    expect(written(changesOf(decision))).toEqual({
      ...unchanged,
      statuses: ["FAILED"],
      events: [balance],
      postings: ["150 unapplied available:InternalAccount:1"],
    })
    expect(changesOf(decision).assertions).toEqual([assertion])
    expect(changesOf(decision).guards).toContainEqual({ kind: "InternalAccount", id: "InternalAccount:1", version: 3 })
  })

  it("of a card transaction leaves the rest of it", () => {
    const { isUnapplied: _, ...data } = card.data
    expect(dataOf({ updates: changesOf(applied({ transaction: card })).updates ?? [] })).toEqual([
      { ...data, unappliedResolution: { status: "APPLIED", at: now, accountId: "InternalAccount:1" } },
    ])
    expect(changesOf(applied({ transaction: card })).assertions).toEqual([assertion])
  })

  it("leaves the held balance of the account that holds it", () => {
    const other = internalOf({}, "InternalAccount:2")
    const of = (more: Partial<UnappliedLoaded>) => applied({ transaction: held, ...more })
    const heldAt = (account: string) => [`400 held:InternalAccount:1 available:${account}`]
    expect(written(changesOf(of({})))).toMatchObject({ postings: heldAt("InternalAccount:1"), events: [balance] })
    expect(written(changesOf(of({ account: other })))).toMatchObject({
      postings: heldAt("InternalAccount:2"),
      events: [balance, balance],
    })
    expect(changesOf(of({ account: other })).events?.map(({ subject }) => subject)).toEqual([
      other.id,
      "InternalAccount:1",
    ])
    expect(changesOf(of({})).assertions).toEqual([])
    expect(written(changesOf(of({ holder: undefined }))).events).toEqual([balance])
    expect(written(changesOf(applied({ account: other }))).events).toEqual([balance])
  })

  it("needs an active account of the same owner in its currency", () => {
    const errors = [
      { field: "accountId", message: "must be an active account of the same owner in the currency of the money" },
    ]
    for (const account of [
      undefined,
      internalOf({ status: "FROZEN" }),
      internalOf({ currency: "EUR" }),
      { ...internalOf(), customerId: "Customer:2" },
      { ...internalOf(), customerId: null },
    ])
      expect(applied({ account })).toMatchObject({ refusal: { code: "INVALID_INPUT", details: { errors } } })
    const paidByPlatform = outgoingOf({ isUnapplied: true, exchange: exchangeOf({ isPaidByPlatform: true }) })
    expect(applied({ transaction: paidByPlatform, account: { ...internalOf(), customerId: null } })).toMatchObject({
      status: 200,
    })
  })

  it("must fit into the account", () => {
    expect(applied({}, true)).toEqual({
      _tag: "Refuse",
      refusal: {
        code: "AMOUNT_OUT_OF_RANGE",
        message: "The account cannot hold the money: its balance would exceed the range of exact integers.",
      },
      changes: {},
    })
  })
})

describe("money that is returned", () => {
  const given = (more: Partial<UnappliedLoaded> = {}) => returnUnapplied("bank-7")({ ...loaded, ...more }, contextOf())

  it("leaves the service, and is stored with its reference", () => {
    const decision = given()
    const { isUnapplied: _, ...data } = unapplied.data
    expect(decision).toMatchObject({ status: 200, body: { status: "RETURNED", amount: { amount: 150 } } })
    expect(dataOf({ updates: changesOf(decision).updates ?? [] })).toEqual([
      { ...data, unappliedResolution: { status: "RETURNED", at: now, reference: "bank-7" } },
    ])
    expect(changesOf(decision).inserts).toMatchObject([
      {
        platformId: owner.platformId,
        data: { operation: "UNAPPLIED_RETURN", details: { amount: 150, currency: "USD", reference: "bank-7" } },
      },
    ])
    expect(written(changesOf(decision))).toEqual({
      ...unchanged,
      statuses: ["FAILED"],
      postings: ["150 unapplied unapplied-outside"],
    })
  })

  it("leaves the held balance of its account", () => {
    expect(written(changesOf(given({ transaction: held })))).toMatchObject({
      events: [balance],
      postings: ["400 held:InternalAccount:1 outside:Customer:1:USD"],
    })
    expect(written(changesOf(given({ transaction: held, holder: undefined })))).toMatchObject({
      events: [],
      postings: ["400 unapplied unapplied-outside"],
    })
  })
})
