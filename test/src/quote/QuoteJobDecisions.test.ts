/**
 * What the jobs of a quote write: the submission of its pull, the outcome, its end, and the sweep of fees.
 * Source: wire contract 5.5 and 5.7; D-124, D-130.
 */
import type { AgentAction } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { sweepFees } from "../../../packages/core/src/decision/quote/FeeSweepDecision.ts"
import type { QuoteRecords } from "../../../packages/core/src/decision/quote/QuoteExecutionDecision.ts"
import {
  expireOverdue,
  type QuoteJobLoaded,
  recordPullOutcome,
  submitPull,
} from "../../../packages/core/src/decision/quote/QuoteJobDecision.ts"
import type { DefiniteOutcome } from "../../../packages/core/src/decision/transaction/OutcomeDecision.ts"
import type { Quote, QuoteChallenge } from "../../../packages/core/src/model/quote/Quote.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import type { ClaimedJob } from "../../../packages/core/src/store/Store.ts"
import { partsOf, partsWritten } from "../operation/WrittenParts.ts"
import {
  balance,
  beyondRange,
  contextOf,
  externalOf,
  internalOf,
  jobOf,
  laterAt,
  now,
  outgoingEvents,
  owner,
  refused,
  transactionId,
  unchanged,
  written,
} from "../transaction/StoredTransactions.ts"
import { challengeOf, paymentOf, quoteOf, recordsOf, updatedQuote } from "./StoredQuotes.ts"

const challenged = (challenge: Partial<QuoteChallenge> = {}, quote: Partial<Quote> = {}): Partial<QuoteRecords> => ({
  quote: quoteOf({ status: "PENDING_AUTHORIZATION", challenge: challengeOf(challenge), ...quote }),
  transaction: paymentOf({ status: "PENDING_AUTHORIZATION" }, { funding: quote.funding ?? "ACCOUNT" }),
})
const pushed = jobOf("transfer.push", 0, "ExternalAccount:1")
const pull = { sourceType: "ACCOUNT", accountId: "ExternalAccount:1" } as const
const pulledRecords = (exchange: object = {}, more: Partial<QuoteRecords> = {}) =>
  recordsOf({
    quote: quoteOf({ status: "PROCESSING", funding: "PULL", source: pull }),
    transaction: paymentOf(
      { status: "PROCESSING", sourceAccountId: "ExternalAccount:1" },
      { funding: "PULL", ...exchange },
    ),
    account: undefined,
    pulled: externalOf(),
    ...more,
  })

describe("the submission of a pull", () => {
  const asked = { pull: { rail: "ACH" } }
  const submitted = (exchange: object, more: Partial<QuoteRecords> = {}) =>
    submitPull(pulledRecords(exchange, more), contextOf())

  it("is stored before the rail is asked, and guards the pulled account", () => {
    const decision = submitted(asked)
    const { transaction } = pulledRecords({ pull: { rail: "ACH", submittedAt: now } })
    expect(decision).toMatchObject({ status: 200, body: { transaction, isBlocked: false, isFirst: true } })
    expect(partsWritten(decision)).toEqual({
      updates: [{ kind: "Transaction", id: transactionId, version: 3, data: transaction.data }],
      guards: [{ kind: "ExternalAccount", id: "ExternalAccount:1", version: 3 }],
    })
    expect(submitted(asked, { pulled: undefined })).toMatchObject({ body: { isFirst: true }, changes: { guards: [] } })
  })

  it.each<[string, object, Partial<QuoteRecords>, boolean]>([
    ["a second time", { pull: { rail: "ACH", submittedAt: 1 } }, {}, false],
    ["of nothing", {}, {}, false],
    ["from an inactive account", asked, { pulled: externalOf({ status: "INACTIVE" }) }, true],
    [
      "from an inactive account a second time",
      { pull: { rail: "ACH", submittedAt: 1 } },
      { pulled: externalOf({ status: "INACTIVE" }) },
      true,
    ],
  ])("writes nothing: %s", (_, exchange, more, isBlocked) => {
    const decision = submitted(exchange, more)
    const { transaction } = pulledRecords(exchange)
    expect(decision).toMatchObject({ status: 200, body: { transaction, isBlocked, isFirst: false } })
    expect(decision.changes).toEqual({})
  })

  it("from a deleted account goes on", () => {
    const pulled = externalOf({ status: "INACTIVE", isDeleted: true })
    expect(submitted(asked, { pulled })).toMatchObject({ body: { isBlocked: false, isFirst: true } })
  })
})

