/**
 * Batches of commits are attempted optimistically, because nearly all sets succeed. After a conflict the batch is diagnosed first, and so
 * are the following batches for a while.
 */
import type { Connection } from "@countersign/adapter-postgres"
import type { ChangeSet } from "@countersign/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { ann, bob, customer, customerUpdate, id } from "../../../packages/test/src/conformance/Examples.ts"
import { commit, committed, counter } from "../../../packages/test/src/conformance/Suite.ts"
import { counted, good } from "./CounterSets.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(2)
afterAll(async () => (await database).close())

/** A store that records its trips: the size of each batch and whether it was diagnosed, or that sets were sent one by one. */
const recording = () => {
  const trips: Array<string> = []
  const store = TestDatabase.emptyStore(async () => {
    const { connection } = await database
    const query: Connection["query"] = (statement) => {
      const [first, , platforms] = statement.values
      if (statement.name === "countersign_commit_serial") trips.push("one by one")
      if (statement.name === "countersign_commit_group" && Array.isArray(platforms)) {
        trips.push(`${platforms.length} ${first === "true" ? "diagnosed" : "attempted"}`)
      }
      return connection.query(statement)
    }
    return { ...connection, query, concurrentBatches: 1 }
  })
  return { trips, store }
}

const commitTogether = (sets: ReadonlyArray<ChangeSet>) =>
  Effect.forEach(sets, (set) => Effect.map(commit(set), ({ _tag }) => _tag), { concurrency: "unbounded" })

/** A set that conflicts, and its outcome. */
const conflicts: ReadonlyArray<readonly [name: string, set: () => ChangeSet, outcome: string]> = [
  ["a stored response", () => changeSet({ replay: replayRecord("known") }), "Replayed"],
  [
    "a unique key that is taken",
    () =>
      changeSet({
        inserts: [customer(2)],
        claims: [{ scope: "global", key: "taken", record: { kind: "Customer", id: bob } }],
      }),
    "Taken",
  ],
  ["an outdated version", () => changeSet({ updates: [customerUpdate(1, 7)] }), "Conflict"],
  ["a job that is not claimed", () => changeSet({ finishes: [{ id: id("Job", 9), attempt: 1 }] }), "Conflict"],
]

const prepare = Effect.gen(function* () {
  yield* committed(changeSet({ replay: replayRecord("known") }))
  yield* committed(
    changeSet({
      inserts: [customer(1)],
      claims: [{ scope: "global", key: "taken", record: { kind: "Customer", id: ann } }],
    }),
  )
})

describe("a batch of commits", () => {
  it.effect("is attempted without a diagnosis", () => {
    const { store, trips } = recording()
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* commitTogether(good(6)), Array(6).fill("Committed"))
      assert.deepStrictEqual(trips, ["6 attempted"])
    }).pipe(Effect.provide(store, { local: true }))
  })

  it.effect.each(conflicts)("with %s is diagnosed, and its other sets are committed", ([, set, outcome]) => {
    const { store, trips } = recording()
    return Effect.gen(function* () {
      yield* prepare
      trips.length = 0
      const [outcomeOfConflict, ...others] = yield* commitTogether([set(), ...good(5)])
      assert.strictEqual(outcomeOfConflict, outcome)
      assert.deepStrictEqual(others, Array(5).fill("Committed"))
      assert.deepStrictEqual(trips, ["6 attempted", "6 diagnosed", "5 diagnosed", "one by one"])
    }).pipe(Effect.provide(store, { local: true }))
  })

  it.effect("excludes the sets that could violate the bound of a counter without a diagnosis", () => {
    const { store, trips } = recording()
    return Effect.gen(function* () {
      const outcomes = yield* commitTogether([counted("full", 1), counted("full", 1), ...good(4)])
      assert.deepStrictEqual(outcomes.slice(0, 2).sort(), ["BoundViolated", "Committed"])
      assert.deepStrictEqual(outcomes.slice(2), Array(4).fill("Committed"))
      assert.deepStrictEqual(trips, ["6 attempted", "4 diagnosed", "one by one"])
      assert.strictEqual(yield* counter("full"), 1)
    }).pipe(Effect.provide(store, { local: true }))
  })

  it.effect("is diagnosed first for a while after a conflict", () => {
    const { store, trips } = recording()
    return Effect.gen(function* () {
      yield* prepare
      yield* commitTogether([changeSet({ replay: replayRecord("known") }), ...good(3)])
      trips.length = 0
      for (let batch = 0; batch < 17; batch++) yield* commitTogether(good(3))
      assert.deepStrictEqual(trips.slice(0, 15), Array(15).fill("3 diagnosed"))
      assert.deepStrictEqual(trips.slice(15), Array(2).fill("3 attempted"))
    }).pipe(Effect.provide(store, { local: true }))
  })
})

describe("a commit that nothing shares", () => {
  it.effect("is attempted in the same way", () => {
    const { store, trips } = recording()
    return Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1)] }))
      assert.deepStrictEqual(trips, ["1 attempted"])
    }).pipe(Effect.provide(store, { local: true }))
  })

  it.effect.each(conflicts)(
    "with %s is refused by the serial commit, which says why, without a diagnosis",
    ([, set, outcome]) => {
      const { store, trips } = recording()
      return Effect.gen(function* () {
        yield* prepare
        trips.length = 0
        assert.deepStrictEqual(yield* commitTogether([set()]), [outcome])
        assert.deepStrictEqual(yield* commitTogether(good(1)), ["Committed"])
        assert.deepStrictEqual(trips, ["1 attempted", "one by one", "1 attempted"])
      }).pipe(Effect.provide(store, { local: true }))
    },
  )
})
