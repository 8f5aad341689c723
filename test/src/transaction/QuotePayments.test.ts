/**
 * What the life of a quote's payment writes, and the single transitions of an outgoing transaction.
 * Source: wire contract 5.5 and 5.7; D-091, D-120, D-122.
 */
import type { Quote } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import type { DecisionScope } from "../../../packages/core/src/decision/transaction/DecisionScope.ts"
import { deliver, startPush } from "../../../packages/core/src/decision/transaction/OutgoingChanges.ts"
import { postingFor } from "../../../packages/core/src/decision/transaction/OutgoingPostings.ts"
import * as Transitions from "../../../packages/core/src/decision/transaction/OutgoingTransitions.ts"
import * as Payments from "../../../packages/core/src/decision/transaction/QuotePaymentChanges.ts"
import type { OutgoingTransaction } from "../../../packages/core/src/model/transaction/Transaction.ts"
import { terms as quoteTerms } from "../quote/StoredQuotes.ts"
import {
  balance,
  contextOf,
  exchangeOf,
  internalOf,
  jobOf,
  now,
  outgoingEvents,
  outgoingOf,
  owner,
  transactionId,
  unchanged,
  written,
} from "./StoredTransactions.ts"

const { status: _pending, transactionId: _own, accountId: _paying, ...terms } = quoteTerms
const challenge = {
  id: "c",
  factor: "TOTP",
  availableFactors: [],
  expiresAt: now + 9000,
  purpose: "p",
  remaining: [],
  resends: 0,
} as const
const quoteOf = (status: Quote["status"], more: Partial<Quote> = {}): Stored<"Quote"> => ({
  ...owner,
  kind: "Quote",
  id: "Quote:1",
  version: 2,
  createdAt: 1,
  updatedAt: 1,
  data: { ...terms, status, transactionId, ...more },
})
const scopeOf = (quote?: Stored<"Quote">, more: Partial<DecisionScope> = {}): DecisionScope => ({
  ids: contextOf().ids,
  now,
  source: internalOf(),
  quote,
  ...more,
})
const { fundedAt: _, ...waiting } = exchangeOf()
const { submittedAt: _submitted, ...fresh } = outgoingOf().data
const paymentOf = (data: Partial<OutgoingTransaction> = {}) => ({
  ...outgoingOf(),
  data: { ...fresh, exchange: waiting, ...data },
})
const pushed = jobOf("transfer.push", 0, "ExternalAccount:1")

