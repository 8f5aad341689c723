/** The workers of a process: woken by commits and due times, bounded, and finishing their jobs when interrupted. */

import { MemoryStore } from "@countersign/adapter-memory"
import { CurrentCaller, Jobs, tenant } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type NewJob, Store } from "@countersign/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Latch, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { finish, type JobHandler } from "../../../packages/core/src/operation/Jobs.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import * as SeededRandom from "../../../packages/test/src/harness/SeededRandom.ts"

const platformId = "PlatformConfig:p"

const job = (id: string, more: Partial<NewJob> = {}): NewJob => ({
  id,
  queue: "work",
  kind: "transfer.pull",
  customerId: null,
  dueAt: 0,
  payload: null,
  ...more,
})

let operations = 0
const add = (...jobs: ReadonlyArray<NewJob>) =>
  Store.use((store) => store.commit(changeSet({ operationId: `op-${operations++}`, jobs }))).pipe(
    Effect.provideService(CurrentCaller, tenant(platformId)),
  )

const jobIds = Store.use((store) => store.jobs).pipe(
  Effect.provideService(CurrentCaller, tenant(platformId)),
  Effect.map((jobs) => jobs.map(({ id }) => id)),
)

/** Returns a process with one handler. `work` runs until the test interrupts it. */
const process = (handler: JobHandler) =>
  Jobs.layer({ "transfer.pull": handler }).pipe(
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(WallTime.layerClock),
    Layer.provideMerge(SeededRandom.layer(1)),
    Layer.provideMerge(Logger.layer([])),
  )

/** Returns a handler that finishes each job, and the ids of its jobs. */
const recording = () => {
  const ran: Array<string> = []
  const handler: JobHandler = (claimed) =>
    Effect.andThen(
      Effect.sync(() => ran.push(claimed.id)),
      finish(claimed),
    )
  return { ran, handler }
}

const settle = Effect.repeat(Effect.yieldNow, { times: 50 })

describe("the workers", () => {
  it.effect("start a job after its commit without waiting for the clock", () => {
    const { handler, ran } = recording()
    return Effect.gen(function* () {
      const { work } = yield* Jobs
      const worker = yield* Effect.forkChild(work)
      yield* settle
      yield* add(job("Job:a"), job("Job:b"))
      yield* settle
      assert.deepStrictEqual(ran, ["Job:a", "Job:b"])
      assert.deepStrictEqual(yield* jobIds, [])
      yield* Fiber.interrupt(worker)
    }).pipe(Effect.provide(process(handler)))
  })

  it.effect("start a job when it is due, and not before", () => {
    const { handler, ran } = recording()
    return Effect.gen(function* () {
      const { work } = yield* Jobs
      const worker = yield* Effect.forkChild(work)
      yield* add(job("Job:later", { dueAt: 30_000 }))
      yield* TestClock.adjust("29 seconds")
      yield* settle
      assert.deepStrictEqual(ran, [])
      yield* TestClock.adjust("1 second")
      yield* settle
      assert.deepStrictEqual(ran, ["Job:later"])
      yield* Fiber.interrupt(worker)
    }).pipe(Effect.provide(process(handler)))
  })

  it.effect("finish the running jobs when interrupted, and claim no more", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const handler: JobHandler = (claimed) =>
        Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(gate)).pipe(Effect.andThen(finish(claimed)))
      yield* Effect.gen(function* () {
        const { work } = yield* Jobs
        const worker = yield* Effect.forkChild(work)
        yield* add(job("Job:running"))
        yield* Deferred.await(started)
        const stopping = yield* Effect.forkChild(Fiber.interrupt(worker))
        yield* settle
        yield* add(job("Job:late"))
        yield* settle
        assert.deepStrictEqual(yield* jobIds, ["Job:running", "Job:late"])
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(stopping)
        assert.deepStrictEqual(yield* jobIds, ["Job:late"])
      }).pipe(Effect.provide(process(handler)))
    }),
  )

  /** Returns the maximum number of 400 jobs of one platform that run concurrently in the given number of processes. */
  const runningAtOnce = (processes: number) =>
    Effect.gen(function* () {
      const gate = yield* Latch.make()
      let running = 0
      let maximum = 0
      let done = 0
      const handler: JobHandler = (claimed) =>
        Effect.gen(function* () {
          running += 1
          maximum = Math.max(maximum, running)
          yield* gate.await
          running -= 1
          done += 1
          yield* finish(claimed)
        })
      return yield* Effect.gen(function* () {
        const { work } = yield* Jobs
        const workers = yield* Effect.forEach(Array.from({ length: processes }), () => Effect.forkChild(work))
        yield* add(...Array.from({ length: 400 }, (_, index) => job(`Job:${index}`)))
        yield* settle
        yield* gate.open
        yield* Effect.repeat(settle, { times: 20 })
        assert.strictEqual(done, 400)
        yield* Effect.forEach(workers, Fiber.interrupt)
        return maximum
      }).pipe(Effect.provide(process(handler)))
    })

  it.effect("run 121 of 128 jobs of one platform concurrently, and all of them eventually", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* runningAtOnce(1), 121)
    }),
  )

  it.effect("run more jobs of one platform in more processes", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* runningAtOnce(2), 241)
    }),
  )

  it.effect("complete at least 90 % of the jobs of 100 ms that their slots can, all of one platform", () => {
    let done = 0
    const handler: JobHandler = (claimed) =>
      Effect.gen(function* () {
        yield* Effect.delay(finish(claimed), "100 millis")
        done += 1
      })
    return Effect.gen(function* () {
      const { work } = yield* Jobs
      const worker = yield* Effect.forkChild(work)
      yield* add(...Array.from({ length: 3000 }, (_, index) => job(`Job:${index}`)))
      yield* settle
      for (let rounds = 0; rounds < 20; rounds++) {
        yield* TestClock.adjust("100 millis")
        yield* Effect.repeat(settle, { times: 10 })
      }
      const completed = done
      while (done < 3000) yield* Effect.andThen(TestClock.adjust("100 millis"), Effect.repeat(settle, { times: 10 }))
      yield* Fiber.interrupt(worker)
      assert.isAtLeast(completed, 0.9 * 20 * 128)
    }).pipe(Effect.provide(process(handler)))
  })
})
