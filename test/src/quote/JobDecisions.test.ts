/** What the jobs of a quote write: of its pull, and of its end. Wire contract 5.5, 5.7 and 11 (7); D-130. */
import type { AgentAction } from "@countersign/core/models"
import type { ClaimedJob, Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import type { QuoteRecords } from "../../../packages/core/src/decision/quote/QuoteExecutionDecision.ts"
import {
  expireOverdue,
  recordPullOutcome,
  submitPull,
} from "../../../packages/core/src/decision/quote/QuoteJobDecision.ts"
import type { OutgoingTransaction } from "../../../packages/core/src/model/transaction/Transaction.ts"
import { isEmpty } from "../../../packages/core/src/store/Changes.ts"
import {
  cancelled,
  changesOf,
  contextOf,
  done,
  exchangeOf,
  externalOf,
  laterAt,
  now,
  refused,
  returned,
  written,
} from "../transaction/StoredTransactions.ts"
import { challenge, dated, quoteOf, recordsOf, waiting } from "./StoredQuotes.ts"

describe("the pull of a quote", () => {
  const pulling = { ...waiting, funding: "PULL", pull: {} } as typeof waiting
  const of = (more: Partial<OutgoingTransaction> = {}, records: Partial<QuoteRecords> = {}) =>
    recordsOf(
      quoteOf("PROCESSING", { funding: "PULL" }),
      { status: "PROCESSING", exchange: pulling, ...more },
      { pulled: externalOf(), ...records },
    )

  it("is marked before the rail is called, once", () => {
    const decision = submitPull(of(), contextOf())
    expect(decision).toMatchObject({
      body: { isBlocked: false, isFirst: true, transaction: { data: { exchange: { pull: { submittedAt: now } } } } },
    })
    expect(changesOf(decision).updates?.map(({ data }) => data)).toMatchObject([
      { exchange: { pull: { submittedAt: now } } },
    ])
    expect(changesOf(decision).guards?.map(({ kind }) => kind)).toEqual(["ExternalAccount"])
  })

  it.each<[what: string, records: QuoteRecords, isBlocked: boolean]>([
    ["an earlier attempt", of({ exchange: { ...pulling, pull: { submittedAt: 1 } } as typeof waiting }), false],
    ["a quote that is not pulled", of({ exchange: waiting }), false],
    ["an account that is not active", of({}, { pulled: externalOf({ status: "INACTIVE" }) }), true],
  ])("is not marked again, nor of %s", (_, records, isBlocked) => {
    const decision = submitPull(records, contextOf())
    expect(decision).toMatchObject({ body: { isBlocked, isFirst: false } })
    expect(isEmpty(changesOf(decision))).toBe(true)
  })

  it("of a deleted account goes on", () => {
    const pulled = externalOf({ status: "INACTIVE", isDeleted: true })
    expect(submitPull(of({}, { pulled }), contextOf())).toMatchObject({ body: { isBlocked: false, isFirst: true } })
  })

  const job: ClaimedJob = {
    id: "Job:1",
    platformId: "PlatformConfig:1",
    queue: "work",
    dueAt: now,
    firstClaimedAt: now,
    kind: "quote.pull",
    customerId: "Customer:1",
    lane: "l",
    payload: { quoteId: "Quote:1" },
    attempt: 1,
  }
  const approved: AgentAction = {
    agentId: "Agent:1",
    platformCustomerId: "ada",
    type: "EXECUTE_QUOTE",
    status: "APPROVED",
    charges: [],
  }
  const recorded = (outcome: Parameters<typeof recordPullOutcome>[1], records = of(), given = job) =>
    written(recordPullOutcome({ records, action: undefined, agent: undefined }, outcome, given, contextOf()))

  it.each([
    [laterAt(now + 9000), 9000],
    [laterAt(now + 999), 1000],
    [laterAt(now - 5), 1000],
  ])("that is not known yet is asked about again: %j in %i ms", (outcome, millis) => {
    expect(recorded(outcome)).toMatchObject({
      statuses: [],
      jobs: [["quote.pull", millis, "l", { quoteId: "Quote:1" }]],
    })
    const { lane: _lane, ...without } = job
    expect(recorded(outcome, of(), without)).toMatchObject({
      jobs: [["quote.pull", millis, "", { quoteId: "Quote:1" }]],
    })
  })

  it("that collected the money goes on, and a failed one ends the quote for its reason", () => {
    expect(recorded(done).jobs.map(([kind]) => kind)).toEqual(["transfer.push"])
    for (const [outcome, reason] of [
      [refused, "TIMED_OUT"],
      [returned, "BANK_REJECTED"],
      [cancelled, "BANK_REJECTED"],
    ] as const) {
      expect(recorded(outcome).statuses).toEqual(["FAILED", "FAILED"])
      const agent = { ...dated, kind: "Agent", id: "Agent:1", data: {} } as Stored<"Agent">
      const action = {
        ...dated,
        kind: "AgentAction",
        id: "AgentAction:1",
        data: approved,
      } as Stored<"AgentAction">
      const changes = recordPullOutcome({ records: of(), action, agent }, outcome, job, contextOf())
      const failed = changes.updates?.find(({ kind }) => kind === "AgentAction")
      expect(failed?.data).toMatchObject({ status: "FAILED", explanation: { reason } })
    }
  })

  it.each([done, refused, returned])("that ended before says nothing more: %j", (outcome) => {
    for (const data of [{ exchange: exchangeOf() }, { status: "COMPLETED" }] as const) {
      expect(recorded(outcome, of(data))).toEqual(written(undefined))
    }
  })
})

describe("a quote whose time is over", () => {
  const overdue = (quote: Stored<"Quote">, status: OutgoingTransaction["status"]) =>
    expireOverdue({ records: recordsOf(quote, { status }), action: undefined, agent: undefined }, contextOf())

  it("expires, or fails with its challenge", () => {
    const expired = overdue(quoteOf("PENDING", { expiresAt: now }), "PENDING")
    expect(written(expired).statuses).toEqual(["EXPIRED", "EXPIRED"])
    const failed = overdue(
      quoteOf("PENDING_AUTHORIZATION", { challenge: { ...challenge, expiresAt: now } }),
      "PENDING_AUTHORIZATION",
    )
    expect(written(failed).statuses).toEqual(["FAILED", "FAILED"])
    expect(JSON.stringify(failed?.updates)).not.toContain("ScaChallenge:1")
  })

  it("is left alone before, and once it is executed", () => {
    expect(overdue(quoteOf("PENDING", { expiresAt: now + 1 }), "PENDING")).toBeUndefined()
    expect(overdue(quoteOf("PROCESSING", { expiresAt: now }), "PROCESSING")).toBeUndefined()
    expect(
      overdue(
        quoteOf("PENDING_AUTHORIZATION", { challenge: { ...challenge, expiresAt: now + 1 } }),
        "PENDING_AUTHORIZATION",
      ),
    ).toBeUndefined()
  })
})
