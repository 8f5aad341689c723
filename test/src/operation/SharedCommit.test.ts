/** Changes that share a commit: none is lost, none depends on another one, and a fiber that ends leaves the others their turn. */

import { MemoryStore } from "@countersign/adapter-memory"
import { CurrentCaller, tenant } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, type ClaimedJob, Store, StoreUnavailable } from "@countersign/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Latch, Layer, References } from "effect"
import { finishing } from "../../../packages/core/src/operation/Jobs.ts"
import * as SharedCommit from "../../../packages/core/src/operation/SharedCommit.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import * as SeededRandom from "../../../packages/test/src/harness/SeededRandom.ts"

const alpha = tenant("PlatformConfig:alpha")
const settle = Effect.repeat(Effect.yieldNow, { times: 50 })

/** A store whose commits of finished jobs wait for a gate, and may fail. */
const gated = Effect.gen(function* () {
  const gate = yield* Latch.make()
  const sets: Array<ChangeSet> = []
  let failure: StoreUnavailable | undefined
  const layer = Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* Store
      const commit: (typeof store)["commit"] = (set) => {
        if (set.finishes.length === 0) return store.commit(set)
        sets.push(set)
        return Effect.andThen(gate.await, failure === undefined ? store.commit(set) : Effect.fail(failure))
      }
      return Context.make(Store, Store.of({ ...store, commit }))
    }),
  ).pipe(Layer.provide(MemoryStore.layer))
  const sizes = () => sets.map(({ finishes }) => finishes.length)
  const fail = (cause: StoreUnavailable) => {
    failure = cause
  }
  return { gate, layer, sizes, fail }
})

const world = (layer: Layer.Layer<Store, never, WallTime>) =>
  layer.pipe(Layer.provideMerge(WallTime.layerClock), Layer.provideMerge(SeededRandom.layer(1)))

let operations = 0
/** Adds jobs of a platform and claims them. */
const claimed = Effect.fnUntraced(function* (count: number, caller = alpha) {
  const store = yield* Store
  const jobs = Array.from({ length: count }, (_, index) => ({
    id: `Job:${caller.platformId} ${index}`,
    queue: "webhook" as const,
    kind: "webhook.deliver",
    customerId: null,
    dueAt: 0,
    payload: null,
  }))
  yield* Effect.provideService(
    store.commit(changeSet({ operationId: `add ${operations++}`, jobs })),
    CurrentCaller,
    caller,
  )
  const request = { queue: "webhook", worker: "w", businessNow: 0, wallNow: 0, leavesReserve: false } as const
  return yield* store.claim({ ...request, limit: 1000, leaseMillis: 1000 })
})

const left = Effect.map(
  Effect.flatMap(Store, (store) => Effect.provideService(store.jobs, CurrentCaller, alpha)),
  (jobs) => jobs.length,
)

type Shared = ReturnType<typeof SharedCommit.make>

const starting = (shared: Shared, jobs: ReadonlyArray<ClaimedJob>, caller = alpha) =>
  Effect.forEach(jobs, (job) =>
    Effect.forkChild(Effect.provideService(shared(finishing(job)), CurrentCaller, caller), { startImmediately: true }),
  )

