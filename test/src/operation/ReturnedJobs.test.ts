/** What becomes of a claimed job by how its handler ends: the state, the reason and the time of its next attempt. */
import { MemoryStore } from "@countersign/adapter-memory"
import { CurrentCaller, Jobs, tenant } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type NewJob, Store, StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { finish, JobDeferred, JobFailed, type JobHandler } from "../../../packages/core/src/operation/Jobs.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import * as SeededRandom from "../../../packages/test/src/harness/SeededRandom.ts"

const alpha = tenant("PlatformConfig:alpha")
const webhook = (id: string, more: Partial<NewJob> = {}): NewJob => ({
  id: `Job:${id}`,
  queue: "webhook",
  kind: "webhook.deliver",
  customerId: null,
  dueAt: 0,
  payload: { of: id },
  ...more,
})

/**
 * Drains these jobs at 100,000 ms with one handler, and again after `laterMillis`. Returns those that are left, what was observed, and the
 * log.
 */
const drained = async (
  jobs: ReadonlyArray<NewJob>,
  handler: JobHandler,
  kinds: ReadonlyArray<string> = ["webhook.deliver", "transfer.pull"],
  laterMillis = 0,
) => {
  const log: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void log.push(JSON.stringify(message)))])
  const layer = Jobs.layer(Object.fromEntries(kinds.map((kind) => [kind, handler]))).pipe(
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(WallTime.layerClock),
    Layer.provideMerge(SeededRandom.layer(1)),
    Layer.provideMerge(TestClock.layer()),
    Layer.provideMerge(logger),
  )
  return Effect.runPromise(
    Effect.gen(function* () {
      yield* TestClock.setTime(100_000)
      const store = yield* Store
      yield* store.commit(changeSet({ operationId: "add", jobs }))
      const { drain, observe } = yield* Jobs
      const observed: Array<string> = []
      const total = yield* Effect.andThen(
        observe(({ id }) => observed.push(id)),
        drain,
      ).pipe(Effect.scoped)
      if (laterMillis > 0) yield* Effect.andThen(TestClock.adjust(laterMillis), drain)
      const due = yield* store.dueJobs({ limit: 100 })
      const left = (yield* store.jobs).map(({ attempt, error, id, payload, state }) => ({
        ...{ id, state, attempt, error, payload },
        retryAt: due.jobs.find((job) => job.id === id)?.retryAt,
      }))
      return { left, total, observed, log: log.join("\n") }
    }).pipe(Effect.provideService(CurrentCaller, alpha), Effect.provide(layer)),
  )
}

it("a job whose handler ends is finished, and every attempt is observed", async () => {
  const { left, observed, total } = await drained([webhook("a"), webhook("b")], finish)
  expect([left, observed.toSorted(), total]).toEqual([[], ["Job:a", "Job:b"], 2])
})

it("a job that fails waits for its next attempt with the reason and its new payload", async () => {
  const fail: JobHandler = () => Effect.fail(new JobFailed({ reason: "the bank is away", payload: { tries: 1 } }))
  const { left, log } = await drained([webhook("a")], fail)
  const [job] = left
  expect(job).toMatchObject({ state: "waiting", attempt: 1, error: "the bank is away", payload: { tries: 1 } })
  expect(job?.retryAt).toBeGreaterThan(100_000)
  expect(log).not.toContain("job parked")
})

it("a job that is deferred waits until its time, which is no failure", async () => {
  const defer: JobHandler = () => Effect.fail(new JobDeferred({ reason: "not yet", notBefore: 123_456 }))
  const { left, log } = await drained([webhook("a")], defer)
  expect(left).toMatchObject([{ state: "waiting", error: "not yet", payload: { of: "a" }, retryAt: 123_456 }])
  expect(log).toBe("")
})

it.each([
  ["just within seven days waits on", -1, "waiting"],
  ["for seven days is parked", 0, "parked"],
] as const)("a job that is deferred %s", async (_, more, state) => {
  const defer: JobHandler = ({ attempt }) =>
    Effect.fail(new JobDeferred({ reason: "not yet", notBefore: attempt === 1 ? 123_456 : 1_000_000_000_000 }))
  const { left, log } = await drained([webhook("a")], defer, ["webhook.deliver"], 7 * 86_400_000 + more)
  expect(left).toMatchObject([{ state, attempt: 2, error: "not yet" }])
  expect(log.includes("job parked")).toBe(state === "parked")
})

