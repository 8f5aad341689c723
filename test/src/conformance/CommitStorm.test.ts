/** The audit after a commit storm: a good store passes it, and one that has lost or repeated anything does not. Source: D-539. */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { commitStorm, stormProblems } from "@countersign/test/conformance"
import { Deferred, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { losing, type Service, type WrongStore } from "./wrong/WrongStore.ts"

const good = Effect.provide(MemoryStore.make, WallTime.layerClock)

/** Runs the storm on a store until it has acknowledged this number of sets. */
const stormOn = (store: Service, from: number, count: number) =>
  Effect.gen(function* () {
    const acknowledged: Array<number> = []
    const enough = yield* Deferred.make<void>()
    const acknowledge = (n: number) => {
      acknowledged.push(n)
      if (acknowledged.length === count) Deferred.doneUnsafe(enough, Effect.void)
    }
    yield* Effect.raceFirst(commitStorm({ from, acknowledge }), Deferred.await(enough))
    return { from, acknowledged }
  }).pipe(Effect.provide(Layer.succeed(Store, store)))

const audit = (store: Service, runs: Parameters<typeof stormProblems>[0]) =>
  stormProblems(runs).pipe(Effect.provide(Layer.succeed(Store, store)))

it("a store that keeps every acknowledged set has no problems after two storms", async () => {
  const problems = Effect.gen(function* () {
    const { store } = yield* good
    const runs = [yield* stormOn(store, 1, 30), yield* stormOn(store, 1000, 20)]
    return yield* audit(store, runs)
  })
  expect(await Effect.runPromise(problems)).toEqual([])
})

it("a store that has lost the last acknowledged sets is noticed", async () => {
  const problems = Effect.gen(function* () {
    const memory = yield* good
    const first = yield* stormOn(memory.store, 1, 10)
    const earlier = memory.fork().store
    const { acknowledged } = yield* stormOn(memory.store, 100, 1)
    return yield* audit(earlier, [first, { from: 100, acknowledged }])
  })
  const [first = ""] = await Effect.runPromise(problems)
  expect(first).toMatch(/^the acknowledged set 10\d is stored without its record, unique key, posting, event, job$/u)
})

const partial = ["inserts", "transfers", "counters", "events", "jobs"] as const

it.each(partial)("a store that has stored sets without their %s is noticed", async (part) => {
  const problems = Effect.gen(function* () {
    const { store } = yield* good
    const wrong: WrongStore["wrap"] = losing(part, 3)
    // A key without its record would be a conflict.
    const also: WrongStore["wrap"] = part === "inserts" ? losing("claims", 3) : () => ({})
    const losingStore = { ...store, ...wrong({ ...store, ...also(store) }) }
    return yield* audit(store, [yield* stormOn(losingStore, 1, 12)])
  })
  expect((await Effect.runPromise(problems)).length).toBeGreaterThan(0)
})

it("a store that applies a set twice is noticed", async () => {
  const problems = Effect.gen(function* () {
    const { store } = yield* good
    const runs = [yield* stormOn(store, 1, 10)]
    // Its receipts are gone: only the counter, which nothing else guards, is written again.
    const commit: Service["commit"] = (set) =>
      store.commit({ ...set, operationId: `again ${set.operationId}`, inserts: [], claims: [], events: [], jobs: [] })
    return yield* audit({ ...store, commit }, runs)
  })
  expect(await Effect.runPromise(problems)).toContainEqual(expect.stringMatching(/^after all sets were sent again/u))
})
