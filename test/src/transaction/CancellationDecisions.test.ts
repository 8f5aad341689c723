/**
 * When a transaction can be cancelled, when its receipt is confirmed, and what its payment counts towards the volume of a day.
 * Source: wire contract 5.7, 8.2 and 11 (51); D-096, D-339, D-355.
 */
import { describe, expect, it } from "vitest"
import { decideCancel } from "../../../packages/core/src/decision/transaction/CancellationDecision.ts"
import { decideReceipt } from "../../../packages/core/src/decision/transaction/ReceiptDecision.ts"
import { decideRefundRetry } from "../../../packages/core/src/decision/transaction/RefundRetryDecision.ts"
import { countVolume, returnVolume } from "../../../packages/core/src/decision/transaction/VolumeChanges.ts"
import type { CardTransaction } from "../../../packages/core/src/model/card/CardTransaction.ts"
import {
  accountInfo,
  beyondRange,
  changesOf,
  contextOf,
  dataOf,
  depositOf,
  exchangeOf,
  jobOf,
  loadedOf,
  now,
  outgoingEvents,
  outgoingOf,
  owner,
  pullOf,
  transactionId,
  unchanged,
  written,
} from "./StoredTransactions.ts"

const notCancellable = (status: string) => ({
  _tag: "Refuse",
  refusal: {
    code: "TRANSACTION_NOT_CANCELLABLE",
    message: "The transaction can no longer be cancelled, or its rail cannot stop it.",
    details: { status },
  },
})