it("a job that finds the store unavailable waits a second", async () => {
  const fail: JobHandler = () => Effect.fail(new StoreUnavailable({ unknown: false, cause: "a test" }))
  const { left } = await drained([webhook("a")], fail)
  expect(left).toMatchObject([{ state: "waiting", error: "the store was unavailable", retryAt: 101_000 }])
})

it("a job that fails unexpectedly is tried again, and the cause is in the log only", async () => {
  const { left, log } = await drained([webhook("a")], () => Effect.die(new Error("a secret of the test")))
  expect(left).toMatchObject([{ state: "waiting", error: "an unexpected failure; see the log" }])
  expect(log).toContain("job failed")
})

it("a job without a handler is tried again, as another process may have one", async () => {
  const { left } = await drained([webhook("a")], finish, [])
  expect(left).toMatchObject([{ state: "waiting", error: "no handler for webhook.deliver" }])
})

it("a job of an unknown kind is parked, and logged with its reason", async () => {
  const { left, log } = await drained([webhook("a", { kind: "unknown.kind" })], finish)
  expect(left).toMatchObject([{ state: "parked", error: "no handler for unknown.kind" }])
  expect(log).toContain("job parked")
})

it("jobs behind one that fails are returned without an attempt, and those that the handler ended are not", async () => {
  const lane = { lane: "endpoint" }
  const run = [webhook("a", lane), webhook("b", lane), webhook("c", lane)]
  const behindOf: Array<ReadonlyArray<string>> = []
  const failing: JobHandler = (job, behind = []) => {
    behindOf.push(behind.map(({ id }) => id))
    return Effect.fail(new JobFailed({ reason: `the endpoint refused ${job.id}` }))
  }
  const failed = await drained(run, failing)
  expect(behindOf[0]).toEqual(["Job:b", "Job:c"])
  expect(failed.left).toMatchObject([
    { id: "Job:a", error: "the endpoint refused Job:a", payload: { of: "a" } },
    { id: "Job:b", error: "an earlier job of its lane comes first", payload: { of: "b", unattempted: 1 } },
    { id: "Job:c", error: "an earlier job of its lane comes first", payload: { of: "c", unattempted: 1 } },
  ])
  for (const [kind, notBefore] of [
    ["failed", undefined],
    ["deferred", 150_000],
  ] as const) {
    const second: JobHandler = (job, behind = []) =>
      Effect.gen(function* () {
        const [next] = behind
        if (next === undefined) return yield* finish(job)
        yield* finish(job)
        for (const each of behind.slice(1)) yield* finish(each)
        const reason = `the second ${kind}`
        return yield* notBefore === undefined
          ? new JobFailed({ reason, job: next })
          : new JobDeferred({ reason, job: next, notBefore })
      })
    const { left } = await drained(run, second)
    expect(left).toMatchObject([{ id: "Job:b", state: "waiting", attempt: 1, error: `the second ${kind}` }])
    if (notBefore !== undefined) expect(left[0]?.retryAt).toBe(notBefore)
  }
})

it.each<[string, JobHandler, ReadonlyArray<string>, string]>([
  [
    "finds the store unavailable",
    () => Effect.fail(new StoreUnavailable({ unknown: false, cause: "a test" })),
    ["webhook.deliver"],
    "the store was unavailable",
  ],
  [
    "fails unexpectedly",
    () => Effect.die(new Error("a test")),
    ["webhook.deliver"],
    "an unexpected failure; see the log",
  ],
  ["has no handler", finish, [], "no handler for webhook.deliver"],
])("jobs behind one that %s are returned without an attempt", async (_, handler, kinds, error) => {
  const { left } = await drained([webhook("a", { lane: "l" }), webhook("b", { lane: "l" })], handler, kinds)
  expect(left).toMatchObject([
    { id: "Job:a", state: "waiting", error },
    { id: "Job:b", state: "waiting", error: "an earlier job of its lane comes first", payload: { unattempted: 1 } },
  ])
})
