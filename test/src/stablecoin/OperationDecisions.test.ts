/**
 * What the decisions about mints and burns write: reports of a provider, answers of their requests, and jobs at their times.
 * Source: wire contract areas 1.6.4 to 1.6.6; D-390.
 */
import { describe, expect, it } from "vitest"
import {
  decideAttempt,
  decideExpiry,
  decideLateAttempt,
  decideReport,
  isReport,
  isTrouble,
} from "../../../packages/core/src/decision/stablecoin/OperationOutcomeDecision.ts"
import { decideOrder } from "../../../packages/core/src/decision/stablecoin/OperationRequestDecision.ts"
import type { StablecoinOperation } from "../../../packages/core/src/model/stablecoin/StablecoinOperation.ts"
import type { ProviderOutcome, ProviderReport } from "../../../packages/core/src/ports/StablecoinProvider.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"
import {
  account,
  auditsOf,
  changesOf,
  context,
  dataOf,
  external,
  fence,
  jobsOf,
  minute,
  now,
  operation,
  stablecoin,
} from "./StoredStablecoins.ts"

const follow = (wait: number) => [
  "stablecoin.follow",
  wait,
  "stablecoin.follow:StablecoinOperation:1",
  { stablecoinOperationId: "StablecoinOperation:1" },
]
const reports: ReadonlyArray<readonly [ProviderReport, StablecoinOperation["status"]]> = [
  [{ _tag: "Accepted" }, "PENDING_PROVIDER"],
  [{ _tag: "Processing" }, "PROCESSING"],
  [{ _tag: "Completed" }, "COMPLETED"],
  [{ _tag: "Failed", reason: "DESTINATION_REJECTED" }, "FAILED"],
]

describe("a report about an operation", () => {
  const reported = (data: Partial<StablecoinOperation>, report: ProviderReport, end?: Changes) =>
    decideReport(report, end)({ operation: operation(data) }, context)

  it.each(reports)("%j takes a begun operation to its status", (report, status) => {
    const decided = reported({ status: "PENDING_PROVIDER" }, report)
    const isSame = status === "PENDING_PROVIDER"
    expect(dataOf(decided).map((data) => (data as StablecoinOperation).status)).toEqual(isSame ? [] : [status])
    expect(auditsOf(decided)).toMatchObject(
      isSame
        ? []
        : [
            {
              operation: "STABLECOIN_OPERATION_STATUS",
              outcome: status === "FAILED" ? "FAILED" : "DONE",
              details: { status, stablecoinId: "Stablecoin:1", amount: "1000000" },
            },
          ],
    )
  })

  it("keeps why the operation failed, and only then", () => {
    const failed: ProviderReport = { _tag: "Failed", reason: "FUNDING_RETURNED" }
    const decided = reported({ status: "PROCESSING" }, failed)
    expect(dataOf(decided)).toMatchObject([{ status: "FAILED", failureReason: "FUNDING_RETURNED" }])
    expect(auditsOf(decided)).toMatchObject([{ details: { failureReason: "FUNDING_RETURNED" } }])
    for (const status of ["COMPLETED", "EXPIRED", "CREATED"] as const)
      expect(changesOf(reported({ status }, failed, fence))).toMatchObject({
        updates: [],
        inserts: [],
        jobs: [],
        ...fence,
      })
    expect(dataOf(reported({ status: "PENDING_FUNDING" }, failed))).toMatchObject([{ status: "FAILED" }])
  })

  it("stores another word of the provider, without an entry in the audit", () => {
    const known = { status: "PROCESSING", providerStatus: "a" } as const
    const decided = reported(known, { _tag: "Processing", providerStatus: "b" })
    expect([dataOf(decided), auditsOf(decided)]).toMatchObject([[{ status: "PROCESSING", providerStatus: "b" }], []])
    expect(dataOf(reported(known, { _tag: "Processing", providerStatus: "a" }))).toEqual([])
    expect(dataOf(reported(known, { _tag: "Processing" }))).toEqual([])
  })

  it("is asked for again after five minutes or when the provider says, at least a second later, until the end", () => {
    const jobs = (more: { readonly askAgainAt?: number }) =>
      jobsOf(reported({ status: "PROCESSING" }, { _tag: "Processing", ...more }, fence))
    expect(jobs({})).toEqual([follow(5 * minute)])
    expect(jobs({ askAgainAt: now + 7000 })).toEqual([follow(7000)])
    expect(jobs({ askAgainAt: now })).toEqual([follow(1000)])
    expect(jobsOf(reported({ status: "PROCESSING" }, { _tag: "Completed" }, fence))).toEqual([])
    expect(jobsOf(reported({ status: "PROCESSING" }, { _tag: "Processing" }))).toEqual([])
  })

  it("after the time for funding finds the operation expired, and stores that", () => {
    const late = { status: "PENDING_FUNDING", expiresAt: now } as const
    expect(dataOf(reported(late, { _tag: "Completed" }))).toMatchObject([{ status: "EXPIRED" }])
    const expired = decideExpiry(fence)({ operation: operation(late) }, context)
    expect(dataOf(expired)).toMatchObject([{ status: "EXPIRED" }])
    expect(auditsOf(expired)).toMatchObject([{ outcome: "DONE", details: { status: "EXPIRED" } }])
    const early = decideExpiry(fence)({ operation: operation({ ...late, expiresAt: now + 1 }) }, context)
    expect(changesOf(early)).toMatchObject({ updates: [], inserts: [], ...fence })
  })
})