describe("a new quote", () => {
  const insert = (step: Payments.FirstStep, exchange: Partial<typeof waiting> = {}, more: Partial<Quote> = {}) => {
    const { status: _status, type: _type, exchange: _exchange, ...details } = paymentOf().data
    return Payments.insertQuote(
      scopeOf(),
      {
        id: "Quote:1",
        payer: owner,
        owner,
        quote: { ...terms, ...more },
        details: { ...details, exchange: { ...waiting, ...exchange } },
      },
      step,
    )
  }
  const expiry = (millis: number) => ["quote.end", millis, "quote.end:Quote:1", { quoteId: "Quote:1" }]
  const jobsOf = (...of: Parameters<typeof insert>) =>
    written(insert(...of).changes).jobs.map(([kind, millis]) => [kind, millis])

  it("waits for its execution, and ends by a job", () => {
    const { changes, quote, transaction } = insert("wait")
    expect([quote.data.status, transaction.data.status]).toEqual(["PENDING", "PENDING"])
    expect(transaction.data.exchange?.quoteId).toBe("Quote:1")
    expect(quote.data.transactionId).toBe(transaction.id)
    expect(written(changes)).toEqual({ ...unchanged, events: outgoingEvents("PENDING"), jobs: [expiry(60_000)] })
    expect(changes.inserts?.map(({ id, kind }) => [kind, id])).toEqual([
      ["Quote", "Quote:1"],
      ["Transaction", transaction.id],
    ])
    expect(changes.inserts?.map(({ data }) => data)).toEqual([quote.data, transaction.data])
  })

  it("is challenged, and then ends with its challenge as well", () => {
    const { changes, quote, transaction } = insert("challenge", {}, { challenge })
    expect([quote.data.status, transaction.data.status]).toEqual(["PENDING_AUTHORIZATION", "PENDING_AUTHORIZATION"])
    expect(written(changes)).toMatchObject({
      events: outgoingEvents("PENDING", "PENDING_AUTHORIZATION"),
      jobs: [expiry(60_000), expiry(9000)],
    })
  })

  it("is executed at once, by its own account or by a pull", () => {
    const { changes, quote, transaction } = insert("execute")
    expect([quote.data.status, transaction.data.exchange?.fundedAt]).toEqual(["PROCESSING", now])
    expect(written(changes)).toMatchObject({
      events: [...outgoingEvents("PENDING", "PROCESSING"), balance],
      postings: [
        "400 available:InternalAccount:1 exchange:Customer:1:USD",
        "350 exchange:Customer:1:EUR transit:Customer:1:EUR",
      ],
    })
    expect(jobsOf("execute")).toEqual([
      ["transfer.push", 0],
      ["quote.end", 60_000],
    ])
    expect(jobsOf("execute", { isInternal: true })).toEqual([
      ["quote.deliver", 0],
      ["quote.end", 60_000],
    ])
    const pulled = insert("execute", { funding: "PULL" })
    expect(pulled.transaction.data.exchange).not.toHaveProperty("fundedAt")
    expect(written(pulled.changes)).toMatchObject({
      postings: [],
      jobs: [
        [
          "quote.pull",
          0,
          `quote.pull:${pulled.transaction.id}`,
          { transactionId: pulled.transaction.id, accountId: "InternalAccount:1" },
        ],
        expiry(60_000),
      ],
    })
  })
})

