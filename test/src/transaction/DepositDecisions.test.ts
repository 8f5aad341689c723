/**
 * What the decisions about deposits write: on arrival, on a second screening, while the money is held, and when it goes back.
 * Source: wire contract areas 2.7, 2.8 and 2.13; D-398, D-399, D-415.
 */
import { describe, expect, it } from "vitest"
import { zeroReceivable } from "../../../packages/core/src/decision/ledger/PostingChanges.ts"
import {
  type ArrivalFacts,
  decideDeposit,
  decideDepositRefund,
  decideScreenedAgain,
  depositRefundOf,
  isBeyondRange,
  isHeldDeposit,
  submitDepositRefund,
  waitsForDeclaration,
} from "../../../packages/core/src/decision/transaction/DepositDecision.ts"
import type { OutcomeLoaded } from "../../../packages/core/src/decision/transaction/OutcomeLoaded.ts"
import { decideRefundRetry } from "../../../packages/core/src/decision/transaction/RefundRetryDecision.ts"
import type { Refund } from "../../../packages/core/src/model/transaction/Transaction.ts"
import type { DepositVerdict } from "../../../packages/core/src/ports/DepositScreening.ts"
import { customerOf } from "../quote/CreationFacts.ts"
import {
  balance,
  beyondRange,
  cancelled,
  changesOf,
  contextOf,
  dataOf,
  depositOf,
  done,
  incomingOf,
  internalOf,
  jobOf,
  laterAt,
  loadedOf,
  now,
  outgoingOf,
  refused,
  returned,
  transactionId,
  unchanged,
  written,
} from "./StoredTransactions.ts"

const day = 24 * 60 * 60 * 1000
const incoming = (...types: ReadonlyArray<string>) => types.map((type) => `INCOMING_PAYMENT.${type}`)
const toHeld = ["400 outside:Customer:1:USD held:InternalAccount:1"]
const deposit = { source: { accountHolderName: "Sam" }, depositId: "bank-1" }
const clear: DepositVerdict = { _tag: "Clear" }

describe("a deposit that arrives", () => {
  const facts: ArrivalFacts = {
    account: internalOf(),
    customer: customerOf(),
    owed: zeroReceivable,
    total: 0,
    verdict: clear,
  }
  const decided = (
    more: Partial<ArrivalFacts> = {},
    isFull = false,
    details: Parameters<typeof decideDeposit>[2] = { deposit },
  ) =>
    decideDeposit(
      transactionId,
      400,
      details,
    )({ ...facts, ...more }, contextOf({ rejections: isFull ? beyondRange : [] }))
  const stored = (...of: Parameters<typeof decided>) => dataOf({ ...changesOf(decided(...of)), updates: [] })[0]
  const wrote = (...of: Parameters<typeof decided>) => written(changesOf(decided(...of)))

  it("is credited with what the report says", () => {
    const details = { sent: { amount: 5, currency: "EUR" }, exchangeRate: 2, fees: 1, description: "rent" } as const
    expect(stored({}, false, { deposit, ...details })).toEqual({
      type: "INCOMING",
      status: "COMPLETED",
      direction: "CREDIT",
      reference: expect.any(String),
      destinationAccountId: "InternalAccount:1",
      platformCustomerId: "own Customer:1",
      amount: 400,
      currency: "USD",
      counterpartyInformation: { FULL_NAME: "Sam" },
      deposit,
      ...details,
      settledAt: now,
    })
    expect(wrote()).toEqual({
      ...unchanged,
      events: [...incoming("COMPLETED"), balance],
      postings: ["400 outside:Customer:1:USD available:InternalAccount:1"],
    })
    expect(decided()).toMatchObject({ status: 201, body: { id: transactionId, status: "COMPLETED" } })
    expect(changesOf(decided()).guards).toContainEqual({ kind: "InternalAccount", id: "InternalAccount:1", version: 3 })
  })

  it("of the platform, without a name, has neither", () => {
    const data = stored({ customer: undefined }, false, { deposit: { source: {} } })
    expect(data).toMatchObject({ platformCustomerId: "" })
    expect(data).not.toHaveProperty("counterpartyInformation")
  })

  it("is held for seven days, and the rail is asked when the screening says so", () => {
    const hold = { _tag: "Hold", reason: "COMPLIANCE_REVIEW" } as const
    expect(stored({ verdict: hold })).toMatchObject({ status: "PENDING", pendingReason: "COMPLIANCE_REVIEW" })
    const held = { ...unchanged, events: [...incoming("PENDING"), balance], postings: toHeld }
    const expiry = jobOf("deposit.expire", 7 * day)
    expect(wrote({ verdict: hold })).toEqual({ ...held, jobs: [expiry] })
    expect(wrote({ verdict: { ...hold, askAgainAt: now + 9 } })).toEqual({
      ...held,
      jobs: [jobOf("deposit.ask", 9), expiry],
    })
    for (const reason of ["COUNTERPARTY_DECLARATION_REQUIRED", "WALLET_VERIFICATION_REQUIRED"] as const)
      expect(wrote({ verdict: { ...hold, reason } }).jobs).toEqual([jobOf("deposit.screen", 0), expiry])
  })

  it("goes back when it is refused, or its account is not active", () => {
    const back = {
      ...unchanged,
      events: [...incoming("FAILED", "REFUND_PENDING"), balance],
      postings: toHeld,
      jobs: [jobOf("deposit.refund", 0)],
    }
    const refuse = { _tag: "Refuse", reason: "COMPLIANCE_REJECTED" } as const
    expect(wrote({ verdict: refuse })).toEqual(back)
    expect(wrote({ account: internalOf({ status: "FROZEN" }) })).toEqual(back)
    const refund = { reference: "R00000000ABCD", initiatedAt: now, status: "PENDING", reason: "TRANSACTION_FAILED" }
    expect(stored({ verdict: refuse })).toMatchObject({
      status: "FAILED",
      failureReason: "COMPLIANCE_REJECTED",
      refund,
    })
    expect(stored({ account: internalOf({ status: "FROZEN" }) })).toMatchObject({ failureReason: "COLLECTION_FAILED" })
  })

  it("is unapplied where the account cannot count it", () => {
    for (const [more, isFull] of [
      [{}, true],
      [{ total: Number.MAX_SAFE_INTEGER - 399 }, false],
    ] as const) {
      expect(stored(more, isFull)).toMatchObject({
        type: "INCOMING",
        status: "FAILED",
        direction: "CREDIT",
        failureReason: "COLLECTION_FAILED",
        isUnapplied: true,
        destinationAccountId: "InternalAccount:1",
        deposit,
      })
      expect(wrote(more, isFull)).toEqual({
        ...unchanged,
        events: incoming("FAILED"),
        postings: ["400 unapplied-outside unapplied"],
      })
    }
    expect(isBeyondRange({ total: Number.MAX_SAFE_INTEGER - 400 }, 400, { rejections: [] })).toBe(false)
  })

  it("changes nothing at its second report", () => {
    const claim = { scope: "platform", key: "deposit" } as const
    const decision = decideDeposit(transactionId, 400, { deposit })(
      facts,
      contextOf({ rejections: [{ _tag: "Taken", claim }] }),
    )
    expect(decision).toMatchObject({ status: 200, body: null, changes: {} })
    expect(changesOf(decision)).toEqual({})
  })
})

