/**
 * What each outcome of a rail changes in an outgoing transaction: statuses, events, postings and jobs.
 * Source: wire contract 5.7, 7.3 and 11 (49, 50, 51); D-010.
 */
import { describe, expect, it } from "vitest"
import {
  type DefiniteOutcome,
  decideCancellation,
  decideConfirmation,
  decideRefund,
  type OutcomeLoaded,
} from "../../../packages/core/src/decision/transaction/OutcomeDecision.ts"
import { postingFor } from "../../../packages/core/src/decision/transaction/OutgoingPostings.ts"
import {
  balance,
  cancelled,
  contextOf,
  decided,
  depositOf,
  done,
  exchangeOf,
  internalOf,
  jobOf,
  laterAt,
  loadedOf,
  now,
  outcomes,
  outgoingEvents,
  outgoingOf,
  pullOf,
  refused,
  returned,
  unchanged,
  written,
  wrote,
} from "./StoredTransactions.ts"

const refundJob = jobOf("transfer.refund", 0, "ExternalAccount:1")

describe("the outcome of a push", () => {
  const transit = "transit:Customer:1:USD"
  const sent = `400 held:InternalAccount:1 ${transit}`

  it.each<readonly [string, DefiniteOutcome, unknown, unknown]>([
    [
      "delivers it",
      done,
      { status: "COMPLETED", settledAt: now },
      {
        ...unchanged,
        statuses: ["COMPLETED"],
        events: [...outgoingEvents("PROCESSING", "COMPLETED"), balance],
        postings: [sent, `400 ${transit} outside:Customer:1:USD`],
      },
    ],
    [
      "stores the hash on its chain, and asks when it is final",
      { _tag: "Done", transactionHash: "0xabc", askAgainAt: now + 9000 },
      { status: "COMPLETED", settledAt: now, transactionHash: "0xabc" },
      expect.objectContaining({ jobs: [jobOf("transfer.confirm", 9000, "ExternalAccount:1")] }),
    ],
    [
      "fails it for the rail's reason",
      refused,
      { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED", refund: { status: "PENDING", reason: "TIMEOUT" } },
      {
        ...unchanged,
        statuses: ["FAILED"],
        events: [...outgoingEvents("PROCESSING", "FAILED", "REFUND_PENDING"), balance],
        postings: [sent],
        jobs: [refundJob],
      },
    ],
    [
      "fails it as returned",
      returned,
      {
        status: "FAILED",
        failureReason: "PAYOUT_RETURNED",
        refund: { status: "PENDING", reason: "TRANSACTION_FAILED" },
      },
      expect.objectContaining({ events: [...outgoingEvents("PROCESSING", "FAILED", "REFUND_PENDING"), balance] }),
    ],
    [
      "refunds a cancelled one",
      cancelled,
      { status: "PROCESSING", refund: { status: "PENDING", reason: "USER_CANCELLATION", initiatedAt: now } },
      expect.objectContaining({
        events: [...outgoingEvents("PROCESSING", "REFUND_PENDING"), balance],
        jobs: [refundJob],
      }),
    ],
    [
      "starts it when the rail answers later",
      laterAt(now),
      { status: "PROCESSING" },
      {
        ...unchanged,
        statuses: ["PROCESSING"],
        events: [...outgoingEvents("PROCESSING"), balance],
        postings: [sent],
        jobs: [jobOf("transfer.push", 1000, "ExternalAccount:1")],
      },
    ],
    [
      "leaves it pending while it is queued",
      { _tag: "Later", at: now + 9000, isQueued: true },
      { status: "PENDING" },
      { ...unchanged, jobs: [jobOf("transfer.push", 9000, "ExternalAccount:1")] },
    ],
  ])("%s", (_, outcome, data, changes) => {
    const result = decided(loadedOf(outgoingOf()), outcome)
    expect(result?.transaction.data).toMatchObject(data as object)
    expect(written(result?.changes)).toEqual(changes)
  })

  it("does not begin a second time", () => {
    const processing = loadedOf(outgoingOf({ status: "PROCESSING" }))
    expect(wrote(processing, laterAt(now))).toEqual({
      ...unchanged,
      jobs: [jobOf("transfer.push", 1000, "ExternalAccount:1")],
    })
    expect(decided(processing, laterAt(now))?.transaction).toBe(processing.transaction)
    expect(wrote(processing, done).events).toEqual(outgoingEvents("COMPLETED"))
  })

  it("refunds at once what no rail was asked for", () => {
    const { submittedAt: _, ...data } = outgoingOf().data
    const result = decided(loadedOf({ ...outgoingOf(), data }), refused)
    expect(result?.transaction.data).toMatchObject({ refund: { status: "COMPLETED", settledAt: now } })
    expect(written(result?.changes)).toMatchObject({
      postings: [sent, `400 ${transit} available:InternalAccount:1`],
      jobs: [],
    })
  })

  it("fails what the account that it pays cannot hold", () => {
    const internal = outgoingOf({ exchange: exchangeOf({ isInternal: true }), status: "PROCESSING" })
    expect(decided(loadedOf(internal), done, true)?.transaction.data).toMatchObject({
      failureReason: "ACCOUNT_CANNOT_RECEIVE",
      refund: { reason: "TRANSACTION_FAILED" },
    })
  })

  it("takes a delivered one back once, and begins no second refund", () => {
    const delivered = outgoingOf({ status: "COMPLETED" })
    expect(wrote(loadedOf(delivered), returned)).toEqual({
      ...unchanged,
      statuses: ["FAILED"],
      events: outgoingEvents("FAILED", "REFUND_PENDING"),
      postings: [`400 outside:Customer:1:USD ${transit}`],
      jobs: [refundJob],
    })
    const refund = { reference: "R", initiatedAt: now, status: "COMPLETED", reason: "USER_CANCELLATION" } as const
    expect(decided(loadedOf(outgoingOf({ status: "COMPLETED", refund })), returned)).toBeUndefined()
    for (const outcome of [done, refused, cancelled, laterAt(now)])
      expect(decided(loadedOf(delivered), outcome)).toBeUndefined()
  })

  it("changes nothing before a quote's money has arrived, and after it has ended", () => {
    const { fundedAt: _, ...unfunded } = exchangeOf()
    for (const transaction of [
      outgoingOf({ status: "PENDING", exchange: exchangeOf() }),
      outgoingOf({ status: "PROCESSING", exchange: unfunded }),
      outgoingOf({ status: "PENDING_AUTHORIZATION" }),
      outgoingOf({ status: "FAILED" }),
      outgoingOf({ status: "EXPIRED" }),
    ])
      for (const outcome of outcomes) expect(decided(loadedOf(transaction), outcome)).toBeUndefined()
  })
})

describe("the rail's answer about a delivered payment", () => {
  const confirmed = (outcome: DefiniteOutcome, transaction = outgoingOf({ status: "COMPLETED" })) =>
    decideConfirmation(loadedOf(transaction), outcome, false, contextOf())
  const again = (millis: number) => ({ ...unchanged, jobs: [jobOf("transfer.confirm", millis, "ExternalAccount:1")] })

  it("is asked for again at the time that it names", () => {
    expect(written(confirmed(laterAt(now))?.changes)).toEqual(again(1000))
    expect(written(confirmed({ _tag: "Done", askAgainAt: now + 9000 })?.changes)).toEqual(again(9000))
  })

  it("refunds what came back, and otherwise changes nothing", () => {
    expect(written(confirmed(returned)?.changes).statuses).toEqual(["FAILED"])
    for (const outcome of [done, refused, cancelled]) expect(confirmed(outcome)).toBeUndefined()
    expect(confirmed(laterAt(now), outgoingOf({ status: "FAILED" }))).toBeUndefined()
    expect(
      decideConfirmation(loadedOf(pullOf({ status: "COMPLETED" })), laterAt(now), false, contextOf()),
    ).toBeUndefined()
  })
})

describe("the rail's answer about a refund", () => {
  const refund = { reference: "R", initiatedAt: now, status: "PENDING", reason: "TRANSACTION_FAILED" } as const
  const failed = outgoingOf({ status: "FAILED", refund })
  const ended = (outcome: DefiniteOutcome, more: Partial<OutcomeLoaded> = {}, isFull = false) =>
    decideRefund(loadedOf(failed, more), outcome, isFull, contextOf())

  it("credits the account", () => {
    expect(written(ended(done)?.changes)).toEqual({
      ...unchanged,
      statuses: ["FAILED"],
      events: [...outgoingEvents("REFUND_COMPLETED"), balance],
      postings: ["400 transit:Customer:1:USD available:InternalAccount:1"],
    })
    expect(ended(done)?.transaction.data.refund).toEqual({ ...refund, status: "COMPLETED", settledAt: now })
  })

  it("leaves the money unapplied where it does not arrive, or the account cannot take it", () => {
    for (const result of [
      ended(refused),
      ended(done, {}, true),
      ended(done, { account: internalOf({ status: "CLOSED" }) }),
    ]) {
      expect(result?.transaction.data).toMatchObject({ refund: { ...refund, status: "FAILED" }, isUnapplied: true })
      expect(written(result?.changes)).toMatchObject({
        events: outgoingEvents("REFUND_FAILED"),
        postings: ["400 transit:Customer:1:USD unapplied"],
      })
    }
  })

  it("credits a frozen account", () => {
    expect(ended(done, { account: internalOf({ status: "FROZEN" }) })?.transaction.data).toMatchObject({
      refund: { status: "COMPLETED" },
    })
  })

  it("is asked for again in a second at the earliest", () => {
    expect(written(ended(laterAt(now))?.changes)).toEqual({
      ...unchanged,
      jobs: [jobOf("transfer.refund", 1000, "ExternalAccount:1")],
    })
  })

  it("changes nothing where no refund is pending", () => {
    for (const transaction of [
      outgoingOf({ status: "FAILED" }),
      outgoingOf({ status: "FAILED", refund: { ...refund, status: "COMPLETED" } }),
      depositOf({ status: "FAILED", refund }),
    ])
      for (const outcome of outcomes)
        expect(decideRefund(loadedOf(transaction), outcome, false, contextOf())).toBeUndefined()
  })
})

describe("the rail's answer to a cancellation", () => {
  const answered = (outcome: DefiniteOutcome, transaction = outgoingOf()) =>
    decideCancellation(loadedOf(transaction), outcome, contextOf())

  it("cancels the payment when it is done", () => {
    for (const outcome of [done, cancelled])
      expect(answered(outcome)?.transaction.data).toMatchObject({ refund: { reason: "USER_CANCELLATION" } })
  })

  it("changes nothing when it is refused, or the payment has ended", () => {
    for (const outcome of [refused, returned]) expect(answered(outcome)).toBeUndefined()
    for (const outcome of outcomes) expect(answered(outcome, outgoingOf({ status: "COMPLETED" }))).toBeUndefined()
  })

  it("is asked for again in a second at the earliest, without a start of the payment", () => {
    const result = answered(laterAt(now))
    expect(result?.transaction.data.status).toBe("PENDING")
    expect(written(result?.changes)).toEqual({ ...unchanged, jobs: [jobOf("transfer.cancel", 1000)] })
    expect(written(answered(laterAt(now + 9000))?.changes).jobs).toEqual([jobOf("transfer.cancel", 9000)])
  })
})

it("each posting of a payment moves its money from one place to the next", () => {
  const scope = { ids: contextOf().ids, now, source: internalOf() }
  const names = ["send", "deliver", "returnPayout", "refund", "refundToUnapplied", "refundFromUnapplied"] as const
  const postings = (exchange?: ReturnType<typeof exchangeOf>) =>
    names.map(
      (name) => written(postingFor(scope, outgoingOf(exchange === undefined ? {} : { exchange }), name)).postings,
    )
  const [transit, outside, available] = [
    "transit:Customer:1:USD",
    "outside:Customer:1:USD",
    "available:InternalAccount:1",
  ]
  const exchanged = "exchange:Customer:1"
  expect(postings()).toEqual([
    [`400 held:InternalAccount:1 ${transit}`],
    [`400 ${transit} ${outside}`],
    [`400 ${outside} ${transit}`],
    [`400 ${transit} ${available}`],
    [`400 ${transit} unapplied`],
    [`400 unapplied ${available}`],
  ])
  expect(postings(exchangeOf())).toEqual([
    [`400 ${available} ${exchanged}:USD`, `350 ${exchanged}:EUR transit:Customer:1:EUR`],
    ["350 transit:Customer:1:EUR outside:Customer:1:EUR"],
    ["350 outside:Customer:1:EUR transit:Customer:1:EUR"],
    [`350 transit:Customer:1:EUR ${exchanged}:EUR`, `400 ${exchanged}:USD ${available}`],
    [`350 transit:Customer:1:EUR ${exchanged}:EUR`, `400 ${exchanged}:USD unapplied`],
    [`400 unapplied ${available}`],
  ])
  const [sent, , , refunded, aside, applied] = postings(exchangeOf({ mismatch: 399 }))
  expect([sent, refunded, aside, applied]).toEqual([
    [`399 ${outside} ${transit}`],
    [`399 ${transit} ${available}`],
    [`399 ${transit} unapplied`],
    [`399 unapplied ${available}`],
  ])
})