describe("the first answer of a provider", () => {
  const attempted = (
    outcome: ProviderOutcome,
    {
      data = {},
      isCertain = true,
      linkedAt = 5,
    }: Partial<Parameters<typeof decideAttempt>[0]> & {
      readonly data?: Partial<StablecoinOperation>
    } = {},
  ) => decideAttempt({ outcome, isCertain, linkedAt })({ account: account(), operation: operation(data) }, context)
  const unavailable = { refusal: { code: "SERVICE_UNAVAILABLE" } }

  it.each(reports)("%j begins the operation, and answers its key", (report, status) => {
    const decided = attempted(report)
    expect(decided).toMatchObject({ status: 201, body: { status } })
    expect(dataOf(decided)).toMatchObject([{ status }])
    expect(dataOf(decided)[0]).not.toHaveProperty("request")
    const isOver = status === "COMPLETED" || status === "FAILED"
    expect(jobsOf(decided)).toEqual(isOver ? [] : [follow(5 * minute)])
  })

  it("waits seven days for a wire, by its instructions", () => {
    const fundingInstructions = { rail: "WIRE" }
    const awaits: ProviderOutcome = { _tag: "AwaitsFunding", fundingInstructions }
    const week = 7 * 24 * 60 * minute
    const decided = attempted(awaits, { data: { sourceType: "WIRE" } })
    expect(dataOf(decided)).toMatchObject([{ status: "PENDING_FUNDING", expiresAt: now + week, fundingInstructions }])
    expect(jobsOf(decided)).toEqual([
      follow(5 * minute),
      ["stablecoin.expire", week, undefined, { stablecoinOperationId: "StablecoinOperation:1" }],
    ])
    const submitted = dataOf(attempted({ _tag: "Accepted" }, { data: { sourceType: "EXTERNAL_ACCOUNT" } }))
    expect(submitted).toMatchObject([{ status: "PENDING_FUNDING" }])
    expect(submitted[0]).not.toHaveProperty("fundingInstructions")
    const debited = dataOf(attempted(awaits))
    expect(debited).toMatchObject([{ status: "PENDING_PROVIDER" }])
    expect(debited[0]).not.toHaveProperty("expiresAt")
    expect(debited[0]).not.toHaveProperty("fundingInstructions")
    const processing = attempted({ _tag: "Processing" }, { data: { sourceType: "WIRE" } })
    expect([dataOf(processing), jobsOf(processing)]).toMatchObject([[{ status: "PROCESSING" }], [follow(5 * minute)]])
  })

  it("that a job has stored meanwhile is the answer", () => {
    const decided = attempted({ _tag: "Completed" }, { data: { status: "PROCESSING" } })
    expect(decided).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    expect(dataOf(decided)).toMatchObject([{ status: "PROCESSING" }])
    expect(dataOf(decided)[0]).not.toHaveProperty("request")
    const late = attempted({ _tag: "Completed" }, { data: { status: "PENDING_FUNDING", expiresAt: now } })
    expect(late).toMatchObject({ status: 201, body: { status: "EXPIRED" } })
  })

  it("ends an operation that was certainly not begun, and keeps one that may have been", () => {
    const gone: ProviderOutcome = { _tag: "Unavailable", cause: "away" }
    const ended = attempted(gone)
    expect(ended).toMatchObject(unavailable)
    expect(dataOf(ended)[0]).not.toHaveProperty("request")
    expect(auditsOf(ended)).toMatchObject([
      { outcome: "FAILED", details: { status: "NOT_BEGUN", stablecoinId: "Stablecoin:1", amount: "1000000" } },
    ])
    for (const kept of [attempted(gone, { isCertain: false }), attempted({ _tag: "Unknown", cause: "late" })])
      expect([kept, dataOf(kept)]).toMatchObject([unavailable, []])
  })

  it("that refuses the credentials ends the link that was asked with them", () => {
    const refused = attempted({ _tag: "CredentialsRefused" })
    expect(refused).toMatchObject({ refusal: { code: "STABLECOIN_PROVIDER_ACCOUNT_INVALID" } })
    expect(dataOf(refused)).toMatchObject([{ amount: "1000000" }, { status: "INVALID" }])
    const withdrawn = attempted({ _tag: "Withdrawn" })
    expect(withdrawn).toMatchObject({ refusal: { code: "STABLECOIN_PROVIDER_ACCOUNT_REVOKED" } })
    expect(dataOf(withdrawn)).toMatchObject([{}, { status: "REVOKED" }])
    expect(dataOf(attempted({ _tag: "Withdrawn" }, { linkedAt: 6 }))).toMatchObject([{ amount: "1000000" }])
    const uncertain = attempted({ _tag: "Withdrawn" }, { isCertain: false })
    expect([uncertain, dataOf(uncertain)]).toMatchObject([unavailable, [{ status: "REVOKED" }]])
  })

  it("is a report, a trouble or neither", () => {
    const outcomes: ReadonlyArray<ProviderOutcome> = [
      ...reports.map(([report]) => report),
      { _tag: "CredentialsRefused" },
      { _tag: "Withdrawn" },
      { _tag: "Unavailable", cause: "" },
      { _tag: "Unknown", cause: "" },
    ]
    expect(outcomes.map(isReport)).toEqual([true, true, true, true, false, false, false, false])
    expect(outcomes.map(isTrouble)).toEqual([false, false, false, false, true, true, false, false])
  })
})

