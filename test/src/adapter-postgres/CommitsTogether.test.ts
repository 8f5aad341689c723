/**
 * How commits go together: tried without a look, since nearly all hold; where something was in the way, with one, and so are the next
 * ones for a while.
 */
import type { Connection } from "@countersign/adapter-postgres"
import type { ChangeSet } from "@countersign/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { ann, bob, customer, customerUpdate, id } from "../../../packages/test/src/conformance/Examples.ts"
import { commit, committed, counter } from "../../../packages/test/src/conformance/Suite.ts"
import { counted, good } from "./CountedSets.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(2)
afterAll(async () => (await database).close())

/** A store that tells its trips: how many sets went together, and whether with a look; or that they went one by one. */
const telling = () => {
  const trips: Array<string> = []
  const store = TestDatabase.emptyStore(async () => {
    const { connection } = await database
    const query: Connection["query"] = (statement) => {
      const [first, , platforms] = statement.values
      if (statement.name === "countersign_commit_serial") trips.push("one by one")
      if (statement.name === "countersign_commit_group" && Array.isArray(platforms)) {
        trips.push(`${platforms.length} ${first === "true" ? "with" : "without"} a look`)
      }
      return connection.query(statement)
    }
    return { ...connection, query, concurrentBatches: 1 }
  })
  return { trips, store }
}

const together = (sets: ReadonlyArray<ChangeSet>) =>
  Effect.forEach(sets, (set) => Effect.map(commit(set), ({ _tag }) => _tag), { concurrency: "unbounded" })

/** What is in the way of one of the sets, and what it is told. */
const obstacles: ReadonlyArray<readonly [name: string, set: () => ChangeSet, outcome: string]> = [
  ["an answer that is kept", () => changeSet({ replay: replayRecord("known") }), "Replayed"],
  [
    "a key that is taken",
    () =>
      changeSet({
        inserts: [customer(2)],
        claims: [{ scope: "global", key: "taken", record: { kind: "Customer", id: bob } }],
      }),
    "Taken",
  ],
  ["a version that is past", () => changeSet({ updates: [customerUpdate(1, 7)] }), "Conflict"],
  ["a job that nobody has claimed", () => changeSet({ finishes: [{ id: id("Job", 9), attempt: 1 }] }), "Conflict"],
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

describe("commits that go together", () => {
  it.effect("are tried without a look", () => {
    const { store, trips } = telling()
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* together(good(6)), Array(6).fill("Committed"))
      assert.deepStrictEqual(trips, ["6 without a look"])
    }).pipe(Effect.provide(store, { local: true }))
  })

  it.effect.each(obstacles)("and meet %s are looked at, and the others are committed", ([, set, outcome]) => {
    const { store, trips } = telling()
    return Effect.gen(function* () {
      yield* prepare
      trips.length = 0
      const [told, ...others] = yield* together([set(), ...good(5)])
      assert.strictEqual(told, outcome)
      assert.deepStrictEqual(others, Array(5).fill("Committed"))
      assert.deepStrictEqual(trips, ["6 without a look", "6 with a look", "5 with a look", "one by one"])
    }).pipe(Effect.provide(store, { local: true }))
  })

  it.effect("and move a counter that could pass its bound are named without a look", () => {
    const { store, trips } = telling()
    return Effect.gen(function* () {
      const outcomes = yield* together([counted("full", 1), counted("full", 1), ...good(4)])
      assert.deepStrictEqual(outcomes.slice(0, 2).sort(), ["BoundViolated", "Committed"])
      assert.deepStrictEqual(outcomes.slice(2), Array(4).fill("Committed"))
      assert.deepStrictEqual(trips, ["6 without a look", "4 with a look", "one by one"])
      assert.strictEqual(yield* counter("full"), 1)
    }).pipe(Effect.provide(store, { local: true }))
  })

  it.effect("are looked at first for a while after something was in the way", () => {
    const { store, trips } = telling()
    return Effect.gen(function* () {
      yield* prepare
      yield* together([changeSet({ replay: replayRecord("known") }), ...good(3)])
      trips.length = 0
      for (let batch = 0; batch < 17; batch++) yield* together(good(3))
      assert.deepStrictEqual(trips.slice(0, 15), Array(15).fill("3 with a look"))
      assert.deepStrictEqual(trips.slice(15), Array(2).fill("3 without a look"))
    }).pipe(Effect.provide(store, { local: true }))
  })
})