describe("the payment of a quote", () => {
  const quote = quoteOf("PENDING")

  it("begins by its execution, which writes the quote as well", () => {
    const started = Payments.startExecution(scopeOf(quote), paymentOf())
    expect([started.quote.data.status, started.transaction.data.status, started.transaction.version]).toEqual([
      "PROCESSING",
      "PROCESSING",
      4,
    ])
    expect(started.transaction.data.exchange).toEqual({ ...waiting, fundedAt: now })
    expect(written(started.changes)).toMatchObject({
      statuses: ["PROCESSING", "PROCESSING"],
      events: [...outgoingEvents("PROCESSING"), balance],
      jobs: [pushed],
    })
    expect(() => Payments.startExecution(scopeOf(), paymentOf())).toThrow(`${transactionId} has no quote`)
  })

  it("goes on when its money was collected, or a payer has sent it", () => {
    const processing = paymentOf({ status: "PROCESSING" })
    const collected = Payments.recordCollection(scopeOf(), processing, "0xabc")
    expect(collected.transaction.data.exchange).toEqual({ ...waiting, fundedAt: now, transactionHash: "0xabc" })
    expect(written(collected.changes)).toMatchObject({ events: [balance], jobs: [pushed] })
    expect(Payments.recordCollection(scopeOf(), processing).transaction.data.exchange).toEqual({
      ...waiting,
      fundedAt: now,
    })
    const paid = Payments.recordPayment(scopeOf(quote), paymentOf(), "0xabc")
    expect(paid.transaction.data).toMatchObject({
      status: "PROCESSING",
      exchange: { fundedAt: now, transactionHash: "0xabc" },
    })
    expect(paid.quote.data.status).toBe("PROCESSING")
    expect(written(paid.changes)).toMatchObject({ events: [...outgoingEvents("PROCESSING"), balance], jobs: [pushed] })
  })

  it("fails without a refund when nothing was collected", () => {
    const failed = Payments.failCollection(
      scopeOf(quoteOf("PROCESSING")),
      paymentOf({ status: "PROCESSING" }),
      "COMPLIANCE_REJECTED",
    )
    expect(failed.transaction.data).toMatchObject({ status: "FAILED", failureReason: "COMPLIANCE_REJECTED" })
    expect(failed.quote?.data.status).toBe("FAILED")
    expect(written(failed.changes)).toEqual({
      ...unchanged,
      statuses: ["FAILED", "FAILED"],
      events: outgoingEvents("FAILED"),
    })
  })

  const mismatched = (isFull: boolean) => {
    const { sourceAccountId: _source, ...data } = paymentOf().data
    const stored = { ...paymentOf(), data: { ...data, exchange: { ...waiting, funding: "PUSH" } } } as const
    return Payments.refundMismatch(scopeOf(quote, { source: undefined }), stored, 399, isFull)
  }

  it("keeps another amount than the quote's unapplied where its account cannot accept the refund", () => {
    const kept = mismatched(true)
    expect(kept.transaction.data).toMatchObject({ status: "FAILED", isUnapplied: true, refund: { status: "FAILED" } })
    expect(kept.transaction.data.refund).not.toHaveProperty("settledAt")
    expect(written(kept.changes).events).toEqual(
      outgoingEvents("PROCESSING", "FAILED", "REFUND_PENDING", "REFUND_FAILED"),
    )
  })

  it("refunds another amount than the quote's at once", () => {
    const refunded = mismatched(false)
    expect(refunded.transaction.data).toMatchObject({
      status: "FAILED",
      failureReason: "FUNDING_AMOUNT_MISMATCH",
      exchange: { fundedAt: now, mismatch: 399 },
      refund: {
        reference: "R00000000ABCD",
        initiatedAt: now,
        settledAt: now,
        status: "COMPLETED",
        reason: "TRANSACTION_FAILED",
      },
    })
    expect(written(refunded.changes).events).toEqual(
      outgoingEvents("PROCESSING", "FAILED", "REFUND_PENDING", "REFUND_COMPLETED"),
    )
    expect(written(refunded.changes).postings).toEqual([
      "399 outside:Customer:1:USD transit:Customer:1:USD",
      "399 transit:Customer:1:USD outside:Customer:1:USD",
    ])
  })

  it("is challenged until the challenge ends", () => {
    const challenged = Payments.startChallenge(
      scopeOf(quote, { updatedQuote: { ...quote.data, challenge } }),
      paymentOf(),
    )
    expect(challenged.quote.data).toEqual({ ...quote.data, challenge, status: "PENDING_AUTHORIZATION" })
    expect(written(challenged.changes)).toMatchObject({
      events: outgoingEvents("PENDING_AUTHORIZATION"),
      jobs: [["quote.end", 9000, "quote.end:Quote:1", { quoteId: "Quote:1" }]],
    })
    expect(written(Payments.startChallenge(scopeOf(quote), paymentOf()).changes).jobs).toEqual([])
    const asked = paymentOf({ status: "PENDING_AUTHORIZATION" })
    const answered = Payments.authorizePayment(scopeOf(quoteOf("PENDING_AUTHORIZATION")), asked)
    expect([answered.quote.data.status, answered.transaction.data.status]).toEqual(["PENDING", "PENDING"])
    const failed = Payments.failChallenge(scopeOf(quoteOf("PENDING_AUTHORIZATION")), asked)
    expect(failed.transaction.data).toMatchObject({ status: "FAILED", failureReason: "SCA_NOT_COMPLETED" })
  })

  it("expires", () => {
    const expired = Payments.expireQuote(scopeOf(quote), paymentOf())
    expect([expired.quote?.data.status, expired.transaction.data.status]).toEqual(["EXPIRED", "EXPIRED"])
    expect(written(expired.changes).events).toEqual(outgoingEvents("EXPIRED"))
  })

  it("sweeps the platform's fee when it is delivered", () => {
    const delivered = (platform: number) =>
      written(
        deliver(
          scopeOf(),
          paymentOf({ status: "PROCESSING", exchange: exchangeOf({ fees: { service: 1, platform } }) }),
        ).changes,
      ).jobs
    expect(delivered(2)).toEqual([
      ["fees.sweep", 0, `fees.sweep:${owner.platformId}`, { customerId: "Customer:1", currency: "USD" }],
    ])
    expect(delivered(0)).toEqual([])
  })

  it("counts towards the volume when it begins, unless a payer sends it", () => {
    const volumeLimits = { perPlatform: { USD: 1000 } }
    const countersOf = (exchange: Partial<typeof waiting>) =>
      written(
        Payments.startExecution(scopeOf(quote, { volumeLimits }), paymentOf({ exchange: { ...waiting, ...exchange } }))
          .changes,
      ).counters
    expect(countersOf({}).map(([, delta]) => delta)).toEqual([400])
    expect(countersOf({ funding: "PULL" }).map(([, delta]) => delta)).toEqual([400])
    expect(countersOf({ funding: "PUSH" })).toEqual([])
    const ended = deliver(
      scopeOf(undefined, { volumeLimits }),
      paymentOf({ status: "PROCESSING", exchange: exchangeOf() }),
    )
    expect(written(ended.changes).counters).toEqual([])
  })
})

