/**
 * A job whose handler found the store unavailable comes back as soon as the store answers, also if nobody works here but a caller that
 * waited for it. Until then its lease would keep it from everyone.
 * Source: D-324.
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { CurrentCaller, Jobs, tenant } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Store, StoreUnavailable } from "@countersign/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { finish, type JobHandler } from "../../../packages/core/src/operation/Jobs.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import * as SeededRandom from "../../../packages/test/src/harness/SeededRandom.ts"

const as = Effect.provideService(CurrentCaller, tenant("PlatformConfig:p"))
const down = new StoreUnavailable({ unknown: false, cause: "the database restarts" })

/** A store that commits nothing while it is down. */
const database = { isDown: false }
const failing = Layer.effect(
  Store,
  Effect.map(Store, (store) => ({
    ...store,
    commit: (set: Parameters<typeof store.commit>[0]) => (database.isDown ? Effect.fail(down) : store.commit(set)),
  })),
)

/** The database goes down while the job runs for the first time. */
const goesDown: JobHandler = (job) =>
  Effect.suspend(() => {
    if (job.attempt > 1) return finish(job)
    database.isDown = true
    return Effect.fail(down)
  })

const process = Jobs.layer({ "transfer.pull": goesDown }).pipe(
  Layer.provideMerge(failing),
  Layer.provideMerge(MemoryStore.layer),
  Layer.provideMerge(WallTime.layerClock),
  Layer.provideMerge(SeededRandom.layer(1)),
  Layer.provideMerge(Logger.layer([])),
)

const running = Store.use((store) => store.jobs).pipe(
  as,
  Effect.map((jobs) => jobs.filter(({ state }) => state === "running").map(({ attempt }) => attempt)),
)

const comesBackFrom = <A, E>(working: Effect.Effect<A, E, Jobs>) =>
  Effect.gen(function* () {
    database.isDown = false
    const job = {
      id: "Job:a",
      queue: "work",
      kind: "transfer.pull",
      customerId: null,
      dueAt: 0,
      payload: null,
    } as const
    yield* Store.use((store) => store.commit(changeSet({ jobs: [job] }))).pipe(as)
    const worker = yield* Effect.forkChild(working)
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* running, [1])
    database.isDown = false
    yield* TestClock.adjust("500 millis")
    assert.deepStrictEqual(yield* running, [])
    yield* Fiber.interrupt(worker)
  }).pipe(Effect.provide(process))

describe("a job that found the store unavailable comes back when the store answers", () => {
  it.effect("from a worker", () => comesBackFrom(Jobs.use(({ work }) => work)))
  it.effect("from a caller that waited for it", () => comesBackFrom(Jobs.use(({ drain }) => drain)))
})