const dated = { ...owner, version: 3, createdAt: now, updatedAt: now }
const agent = { ...dated, kind: "Agent", id: "Agent:1", data: {} } as Stored<"Agent">
const actionOf = (status: AgentAction["status"]): Stored<"AgentAction"> => ({
  ...dated,
  kind: "AgentAction",
  id: "AgentAction:1",
  data: { agentId: "Agent:1", platformCustomerId: "ada", status, type: "EXECUTE_QUOTE", charges: [] },
})
const failedActions = (changes: ReturnType<typeof partsOf> | undefined) =>
  (changes?.updates ?? []).flatMap(({ data, kind }) => (kind === "AgentAction" ? [data] : []))
const failed = (reason: string) => [
  expect.objectContaining({ status: "FAILED", explanation: expect.objectContaining({ reason }) }),
]

describe("the outcome of a pull for a quote", () => {
  const job: ClaimedJob = {
    id: "Job:1",
    queue: "work",
    kind: "quote.pull",
    customerId: "Customer:1",
    lane: "pull",
    dueAt: now,
    payload: { transactionId },
    platformId: owner.platformId,
    attempt: 1,
    firstClaimedAt: now,
  }
  const { lane: _lane, ...withoutLane } = job
  const outcome = (of: DefiniteOutcome, more: Partial<QuoteJobLoaded> = {}, claimed: ClaimedJob = job) =>
    recordPullOutcome(
      { records: pulledRecords(), action: undefined, agent: undefined, ...more },
      of,
      claimed,
      contextOf(),
    )

  it("pays the destination once the money has arrived, with its hash", () => {
    const changes = outcome({ _tag: "Done", transactionHash: "0xa" })
    expect(written(changes)).toMatchObject({ statuses: ["PROCESSING"], jobs: [pushed] })
    expect(changes.updates?.[0]?.data).toMatchObject({ exchange: { fundedAt: now, transactionHash: "0xa" } })
    const internal = outcome({ _tag: "Done" }).updates?.[0]?.data
    expect(internal).toMatchObject({ exchange: { fundedAt: now } })
    expect(Object(internal).exchange).not.toHaveProperty("transactionHash")
  })

  it.each<[DefiniteOutcome, string, string]>([
    [refused, "QUOTE_EXECUTION_FAILED", "TIMED_OUT"],
    [{ _tag: "Refused", reason: "COMPLIANCE_REJECTED" }, "COMPLIANCE_REJECTED", "COMPLIANCE_REJECTED"],
    [{ _tag: "Returned" }, "QUOTE_EXECUTION_FAILED", "BANK_REJECTED"],
    [{ _tag: "Cancelled" }, "QUOTE_EXECUTION_FAILED", "BANK_REJECTED"],
  ])("fails the quote and the action of its agent: %j", (of, failureReason, reason) => {
    const changes = outcome(of, { action: actionOf("APPROVED"), agent })
    expect(written(changes)).toMatchObject({
      statuses: ["FAILED", "FAILED", "FAILED"],
      events: outgoingEvents("FAILED"),
      postings: [],
      jobs: [],
    })
    expect(changes.updates?.[0]?.data).toMatchObject({ failureReason })
    expect(failedActions(changes)).toEqual(failed(reason))
    expect(failedActions(outcome(of, { action: actionOf("FAILED"), agent }))).toEqual([])
    expect(failedActions(outcome(of, { action: actionOf("APPROVED") }))).toEqual([])
    expect(failedActions(outcome(of, { agent }))).toEqual([])
  })

  it("asks again at the rail's time, in a second at the earliest", () => {
    const retries = (at: number, claimed: ClaimedJob = job) => partsOf(outcome(laterAt(at), {}, claimed))
    const retry = { id: "Job:1", queue: "work", kind: "quote.pull", customerId: "Customer:1", payload: job.payload }
    expect(Object.keys(retries(now + 1001))).toEqual(["jobs"])
    expect(retries(now + 1001).jobs).toMatchObject([{ ...retry, lane: "pull", dueAt: now + 1001 }])
    expect(retries(now + 999).jobs).toMatchObject([{ dueAt: now + 1000 }])
    expect(retries(now, withoutLane).jobs?.[0]).not.toHaveProperty("lane")
  })

  it("changes nothing once the money has arrived, or the payment has ended", () => {
    const ended = pulledRecords({}, { transaction: paymentOf({ status: "FAILED" }, { funding: "PULL" }) })
    for (const records of [pulledRecords({ fundedAt: now - 1 }), ended])
      for (const of of [refused, { _tag: "Done" } as const])
        expect(partsOf(outcome(of, { records, action: actionOf("APPROVED"), agent }))).toEqual({})
  })
})

