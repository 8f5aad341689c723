/** What jobs are asked of the database with, and how its answers become jobs. Source: `JobRows.ts`. */
import type { ClaimRequest } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  claimableStatement,
  claimStatement,
  countStatement,
  decodeClaim,
  dueJobs,
  dueStatement,
  jobViews,
  nextDueStatement,
  parkedStatement,
  releaseAllStatement,
  releaseClaimsStatement,
  viewStatement,
} from "../../../packages/adapter-postgres/src/read/JobRows.ts"
import { agentOf, alpha, alphaId, ann } from "../../../packages/test/src/conformance/Examples.ts"

const request: ClaimRequest = {
  queue: "webhook",
  worker: "worker 1",
  businessNow: 11,
  wallNow: 22,
  limit: 3,
  leavesReserve: true,
  leaseMillis: 44,
}

/** The statement on one line, so that its layout is no part of a test. */
const flat = (text: string): string => text.replaceAll(/\s+/gu, " ")

describe("a claim", () => {
  it("names its queue, session, times and limits in the order of the function", () => {
    const { name, text, values } = claimStatement(request, "claim 1", 7)
    expect([name, values]).toEqual(["countersign_claim", ["webhook", "claim 1", 7, 11, 22, 3, "true", 44, [], 1]])
    expect(flat(text)).toContain(
      "($1, $2, $3::int, $4::bigint, $5::bigint, $6::int, $7::boolean, $8::bigint, $9::text[], $10::int)",
    )
  })

  it("takes runs of the kinds that it names, and has no session where only the lease ends it", () => {
    const runs = { kinds: ["a", "b"], jobsMax: 5 }
    const { values } = claimStatement({ ...request, leavesReserve: false, runs }, "claim 2", null)
    expect(values).toEqual(["webhook", "claim 2", null, 11, 22, 3, "false", 44, ["a", "b"], 5])
  })

  it("is preceded by a question that looks at least at what it would find", () => {
    const { name, text, values } = claimableStatement(request)
    expect([name, values]).toEqual(["countersign_claimable", ["webhook", 11, 22]])
    expect(flat(text)).toContain(
      "j.state <> 'parked' and j.due_at <= $2::bigint and j.queue = $1 and j.open and j.not_before <= $3::bigint",
    )
    expect(flat(text)).toContain(
      "or exists (select from countersign.job j where j.queue = $1 and j.holds_until <= $3::bigint)",
    )
  })

  it("returns jobs with their payloads decoded, and a customer or null", () => {
    const row = { id: "Job:1", queue: "work", kind: "test", platformId: alphaId, attempt: 2, lane: "l" }
    const answer = JSON.stringify({
      ahead: 9,
      jobs: [
        { ...row, payload: '{"n":null}' },
        { ...row, customerId: ann, payload: "[1]", behind: true },
      ],
    })
    expect(decodeClaim(answer)).toEqual({
      ahead: 9,
      jobs: [
        { ...row, customerId: null, payload: { n: null } },
        { ...row, customerId: ann, payload: [1], behind: true },
      ],
    })
  })

  it.each([null, undefined])("that has the answer %j finds nothing", (answer) => {
    expect(decodeClaim(answer)).toEqual({ ahead: 0, jobs: [] })
  })
})

it("releases the claims that it names, or all", () => {
  const named = releaseClaimsStatement(new Set(["a", "b"]))
  expect(named.values).toEqual([["a", "b"]])
  expect(named.text).toMatch(/\('\{\}', \$1::text\[\], false\)$/u)
  expect(releaseAllStatement.values).toEqual([])
  expect(releaseAllStatement.text).toMatch(/\('\{\}', '\{\}', true\)$/u)
})

it("asks for the first job that is due later and not parked", () => {
  const { name, text, values } = nextDueStatement(5)
  expect([name, values]).toEqual(["countersign_next_due", [5]])
  expect(text).toMatch(/select min\(j\.due_at\)::text .* j\.state <> 'parked' and j\.due_at > \$1::bigint$/u)
})

describe("the view of an operator", () => {
  const agent = agentOf(ann)

  it("shows a job whose claim has ended as waiting, in the order of the sequence", () => {
    const { text, values } = viewStatement(agent, 8)
    expect(values).toEqual([alphaId, ann, 8])
    expect(flat(text)).toContain("case when j.state = 'running' and j.not_before <= $3::bigint then 'waiting'")
    expect(flat(text)).toMatch(/j\.customer_id = \$2\) order by j\.sequence$/u)
  })

  it("asks for one parked job more than the page has, after an id, or for one job", () => {
    expect(parkedStatement(alpha, { limit: 10 }).values).toEqual([alphaId, null, 0, "", 11, null])
    expect(parkedStatement(agent, { limit: 1, after: "Job:1", id: "Job:2" }).values).toEqual([
      alphaId,
      ann,
      0,
      "Job:1",
      2,
      "Job:2",
    ])
    expect(flat(parkedStatement(alpha, { limit: 10 }).text)).toContain(
      "j.state = 'parked' and j.id > $4 and ($6::text is null or j.id = $6) order by j.id limit $5::int",
    )
  })

  it("asks for one due job more than the page has, after a due time and an id", () => {
    expect(dueStatement(alpha, { limit: 10 }, 8).values).toEqual([alphaId, null, 8, -1, "", 11])
    const { text, values } = dueStatement(agent, { limit: 2, after: { dueAt: 0, id: "Job:1" } }, 8)
    expect(values).toEqual([alphaId, ann, 8, 0, "Job:1", 3])
    expect(flat(text)).toContain("j.state <> 'parked' and (j.due_at, j.id) > ($4::bigint, $5) order by j.due_at, j.id")
    expect(flat(text)).toContain("case when j.state = 'running' and j.not_before > $3::bigint then 'running'")
    expect(flat(text)).toContain("case when j.state = 'waiting' and j.not_before > $3::bigint then j.not_before end")
    expect(flat(text)).toContain("b.queue = j.queue and b.lane = j.lane and b.sequence < j.sequence")
  })

  it("counts the jobs of the kinds up to a maximum", () => {
    const { text, values } = countStatement(agent, { kinds: ["a", "b"], max: 100 })
    expect(values).toEqual([alphaId, ann, ["a", "b"], 100])
    expect(flat(text)).toContain("j.kind = any ($3::text[]) limit $4::int) counted")
  })

  it("has the jobs of a page, and whether there are more", () => {
    const job = (id: string, more: object = {}) => JSON.stringify({ id, dueAt: 1, isBehind: false, ...more })
    const jobs = [
      { id: "Job:1", dueAt: 1, isBehind: false, customerId: null },
      { id: "Job:2", dueAt: 1, isBehind: false, customerId: ann },
    ]
    const rows = [job("Job:1"), null, job("Job:2", { customerId: ann })]
    expect(dueJobs(rows, { limit: 2 })).toEqual({ jobs, hasMore: false })
    expect(dueJobs([...rows, job("Job:3")], { limit: 2 })).toEqual({ jobs, hasMore: true })
    expect(dueJobs([], { limit: 2 })).toEqual({ jobs: [], hasMore: false })
  })

  it("has each job with its payload and its customer or null", () => {
    const row = { id: "Job:1", state: "parked", attempt: 1 }
    expect(
      jobViews([JSON.stringify({ ...row, payload: "{}" }), JSON.stringify({ ...row, customerId: ann, payload: "1" })]),
    ).toEqual([
      { ...row, customerId: null, payload: {} },
      { ...row, customerId: ann, payload: 1 },
    ])
  })
})
