/**
 * What each outcome of a rail changes in an incoming transaction, and in the action of an agent: statuses, events, postings and jobs.
 * Source: wire contract 5.7, 7.3 and 11 (49, 50, 51); D-010, D-092.
 */
import type { AgentAction } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import { decideHeldDeposit } from "../../../packages/core/src/decision/transaction/DepositDecision.ts"
import type { DefiniteOutcome, OutcomeLoaded } from "../../../packages/core/src/decision/transaction/OutcomeDecision.ts"
import {
  balance,
  cancelled,
  contextOf,
  decided,
  depositOf,
  done,
  incomingOf,
  internalOf,
  jobOf,
  laterAt,
  loadedOf,
  now,
  outcomes,
  outgoingOf,
  pullOf,
  refused,
  returned,
  unchanged,
  written,
  wrote,
} from "./StoredTransactions.ts"

const failedIn = "INCOMING_PAYMENT.FAILED"

describe("the outcome of a pull", () => {
  it.each<readonly [string, DefiniteOutcome, unknown, unknown]>([
    [
      "credits the account",
      done,
      { status: "COMPLETED", settledAt: now },
      {
        ...unchanged,
        statuses: ["COMPLETED"],
        events: ["INCOMING_PAYMENT.COMPLETED", balance],
        postings: ["400 outside:Customer:1:USD available:InternalAccount:1"],
      },
    ],
    [
      "stores the hash on its chain",
      { _tag: "Done", transactionHash: "0xabc" },
      { status: "COMPLETED", settledAt: now, transactionHash: "0xabc" },
      expect.objectContaining({ statuses: ["COMPLETED"] }),
    ],
    ...[refused, returned, cancelled].map(
      (outcome) =>
        [
          `fails it: ${outcome._tag}`,
          outcome,
          { status: "FAILED", failureReason: "COLLECTION_FAILED" },
          { ...unchanged, statuses: ["FAILED"], events: [failedIn] },
        ] as const,
    ),
    [
      "asks again at the rail's time",
      laterAt(now + 9000),
      { status: "PENDING" },
      { ...unchanged, jobs: [jobOf("transfer.pull", 9000, "ExternalAccount:1", "pull")] },
    ],
    [
      "asks again in a second at the earliest",
      laterAt(now),
      { status: "PENDING" },
      { ...unchanged, jobs: [jobOf("transfer.pull", 1000, "ExternalAccount:1", "pull")] },
    ],
  ])("%s", (_, outcome, data, changes) => {
    const result = decided(loadedOf(pullOf()), outcome)
    expect(result?.transaction.data).toEqual({ ...pullOf().data, ...(data as object) })
    expect(written(result?.changes)).toEqual(changes)
  })

  it("books money that its account cannot hold as unapplied", () => {
    const result = decided(loadedOf(pullOf()), done, true)
    expect(result?.transaction.data).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
      isUnapplied: true,
    })
    expect(written(result?.changes).postings).toEqual(["400 unapplied-outside unapplied"])
    expect(written(result?.changes).events).toEqual([failedIn])
  })

  it("takes a completed one back from the account, and what is not there becomes a debt", () => {
    const loaded = loadedOf(pullOf({ status: "COMPLETED" }))
    expect(wrote(loaded, returned)).toEqual({
      ...unchanged,
      statuses: ["FAILED"],
      events: [failedIn, balance],
      postings: ["400 available:InternalAccount:1 outside:Customer:1:USD"],
    })
    expect(wrote({ ...loaded, available: { balance: 100, sequence: 4 } }, returned).postings).toEqual([
      "100 available:InternalAccount:1 outside:Customer:1:USD",
      "300 receivable:Customer:1:USD outside:Customer:1:USD",
    ])
  })

  it("changes nothing once it has ended", () => {
    for (const status of ["FAILED", "REJECTED", "REFUNDED"] as const)
      for (const outcome of outcomes) expect(decided(loadedOf(pullOf({ status })), outcome)).toBeUndefined()
    for (const outcome of [done, refused, cancelled, laterAt(now)])
      expect(decided(loadedOf(pullOf({ status: "COMPLETED" })), outcome)).toBeUndefined()
  })

  it("is a defect without the account that it credits", () => {
    expect(() => decided(loadedOf(pullOf(), { account: undefined }), done)).toThrow(
      `${pullOf().id} has no destination account`,
    )
  })
})