describe("changes that are committed together", () => {
  it.effect("share the commit that follows the one under way, up to 64", () =>
    Effect.gen(function* () {
      const { gate, layer, sizes } = yield* gated
      yield* Effect.gen(function* () {
        const fibers = yield* starting(SharedCommit.make("test"), yield* claimed(100))
        yield* settle
        assert.deepStrictEqual(sizes(), [1])
        yield* gate.open
        yield* Effect.forEach(fibers, Fiber.join)
        assert.deepStrictEqual(sizes(), [1, 64, 35])
        assert.strictEqual(yield* left, 0)
      }).pipe(Effect.provide(world(layer)))
    }),
  )

  it.effect("are committed one by one when a job of them was taken over, which fails alone", () =>
    Effect.gen(function* () {
      const { gate, layer, sizes } = yield* gated
      yield* Effect.gen(function* () {
        const jobs = yield* claimed(5)
        const lost = jobs.map((job, index) => (index === 3 ? { ...job, attempt: 7 } : job))
        const fibers = yield* starting(SharedCommit.make("test"), lost)
        yield* gate.open
        const exits = yield* Effect.forEach(fibers, Fiber.await)
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, true, false, true])
        assert.deepStrictEqual(sizes(), [1, 4, 1, 1, 1, 1])
        assert.strictEqual(yield* left, 1)
      }).pipe(Effect.provide(world(layer)))
    }),
  )

  it.effect("all fail when the store is unavailable, and are not sent again one by one", () =>
    Effect.gen(function* () {
      const { fail, gate, layer, sizes } = yield* gated
      yield* Effect.gen(function* () {
        const jobs = yield* claimed(5)
        fail(new StoreUnavailable({ unknown: false, cause: "the test" }))
        const fibers = yield* starting(SharedCommit.make("test"), jobs)
        yield* gate.open
        const errors = yield* Effect.forEach(fibers, (fiber) => Effect.flip(Fiber.join(fiber)))
        assert.deepStrictEqual(
          errors.map(({ _tag }) => _tag),
          Array.from({ length: 5 }, () => "StoreUnavailable"),
        )
        assert.deepStrictEqual(sizes(), [1, 4])
      }).pipe(Effect.provide(world(layer)))
    }),
  )

  it.effect("leave out a fiber that was interrupted while it waited", () =>
    Effect.gen(function* () {
      const { gate, layer, sizes } = yield* gated
      yield* Effect.gen(function* () {
        const fibers = yield* starting(SharedCommit.make("test"), yield* claimed(4))
        yield* settle
        yield* Effect.forEach(fibers.slice(1, 2), Fiber.interrupt)
        yield* gate.open
        yield* Effect.forEach(fibers, Fiber.await)
        assert.deepStrictEqual(sizes(), [1, 2])
        assert.strictEqual(yield* left, 1)
      }).pipe(Effect.provide(world(layer)))
    }),
  )

  it.effect("lose none that wait when a fiber is interrupted whose change is being committed", () =>
    Effect.gen(function* () {
      const gates = [yield* Latch.make(), yield* Latch.make(), yield* Latch.make(true)]
      const layer = Layer.effectContext(
        Effect.map(Store, (store) => {
          const commit: (typeof store)["commit"] = (set) =>
            set.finishes.length === 0
              ? store.commit(set)
              : Effect.andThen(gates.shift()?.await ?? Effect.void, store.commit(set))
          return Context.make(Store, Store.of({ ...store, commit }))
        }),
      ).pipe(Layer.provide(MemoryStore.layer))
      yield* Effect.gen(function* () {
        const [first, second] = gates
        const shared = SharedCommit.make("test")
        const jobs = yield* claimed(5)
        const begun = yield* starting(shared, jobs.slice(0, 3))
        yield* settle
        yield* first?.open ?? Effect.void
        yield* settle
        // The second commit, of two changes, is under way.
        const waiting = yield* starting(shared, jobs.slice(3))
        yield* settle
        const stopping = yield* Effect.forEach(begun.slice(2), (fiber) => Effect.forkChild(Fiber.interrupt(fiber)))
        yield* settle
        yield* second?.open ?? Effect.void
        yield* Effect.forEach(stopping, Fiber.join)
        yield* settle
        assert.deepStrictEqual(yield* Effect.forEach(waiting, (fiber) => Effect.sync(() => fiber.pollUnsafe()?._tag)), [
          "Success",
          "Success",
        ])
        assert.strictEqual(yield* left, 0)
      }).pipe(Effect.provide(world(layer)))
    }),
  )

  it.effect("go on when the fiber that commits, or the next one to commit, is interrupted", () =>
    Effect.gen(function* () {
      const { gate, layer } = yield* gated
      yield* Effect.gen(function* () {
        const shared = SharedCommit.make("test")
        const jobs = yield* claimed(140)
        const fibers = yield* starting(shared, jobs)
        yield* settle
        // Its commit is under way and ends; its end hands the turn to the next, which is interrupted before it has run.
        const [first, second] = fibers
        if (first === undefined || second === undefined) throw new Error("no fibers")
        const stopping = yield* Effect.forkChild(Fiber.interrupt(first), { startImmediately: true })
        yield* gate.open
        yield* Fiber.await(first)
        yield* Fiber.interrupt(second)
        yield* Fiber.join(stopping)
        yield* Effect.forEach(fibers.slice(2), Fiber.join)
        assert.isAtMost(yield* left, 1)
        // The group is free again.
        const [again] = yield* starting(shared, yield* claimed(0).pipe(Effect.as(jobs.slice(0, 1))))
        assert.isTrue(again !== undefined && Exit.isFailure(yield* Fiber.await(again)))
      }).pipe(Effect.provide(world(layer)))
    }),
  )

  it.effect("go on when a fiber is interrupted between any two of its steps", () =>
    Effect.gen(function* () {
      for (let budget = 10; budget < 150; budget++) {
        const { gate, layer } = yield* gated
        yield* Effect.gen(function* () {
          const shared = SharedCommit.make("test")
          const [first, ...others] = yield* claimed(3)
          if (first === undefined) throw new Error("no job was claimed")
          const leader = yield* starting(shared, [first])
          yield* settle
          yield* gate.open
          // Each fiber gives the others their turn after this number of its steps.
          const fewSteps = Effect.provideService(References.MaxOpsBeforeYield, budget)
          const waiting = yield* fewSteps(starting(shared, others))
          yield* Effect.forEach(waiting.slice(0, 1), Fiber.interrupt)
          yield* Effect.forEach([...leader, ...waiting.slice(1)], Fiber.join)
        }).pipe(Effect.provide(world(layer)))
      }
    }),
  )

  it.effect("never share a set between platforms, or between two attempts of one event", () =>
    Effect.gen(function* () {
      const { gate, layer, sizes } = yield* gated
      yield* Effect.gen(function* () {
        const beta = tenant("PlatformConfig:beta")
        const shared = SharedCommit.make("test")
        const ofAlpha = yield* starting(shared, yield* claimed(3))
        const ofBeta = yield* starting(shared, yield* claimed(2, beta), beta)
        const attempt = {
          eventId: "Webhook:1",
          attempt: {
            at: 0,
            timestamp: "2026-11-21T12:00:00Z",
            url: "https://platform.example",
            headers: {},
            latencyMillis: 1,
            isResend: false,
          },
        }
        const attempts = yield* Effect.forEach([1, 2], () =>
          Effect.forkChild(Effect.provideService(shared({ attempts: [attempt] }), CurrentCaller, alpha), {
            startImmediately: true,
          }),
        )
        yield* gate.open
        yield* Effect.forEach([...ofAlpha, ...ofBeta, ...attempts], (fiber) => Fiber.await(fiber))
        assert.deepStrictEqual(sizes(), [1, 1, 2, 1])
        assert.strictEqual(yield* left, 0)
      }).pipe(Effect.provide(world(layer)))
    }),
  )
})