describe("the end of a quote by its job", () => {
  const overdue = (records: Partial<QuoteRecords>, more: Partial<QuoteJobLoaded> = {}) =>
    expireOverdue({ records: recordsOf(records), action: actionOf("APPROVED"), agent, ...more }, contextOf())

  it("is stored from its time on, and fails no action", () => {
    expect(overdue({})).toBeUndefined()
    expect(overdue({ quote: quoteOf({ expiresAt: now + 1 }) })).toBeUndefined()
    expect(overdue({ quote: quoteOf({ status: "PROCESSING", expiresAt: now }) })).toBeUndefined()
    const changes = overdue({ quote: quoteOf({ expiresAt: now }) })
    expect(written(changes)).toEqual({
      ...unchanged,
      statuses: ["EXPIRED", "EXPIRED"],
      events: outgoingEvents("EXPIRED"),
    })
    expect(failedActions(changes)).toEqual([])
  })

  it("fails it where its challenge has ended, with the action of its agent", () => {
    expect(overdue(challenged())).toBeUndefined()
    const changes = overdue(challenged({ expiresAt: now }))
    expect(written(changes)).toMatchObject({
      statuses: ["FAILED", "FAILED", "FAILED"],
      events: outgoingEvents("FAILED"),
    })
    expect(updatedQuote(changes)).toEqual([quoteOf({ status: "FAILED" }).data])
    expect(changes?.updates?.[0]?.data).toMatchObject({ failureReason: "SCA_NOT_COMPLETED" })
    expect(failedActions(changes)).toEqual(failed("SCA_NOT_COMPLETED"))
    expect(failedActions(overdue(challenged({ expiresAt: now }), { action: undefined }))).toEqual([])
  })
})

describe("the sweep of fees", () => {
  const sweep = (earned: number, debt = 0, account: Stored<"InternalAccount"> | undefined = internalOf(), more = {}) =>
    sweepFees(
      { account, feesId: "fees", earned: { balance: earned, sequence: 7 }, owed: { balance: -debt, sequence: 2 } },
      "Reference:1",
      contextOf(more),
    )

  it("credits all of them to the platform's account, and asserts their balance", () => {
    const changes = sweep(1)
    expect(written(changes)).toMatchObject({ events: [balance], postings: ["1 fees available:InternalAccount:1"] })
    expect(changes?.transfers).toMatchObject([{ reference: "Reference:1", currency: "USD" }])
    expect(changes?.assertions).toEqual([{ account: "fees", sequence: 7 }])
    expect(changes?.guards).toEqual([{ kind: "InternalAccount", id: "InternalAccount:1", version: 3 }])
  })

  it("repays the platform's debt first", () => {
    const changes = sweep(10, 4)
    expect(written(changes).postings).toEqual([
      "4 fees receivable:Customer:1:USD",
      "6 fees available:InternalAccount:1",
    ])
    expect(changes?.assertions).toEqual([
      { account: "receivable:Customer:1:USD", sequence: 2 },
      { account: "fees", sequence: 7 },
    ])
  })

  it("leaves them where they are if none are earned, or no account takes them", () => {
    expect(sweep(0)).toBeUndefined()
    expect(sweep(-1)).toBeUndefined()
    expect(
      sweepFees(
        { account: undefined, feesId: "fees", earned: { balance: 1, sequence: 7 }, owed: { balance: 0, sequence: 2 } },
        "r",
        contextOf(),
      ),
    ).toBeUndefined()
    expect(sweep(1, 0, internalOf(), { rejections: beyondRange })).toBeUndefined()
  })
})