describe("a transfer that starts", () => {
  it("holds its money, and has the time that its rail takes", () => {
    const { status: _status, type: _type, ...details } = fresh
    const started = startPush({ ...scopeOf(), source: internalOf() }, details)
    expect(started.transaction.data).toMatchObject({
      status: "PENDING",
      direction: "DEBIT",
      settlementTimelineSeconds: 172_800,
      reference: expect.stringMatching(/^P/u),
    })
    expect(written(started.changes)).toMatchObject({
      events: [...outgoingEvents("PENDING"), balance],
      postings: ["400 available:InternalAccount:1 held:InternalAccount:1"],
    })
    const { externalAccount: _external, ...withoutRail } = details
    expect(startPush({ ...scopeOf(), source: internalOf() }, withoutRail).transaction.data).not.toHaveProperty(
      "settlementTimelineSeconds",
    )
  })
})

describe("a transition that the state does not allow", () => {
  it("is a defect", () => {
    expect(() => Transitions.recordFunding(now)(outgoingOf().data)).toThrow(
      "a transfer without a quote cannot be funded",
    )
    expect(() => Transitions.retryRefund(outgoingOf().data)).toThrow("no failed refund to retry")
    expect(() => Transitions.endRefund("Fail", now)(outgoingOf().data)).toThrow("no pending refund for Fail")
    expect(() => postingFor(scopeOf(undefined, { source: undefined }), outgoingOf(), "send")).toThrow(
      `${transactionId} has no source account`,
    )
  })

  it("is absent for what has begun or ended", () => {
    const processing = outgoingOf({ status: "PROCESSING" }).data
    expect(Transitions.beginProcessing(processing)).toEqual({ data: processing, emits: [] })
    const failed = outgoingOf({ status: "FAILED" }).data
    expect(Transitions.endCancellation("Conclude")(failed)).toEqual({ data: failed, emits: [] })
  })
})

describe("the end of a refund", () => {
  const refund = { reference: "R1", initiatedAt: 1, status: "PENDING", reason: "TIMEOUT" } as const
  const ended = (trigger: "Complete" | "Fail", isUnapplied?: true) =>
    Transitions.endRefund(
      trigger,
      now,
    )(outgoingOf({ refund, ...(isUnapplied === undefined ? {} : { isUnapplied }) }).data)

  it("moves the money from where it is", () => {
    expect(ended("Complete")).toMatchObject({
      posting: "refund",
      data: { refund: { status: "COMPLETED", settledAt: now } },
    })
    expect(ended("Complete", true).posting).toBe("refundFromUnapplied")
    expect(ended("Complete", true).data).not.toHaveProperty("isUnapplied")
    expect(ended("Fail")).toMatchObject({
      posting: "refundToUnapplied",
      data: { isUnapplied: true, refund: { ...refund, status: "FAILED" } },
    })
    expect(ended("Fail").data.refund).not.toHaveProperty("settledAt")
    expect(ended("Fail", true).posting).toBeUndefined()
  })
})