describe("a second screening", () => {
  const waiting = depositOf({ pendingReason: "WALLET_VERIFICATION_REQUIRED" })
  const screened = (verdict: DepositVerdict, more: Partial<OutcomeLoaded> = {}, isFull = false) =>
    decideScreenedAgain(loadedOf(waiting, more), verdict, isFull, contextOf())

  it("ends the hold, or gives the money back", () => {
    expect(written(screened(clear))).toEqual({
      ...unchanged,
      statuses: ["COMPLETED"],
      events: [...incoming("COMPLETED"), balance],
      postings: ["400 held:InternalAccount:1 available:InternalAccount:1"],
    })
    const refuse = { _tag: "Refuse", reason: "OFFRAMP_FAILED" } as const
    for (const [changes, failureReason] of [
      [screened(refuse), "OFFRAMP_FAILED"],
      [screened(clear, {}, true), "COLLECTION_FAILED"],
      [screened(clear, { account: internalOf({ status: "CLOSED" }) }), "COLLECTION_FAILED"],
    ] as const) {
      expect(dataOf(changes ?? {})).toMatchObject([{ status: "FAILED", failureReason, refund: { status: "PENDING" } }])
      expect(written(changes)).toMatchObject({
        events: incoming("FAILED", "REFUND_PENDING"),
        jobs: [jobOf("deposit.refund", 0)],
      })
    }
  })

  it("changes the reason of the hold, and asks the rail when it says so", () => {
    const hold = { _tag: "Hold", reason: "COMPLIANCE_REVIEW" } as const
    expect(dataOf(screened(hold) ?? {})).toEqual([{ ...waiting.data, pendingReason: "COMPLIANCE_REVIEW" }])
    expect(written(screened({ ...hold, askAgainAt: now + 9 }))).toEqual({
      ...unchanged,
      statuses: ["PENDING"],
      events: incoming("PENDING"),
      jobs: [jobOf("deposit.ask", 9)],
    })
    expect(written(screened(hold)).jobs).toEqual([])
    expect(screened({ _tag: "Hold", reason: "WALLET_VERIFICATION_REQUIRED" })).toBeUndefined()
  })

  it("changes only a held deposit that waits for its declaration", () => {
    expect(screened(clear, { account: undefined })).toBeUndefined()
    for (const transaction of [
      depositOf({ pendingReason: "COMPLIANCE_REVIEW" }),
      depositOf({ status: "COMPLETED", pendingReason: "WALLET_VERIFICATION_REQUIRED" }),
      incomingOf({ pendingReason: "WALLET_VERIFICATION_REQUIRED" }),
      outgoingOf(),
    ]) {
      expect(waitsForDeclaration(transaction)).toBe(false)
      expect(screened(clear, { transaction })).toBeUndefined()
    }
    expect(waitsForDeclaration(waiting)).toBe(true)
    expect([depositOf(), incomingOf(), depositOf({ status: "FAILED" }), outgoingOf()].map(isHeldDeposit)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

describe("a deposit that goes back", () => {
  const pending: Refund = { reference: "R1", initiatedAt: now - 500, status: "PENDING", reason: "TRANSACTION_FAILED" }
  const failed = depositOf({ status: "FAILED", refund: pending })
  const ended = (outcome: Parameters<typeof decideDepositRefund>[1], more: Partial<OutcomeLoaded> = {}) =>
    decideDepositRefund(loadedOf(failed, more), outcome, false, contextOf())

  it("leaves the held balance when the rail has given it back", () => {
    expect(ended(done)?.transaction).toMatchObject({
      version: 4,
      data: { status: "REFUNDED", refund: { ...pending, status: "COMPLETED", settledAt: now } },
    })
    expect(written(ended(done)?.changes)).toEqual({
      ...unchanged,
      statuses: ["REFUNDED"],
      events: [...incoming("REFUND_COMPLETED"), balance],
      postings: ["400 held:InternalAccount:1 outside:Customer:1:USD"],
    })
  })

  it("stays held for a person when the rail cannot give it back", () => {
    for (const outcome of [refused, returned, cancelled]) {
      expect(ended(outcome)?.transaction.data).toEqual({
        ...failed.data,
        refund: { ...pending, status: "FAILED" },
        isUnapplied: true,
      })
      expect(written(ended(outcome)?.changes)).toEqual({
        ...unchanged,
        statuses: ["FAILED"],
        events: incoming("REFUND_FAILED"),
      })
    }
  })

  it("is asked for again in a second at the earliest", () => {
    expect(written(ended(laterAt(now))?.changes)).toEqual({ ...unchanged, jobs: [jobOf("deposit.refund", 1000)] })
    expect(written(ended(laterAt(now + 9000))?.changes).jobs).toEqual([jobOf("deposit.refund", 9000)])
  })

  it("stays as it is where no refund is pending", () => {
    for (const more of [
      { account: undefined },
      { transaction: depositOf() },
      { transaction: depositOf({ refund: { ...pending, status: "FAILED" } }) },
      { transaction: outgoingOf({ refund: pending }) },
    ])
      expect(ended(done, more)).toBeUndefined()
  })

  it("is asked for once more by an operator", () => {
    const stuck = depositOf({ status: "FAILED", isUnapplied: true, refund: { ...pending, status: "FAILED" } })
    const decision = decideRefundRetry(loadedOf(stuck), contextOf())
    expect(decision).toMatchObject({ status: 200, body: { id: transactionId, refund: { status: "PENDING" } } })
    const { isUnapplied: _, ...data } = stuck.data
    expect(dataOf({ updates: changesOf(decision).updates ?? [] })).toEqual([{ ...data, refund: pending }])
    expect(written(changesOf(decision))).toMatchObject({
      events: incoming("REFUND_PENDING"),
      jobs: [jobOf("deposit.refund", 0)],
    })
    expect(changesOf(decision).inserts).toMatchObject([{ data: { operation: "REFUND_RETRY", target: transactionId } }])
  })

  const submittedAt = now - 100
  const submitted = depositOf({
    status: "FAILED",
    deposit: { source: { accountIdentifier: "123", paymentRail: "WIRE" } },
    refund: { ...pending, submittedAt },
  })

  it("is instructed with its reference and the rail by which it came", () => {
    const destination = {
      accountId: "123",
      currency: "USD",
      accountInfo: { accountType: "DEPOSIT_ORIGINATOR", accountIdentifier: "123", paymentRail: "WIRE" },
    }
    const request = { reference: "R1", destination, amount: 400, submittedAt, rail: "WIRE" }
    expect(depositRefundOf(submitted)).toEqual({ _tag: "Push", request })
    const { rail: _, ...withoutRail } = request
    expect(depositRefundOf(depositOf({ refund: { ...pending, submittedAt } }))).toEqual({
      _tag: "Push",
      request: {
        ...withoutRail,
        destination: { accountId: "", currency: "USD", accountInfo: { accountType: "DEPOSIT_ORIGINATOR" } },
      },
    })
    for (const stored of [
      failed,
      depositOf(),
      depositOf({ refund: { ...pending, status: "FAILED", submittedAt } }),
      outgoingOf({ refund: { ...pending, submittedAt } }),
    ])
      expect(depositRefundOf(stored)).toBeUndefined()
  })

  it("is marked as submitted once", () => {
    const decision = submitDepositRefund(failed, contextOf())
    const data = { ...failed.data, refund: { ...pending, submittedAt: now } }
    expect(decision).toMatchObject({ status: 200, body: { isFirst: true, transaction: { version: 4, data } } })
    expect(dataOf(changesOf(decision))).toEqual([data])
    for (const stored of [
      submitted,
      depositOf(),
      depositOf({ refund: { ...pending, status: "FAILED" } }),
      outgoingOf({ refund: pending }),
    ])
      expect(submitDepositRefund(stored, contextOf())).toMatchObject({
        status: 200,
        body: { isFirst: false, transaction: stored },
        changes: {},
      })
  })
})