describe("the outcome of a deposit", () => {
  it.each<readonly [string, DefiniteOutcome, unknown, unknown]>([
    ["a release credits it", done, { status: "COMPLETED" }, ["400 held:InternalAccount:1 available:InternalAccount:1"]],
    ["a refusal keeps its money held", refused, { status: "FAILED", failureReason: "COMPLIANCE_REJECTED" }, []],
    ["a cancellation keeps its money held", cancelled, { status: "FAILED", failureReason: "COMPLIANCE_REJECTED" }, []],
    [
      "a return lets its money go",
      returned,
      { status: "FAILED", failureReason: "COLLECTION_FAILED" },
      ["400 held:InternalAccount:1 outside:Customer:1:USD"],
    ],
  ])("%s while it is held", (_, outcome, data, postings) => {
    const result = decided(loadedOf(depositOf({ pendingReason: "COMPLIANCE_REVIEW" })), outcome)
    expect(result?.transaction.data).toMatchObject(data as object)
    expect(result?.transaction.data).not.toHaveProperty("pendingReason")
    expect(written(result?.changes).postings).toEqual(postings)
  })

  it("is asked for again in a second at the earliest", () => {
    const jobAt = (at: number) => wrote(loadedOf(depositOf()), laterAt(at))
    expect(jobAt(now)).toEqual({ ...unchanged, jobs: [jobOf("deposit.ask", 1000)] })
    expect(jobAt(now + 9000)).toEqual({ ...unchanged, jobs: [jobOf("deposit.ask", 9000)] })
  })

  it("refuses a release into an account that is full or not active", () => {
    for (const [account, isFull] of [
      [internalOf(), true],
      [internalOf({ status: "FROZEN" }), false],
    ] as const) {
      const result = decided(loadedOf(depositOf(), { account }), done, isFull)
      expect(result?.transaction.data).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
      expect(written(result?.changes).jobs).toEqual([jobOf("deposit.refund", 0)])
    }
  })

  it("is a defect without the account that holds it", () => {
    const loaded = loadedOf(depositOf(), { account: undefined })
    expect(() => decideHeldDeposit(loaded, depositOf(), done, false, contextOf())).toThrow(
      `${depositOf().id} has no destination account`,
    )
  })

  it("is taken back from the available balance once it was credited", () => {
    expect(wrote(loadedOf(depositOf({ status: "COMPLETED" })), returned)).toMatchObject({
      statuses: ["FAILED"],
      postings: ["400 available:InternalAccount:1 outside:Customer:1:USD"],
    })
    for (const outcome of [done, refused, cancelled, laterAt(now)])
      expect(decided(loadedOf(depositOf({ status: "COMPLETED" })), outcome)).toBeUndefined()
  })
})

it("no outcome of a rail changes a payment that awaits the platform's approval, or has been approved", () => {
  for (const status of ["PENDING", "COMPLETED", "FAILED"] as const)
    for (const outcome of outcomes) expect(decided(loadedOf(incomingOf({ status })), outcome)).toBeUndefined()
})

describe("the action of an agent", () => {
  const dated = { platformId: "PlatformConfig:1", customerId: "Customer:1", version: 1, createdAt: 1, updatedAt: 1 }
  const actionOf = (status: AgentAction["status"]): Stored<"AgentAction"> => ({
    ...dated,
    kind: "AgentAction",
    id: "AgentAction:1",
    data: { agentId: "Agent:1", platformCustomerId: "ada", status, type: "TRANSFER_OUT", charges: [] },
  })
  const agent = { ...dated, kind: "Agent", id: "Agent:1", data: {} } as Stored<"Agent">
  const failure = (loaded: OutcomeLoaded, outcome: DefiniteOutcome, isFull = false) =>
    (decided(loaded, outcome, isFull)?.changes.updates ?? []).flatMap(({ data, kind }) =>
      kind === "AgentAction" ? [data.status, data.explanation?.["reason"]] : [],
    )

  it.each<readonly [DefiniteOutcome, boolean, string]>([
    [refused, false, "TIMED_OUT"],
    [returned, false, "RETURNED"],
    [cancelled, false, "CANCELLED"],
    [done, true, "AMOUNT_OUT_OF_RANGE"],
  ])("fails with its transaction: %j", (outcome, isFull, reason) => {
    for (const transaction of [pullOf(), outgoingOf()]) {
      const loaded = loadedOf(transaction, { action: actionOf("APPROVED"), agent })
      expect(failure(loaded, outcome, isFull)).toEqual(["FAILED", reason])
    }
  })

  it("fails with a pull or a payment that comes back later", () => {
    for (const transaction of [pullOf({ status: "COMPLETED" }), outgoingOf({ status: "COMPLETED" })])
      expect(failure(loadedOf(transaction, { action: actionOf("APPROVED"), agent }), returned)).toEqual([
        "FAILED",
        "RETURNED",
      ])
  })

  it("stays as it is when it has ended, when its agent is not known, and when the payment succeeds", () => {
    const of = (more: Partial<OutcomeLoaded>) => loadedOf(outgoingOf(), more)
    expect(failure(of({ action: actionOf("FAILED"), agent }), refused)).toEqual([])
    expect(failure(of({ action: actionOf("APPROVED") }), refused)).toEqual([])
    expect(failure(of({ agent }), refused)).toEqual([])
    expect(failure(of({ action: actionOf("APPROVED"), agent }), done)).toEqual([])
  })
})