describe("a cancellation", () => {
  type Transfer = ReturnType<typeof outgoingOf> | ReturnType<typeof pullOf>
  const decided = (transaction: Transfer, reason?: string, isFull = false) =>
    decideCancel(reason)(
      { _tag: "Transfer", scope: loadedOf(transaction) },
      contextOf({ rejections: isFull ? beyondRange : [] }),
    )
  const { submittedAt: _, ...unsubmitted } = outgoingOf().data
  const created = { ...outgoingOf(), data: unsubmitted }

  it("of a submitted payment is stored, and a job asks its rail", () => {
    for (const stored of [outgoingOf(), pullOf()]) {
      const decision = decided(stored)
      expect(decision).toMatchObject({
        status: 200,
        body: { id: transactionId, status: "PENDING", updatedAt: "2026-03-02T08:00:00Z" },
      })
      expect(dataOf(changesOf(decision))).toEqual([{ ...stored.data, cancellation: { requestedAt: now } }])
      expect(written(changesOf(decision))).toEqual({
        ...unchanged,
        statuses: ["PENDING"],
        jobs: [jobOf("transfer.cancel", 0)],
      })
    }
    expect(dataOf(changesOf(decided(outgoingOf(), "mistake")))).toMatchObject([
      { cancellation: { requestedAt: now, reason: "mistake" } },
    ])
  })

  it("changes nothing a second time", () => {
    const decision = decided(outgoingOf({ cancellation: { requestedAt: now - 1 } }))
    expect(decision).toMatchObject({ status: 200, body: { id: transactionId } })
    expect(changesOf(decision)).toEqual({})
  })

  it("of a payment that no rail was asked for takes place at once", () => {
    const decision = decided(created, "mistake")
    expect(decision).toMatchObject({
      status: 200,
      body: { status: "COMPLETED", refund: { status: "COMPLETED", reason: "USER_CANCELLATION" } },
    })
    expect(dataOf(changesOf(decision))).toMatchObject([{ cancellation: { requestedAt: now, reason: "mistake" } }])
    expect(written(changesOf(decision))).toMatchObject({
      events: [
        ...outgoingEvents("PROCESSING", "REFUND_PENDING", "REFUND_COMPLETED", "COMPLETED"),
        "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      ],
      jobs: [],
    })
  })

  it("is refused after the outcome, and for a rail that cannot stop", () => {
    for (const stored of [
      outgoingOf({ status: "COMPLETED" }),
      pullOf({ status: "FAILED" }),
      outgoingOf({ externalAccount: { accountInfo } }),
      outgoingOf({ externalAccount: { accountInfo, rail: "RTP" } }),
      depositOf(),
    ])
      expect(decided(stored)).toEqual({ ...notCancellable(stored.data.status), changes: {} })
  })

  it("of a card transaction is refused", () => {
    const data = { status: "AUTHORIZED" } as CardTransaction
    const transaction = { ...outgoingOf(), kind: "CardTransaction", id: "CardTransaction:1", data } as const
    expect(decideCancel(undefined)({ _tag: "CardTransaction", transaction }, contextOf())).toMatchObject(
      notCancellable("AUTHORIZED"),
    )
  })
})

describe("the confirmation of a receipt", () => {
  const confirmed = (at: number | undefined, before?: number) => {
    const stored = outgoingOf(before === undefined ? {} : { receiptDeliveryConfirmedAt: before })
    const decision = decideReceipt(at)(stored, contextOf())
    return [
      decision,
      dataOf(changesOf(decision)).map(
        (data) => "receiptDeliveryConfirmedAt" in data && data.receiptDeliveryConfirmedAt,
      ),
    ]
  }
  const answered = (receiptDeliveryConfirmedAt: string, updatedAt = "2026-03-02T08:00:00Z") =>
    expect.objectContaining({ status: 200, body: expect.objectContaining({ receiptDeliveryConfirmedAt, updatedAt }) })

  it("stores the named time, the stored one, or now", () => {
    expect(confirmed(undefined)).toEqual([answered("2026-03-02T08:00:00Z"), [now]])
    expect(confirmed(5)).toEqual([answered("1970-01-01T00:00:00.005Z"), [5]])
    expect(confirmed(5, 6)).toEqual([answered("1970-01-01T00:00:00.005Z"), [5]])
    for (const at of [undefined, 6])
      expect(confirmed(at, 6)).toEqual([answered("1970-01-01T00:00:00.006Z", "2026-03-02T07:59:56Z"), []])
  })
})

describe("the volume of a day", () => {
  const limits = { perCustomer: { USD: 1000 }, perPlatform: { USD: 5000 } }
  const endsAt = Date.parse("2026-03-03T00:00:00Z")
  const scope = { ids: contextOf().ids, now, source: undefined }
  const keys = [`limit:${endsAt}:DAILY_VOLUME:USD:Customer:1`, `limit:${endsAt}:DAILY_VOLUME:USD:`]
  const volume = { keys, amount: 400, currency: "USD", endsAt } as const

  it("counts a payment of the customer, of the platform, or of both", () => {
    const counted = (volumeLimits: Parameters<typeof countVolume>[0]["volumeLimits"], stored = outgoingOf()) =>
      countVolume({ ...scope, volumeLimits }, stored)
    expect(counted(limits)).toEqual({
      data: { ...outgoingOf().data, volume },
      changes: {
        counters: [
          { key: keys[0], delta: 400, max: 1000 },
          { key: keys[1], delta: 400, max: 5000 },
        ],
      },
    })
    expect(counted(limits, { ...outgoingOf(), customerId: null }).data.volume?.keys).toEqual(keys.slice(1))
    expect(counted(limits, outgoingOf({ exchange: exchangeOf({ isPaidByPlatform: true }) })).data.volume?.keys).toEqual(
      keys.slice(1),
    )
    for (const none of [undefined, {}, { perCustomer: { EUR: 1 } }])
      expect(counted(none)).toEqual({ data: outgoingOf().data, changes: {} })
  })

  it("gets back what does not take place on its day", () => {
    const refund = { reference: "R1", initiatedAt: now, status: "PENDING", reason: "TIMEOUT" } as const
    const { volume: _, ...failed } = outgoingOf({ status: "FAILED" }).data
    expect(returnVolume(scope, outgoingOf({ status: "FAILED", volume }))).toEqual({
      data: failed,
      changes: { counters: keys.map((key) => ({ key, delta: -400 })) },
    })
    for (const over of [{ status: "EXPIRED" }, { refund }] as const)
      expect(returnVolume(scope, outgoingOf({ ...over, volume })).changes.counters).toHaveLength(2)
    expect(returnVolume({ ...scope, now: endsAt }, outgoingOf({ status: "FAILED", volume }))).toEqual({
      data: failed,
      changes: {},
    })
    expect(
      returnVolume({ ...scope, now: endsAt - 1 }, outgoingOf({ status: "FAILED", volume })).changes.counters,
    ).toHaveLength(2)
    for (const stored of [outgoingOf({ volume }), outgoingOf({ status: "FAILED" })])
      expect(returnVolume(scope, stored)).toEqual({ data: stored.data, changes: {} })
  })
})

describe("a failed refund", () => {
  const refund = { reference: "R1", initiatedAt: now, status: "FAILED", reason: "TIMEOUT" } as const
  const stuck = outgoingOf({ status: "FAILED", refund, isUnapplied: true })

  it("is asked for again, and its money stays unapplied", () => {
    const decision = decideRefundRetry(loadedOf(stuck), contextOf())
    expect(decision).toMatchObject({ status: 200, body: { id: transactionId, refund: { status: "PENDING" } } })
    expect(dataOf({ updates: changesOf(decision).updates ?? [] })).toEqual([
      { ...stuck.data, refund: { ...refund, status: "PENDING" } },
    ])
    expect(written(changesOf(decision))).toEqual({
      ...unchanged,
      statuses: ["FAILED"],
      events: outgoingEvents("REFUND_PENDING"),
      jobs: [jobOf("transfer.refund", 0, "ExternalAccount:1")],
    })
    expect(changesOf(decision).inserts).toMatchObject([
      { platformId: owner.platformId, data: { operation: "REFUND_RETRY", target: transactionId, outcome: "DONE" } },
    ])
  })

  it("is needed to ask again", () => {
    for (const stored of [
      outgoingOf({ status: "FAILED", refund }),
      outgoingOf({ status: "FAILED", isUnapplied: true }),
      outgoingOf({ status: "FAILED", refund: { ...refund, status: "PENDING" }, isUnapplied: true }),
      depositOf({ status: "FAILED", refund }),
      depositOf({ status: "FAILED", refund: { ...refund, status: "PENDING" }, isUnapplied: true }),
      depositOf({ isUnapplied: true }),
    ])
      expect(decideRefundRetry(loadedOf(stored), contextOf())).toEqual({
        _tag: "Refuse",
        refusal: {
          code: "CONFLICT",
          message: "The transaction has no failed refund whose money is unapplied.",
          details: { reason: "REFUND_NOT_FAILED" },
        },
        changes: {},
      })
  })
})
