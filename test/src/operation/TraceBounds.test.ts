/** What the trace of a request keeps at most: rules, commits, and writes of each kind, below, at and above the bounds. Source: D-465. */
import { tenant } from "@countersign/core"
import { describe, expect, it } from "vitest"
import * as Trace from "../../../packages/core/src/operation/RequestTrace.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"

const caller = tenant("PlatformConfig:p")
const listOf = <A>(length: number, one: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length }, (_, index) => one(index))

const writes = (counts: { readonly [part: string]: number }) => {
  const { events = 0, inserts = 0, jobs = 0, transfers = 0, updates = 0 } = counts
  const record = (index: number) => ({ kind: "Card", id: `Card:${index}` })
  return changeSet({
    inserts: listOf(inserts, record) as never,
    updates: listOf(updates, record) as never,
    transfers: listOf(transfers, (index) => ({ from: `a${index}`, to: "b", amount: 1, currency: "USD" })) as never,
    events: listOf(events, (index) => ({ id: `Webhook:${index}`, type: "T", subject: "s", data: {} })) as never,
    jobs: listOf(jobs, (index) => ({ id: `Job:${index}`, kind: "k", payload: "p" })) as never,
  })
}

const traced = (counts: { readonly [part: string]: number }) => {
  const trace = Trace.makeRequestTrace()
  Trace.traceCommit(trace, "Cards.issue", caller, writes(counts))
  const [commit] = trace.commits
  if (commit === undefined) throw new Error("no commit")
  const { events, jobs, omitted, records, transfers } = commit
  return { events: events.length, jobs: jobs.length, records: records.length, transfers: transfers.length, omitted }
}

describe("the trace of a commit", () => {
  it.each([
    [{ inserts: 49 }, { records: 49, omitted: 0 }],
    [
      { inserts: 25, updates: 25 },
      { records: 50, omitted: 0 },
    ],
    [
      { inserts: 25, updates: 26 },
      { records: 50, omitted: 1 },
    ],
    [{ transfers: 50 }, { transfers: 50, omitted: 0 }],
    [{ transfers: 52 }, { transfers: 50, omitted: 2 }],
    [{ events: 50 }, { events: 50, omitted: 0 }],
    [{ events: 53 }, { events: 50, omitted: 3 }],
    [{ jobs: 50 }, { jobs: 50, omitted: 0 }],
    [{ jobs: 54 }, { jobs: 50, omitted: 4 }],
    [
      { inserts: 51, transfers: 51, events: 51, jobs: 51 },
      { records: 50, transfers: 50, events: 50, jobs: 50, omitted: 4 },
    ],
  ])("of %j has fifty of a kind at most, and the number that it omits", (counts, expected) => {
    expect(traced(counts)).toEqual({ events: 0, jobs: 0, records: 0, transfers: 0, ...expected })
  })

  it("names each write without its data", () => {
    const trace = Trace.makeRequestTrace()
    const counts = { inserts: 1, updates: 1, transfers: 1, events: 1, jobs: 1 }
    Trace.traceCommit(trace, "Cards.issue", caller, writes(counts))
    expect(trace).toEqual({
      platformId: "PlatformConfig:p",
      rules: [],
      commits: [
        {
          operation: "Cards.issue",
          records: [
            { kind: "Card", id: "Card:0", change: "INSERTED" },
            { kind: "Card", id: "Card:0", change: "UPDATED" },
          ],
          transfers: [{ from: "a0", to: "b", amount: 1, currency: expect.objectContaining({ code: "USD" }) }],
          events: [{ id: "Webhook:0", type: "T", subject: "s" }],
          jobs: [{ id: "Job:0", kind: "k" }],
          omitted: 0,
        },
      ],
    })
  })
})

describe("the trace of a request", () => {
  it("has twenty commits at most, and the platform of the first", () => {
    const trace = Trace.makeRequestTrace()
    for (let index = 0; index < 22; index++)
      Trace.traceCommit(trace, `step ${index}`, tenant(`PlatformConfig:${index}`), changeSet())
    expect(trace.platformId).toBe("PlatformConfig:0")
    expect(trace.commits.map(({ operation }) => operation)).toEqual(listOf(20, (index) => `step ${index}`))
  })

  it("has twenty rules at most, the latest of each operation", () => {
    const trace = Trace.makeRequestTrace()
    const refuse = (code: string) => () => ({ _tag: "Refuse", refusal: { code, message: "no", details: { a: 1 } } })
    for (let index = 0; index < 21; index++) Trace.decideTraced(trace, `operation ${index}`, [], refuse("FORBIDDEN"))
    expect(trace.rules.map(({ operation }) => operation)).toEqual(listOf(20, (index) => `operation ${index}`))
    Trace.decideTraced(trace, "operation 0", [], refuse("CONFLICT"))
    expect(trace.rules.filter(({ operation }) => operation === "operation 0")).toEqual([
      {
        operation: "operation 0",
        list: "Decision",
        rule: "CONFLICT",
        position: 1,
        rows: 1,
        isRefusal: true,
        facts: { a: "1" },
      },
    ])
  })

  it("names a bound of the commit as the rule that refused, and none where the decision answers", () => {
    const counter = { _tag: "Bound", bound: { _tag: "Counter", key: "limit:x", max: 1 } } as never
    const floor = { _tag: "Bound", bound: { _tag: "Floor", account: "InternalAccount:a" } } as never
    const taken = { _tag: "Taken", claim: { key: "k" } } as never
    const refused = Trace.makeRequestTrace()
    const refusal = { _tag: "Refuse", refusal: { code: "FORBIDDEN", message: "no", details: { reason: "LIMIT" } } }
    Trace.decideTraced(refused, "o", [counter, floor, taken], () => refusal)
    expect(refused.rules.map(({ facts, isRefusal, list, rule }) => [list, rule, isRefusal, facts])).toEqual([
      ["Commit", "COUNTER_MAXIMUM", true, {}],
      ["Commit", "BALANCE_FLOOR", true, { ledgerAccount: "InternalAccount:a" }],
      ["Commit", "UNIQUE_KEY", true, {}],
    ])
    const answered = Trace.makeRequestTrace()
    Trace.decideTraced(answered, "o", [counter], () => ({ _tag: "Answer" }))
    expect(answered.rules.map(({ isRefusal }) => isRefusal)).toEqual([false])
    const own = Trace.makeRequestTrace()
    Trace.decideTraced(own, "o", [], () => refusal)
    expect(own.rules.map(({ list, rule }) => [list, rule])).toEqual([["Decision", "LIMIT"]])
  })

  it("is not written where the request has none", () => {
    expect(Trace.decideTraced(undefined, "o", [], () => ({ _tag: "Answer" }))).toEqual({ _tag: "Answer" })
    expect(Trace.traceCommit(undefined, "o", caller, changeSet())).toBeUndefined()
  })
})