describe("an attempt that its request did not end", () => {
  const late = (
    found: Parameters<typeof decideLateAttempt>[0],
    data: Partial<StablecoinOperation> = {},
    attemptedAt = now - minute,
  ) => decideLateAttempt(found, attemptedAt, fence)({ operation: operation(data) }, context)
  const attempt = (wait: number) => [
    "stablecoin.attempt",
    wait,
    "stablecoin.attempt:StablecoinOperation:1",
    { stablecoinOperationId: "StablecoinOperation:1" },
  ]

  it("begins by what the provider says, and keeps its key for the answer", () => {
    expect(dataOf(late({ _tag: "Processing" }))).toMatchObject([{ status: "PROCESSING", request: { key: "k" } }])
    expect(changesOf(late({ _tag: "Processing" }))).toMatchObject(fence)
  })

  it("ends a minute after it began, unless another one has begun since", () => {
    expect(dataOf(late({ _tag: "NotReceived" }))[0]).not.toHaveProperty("request")
    expect(jobsOf(late({ _tag: "NotReceived" }))).toEqual([])
    const younger = { attemptedAt: now - minute + 1 }
    expect(jobsOf(late({ _tag: "NotReceived" }, younger, younger.attemptedAt))).toEqual([attempt(1)])
    expect(jobsOf(late({ _tag: "NotReceived" }, {}, now - minute - 1))).toEqual([attempt(0)])
  })

  it("changes nothing once it is begun or ended", () => {
    const { request: _, ...data } = operation().data
    const ended = decideLateAttempt(
      { _tag: "Processing" },
      now,
      fence,
    )({ operation: { ...operation(), data } }, context)
    for (const decided of [late({ _tag: "Processing" }, { status: "PROCESSING" }), ended])
      expect(decided).toMatchObject({ status: 200, changes: fence })
    expect(dataOf(ended)).toEqual([])
  })
})

describe("an order of an earlier request", () => {
  const order = {
    operationType: "MINT",
    amount: "1",
    sourceType: "WIRE",
    destinationAccountId: "",
    isDestinationInternal: false,
  } as const
  const continued = (data: Partial<StablecoinOperation>) =>
    decideOrder(order, { key: "k", fingerprint: "f" })(
      {
        stablecoin: stablecoin(),
        providerAccount: undefined,
        source: undefined,
        destination: undefined,
        earlier: operation(data),
      },
      context,
    )

  it("is asked about again, or answered if it is begun", () => {
    const again = continued({})
    expect(again).toMatchObject({ isInterim: true, body: { _tag: "Attempt", isFirst: false } })
    expect(dataOf(again)).toMatchObject([{ attemptedAt: now, request: { key: "k" } }])
    const begun = continued({ status: "PROCESSING" })
    expect(begun).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    expect(dataOf(begun)[0]).not.toHaveProperty("request")
    const late = continued({ status: "PENDING_FUNDING", expiresAt: now })
    expect(late).toMatchObject({ status: 201, body: { status: "EXPIRED" } })
  })
})

it("an order from an account outside depends on both accounts, and its entry in the audit names both", () => {
  const order = {
    operationType: "MINT",
    amount: "1000000",
    sourceType: "ACH_DEBIT",
    sourceAccountId: "ExternalAccount:1",
    destinationAccountId: "ExternalAccount:2",
    isDestinationInternal: false,
  } as const
  const decided = decideOrder(order, { key: "k", fingerprint: "f" })(
    {
      stablecoin: stablecoin({ issuanceStatus: "PROVISIONED" }),
      providerAccount: account(),
      source: external("ExternalAccount:1", { accountType: "USD_ACCOUNT" }),
      destination: external("ExternalAccount:2", { accountType: "SPARK_WALLET" }),
      earlier: undefined,
    },
    context,
  )
  expect(changesOf(decided).guards?.map(({ id }) => id)).toEqual([
    "Stablecoin:1",
    "StablecoinProviderAccount:1",
    "ExternalAccount:1",
    "ExternalAccount:2",
  ])
  expect(auditsOf(decided)).toMatchObject([
    {
      operation: "STABLECOIN_MINT",
      details: { sourceAccountId: "ExternalAccount:1", destinationAccountId: "ExternalAccount:2" },
    },
  ])
})
