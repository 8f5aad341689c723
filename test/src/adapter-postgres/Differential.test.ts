/**
 * PostgreSQL answers as the reference does: the same histories, the same outcomes, the same state.
 * Source: architecture, "The Store port".
 */
import { MemoryStore } from "@countersign/adapter-memory"
import type { Connection } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, type CommitOutcome, Store } from "@countersign/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { afterAll } from "vitest"
import { playBursts } from "./Bursts.ts"
import { historyOf, play } from "./Histories.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)
const Postgres = TestDatabase.emptyStore(async () => (await database).connection)

it.effect.prop(
  "a history has the same outcomes and the same end on PostgreSQL as in memory",
  { seed: Schema.Int },
  ({ seed }) =>
    Effect.gen(function* () {
      const history = historyOf(seed)
      const expected = yield* play(history).pipe(Effect.provide(Memory, { local: true }))
      const found = yield* play(history).pipe(Effect.provide(Postgres, { local: true }))
      assert.deepStrictEqual(found, expected)
    }),
  { arbitrary: { runs: 80 }, timeout: 120_000 },
)

describe("many commits at once", () => {
  it.effect.prop(
    "are those of one order, in which the memory answers the same and ends in the same state",
    { seed: Schema.Int },
    ({ seed }) =>
      Effect.gen(function* () {
        const { expected, problems, shown } = yield* playBursts(seed)
        assert.deepStrictEqual(problems, [])
        assert.deepStrictEqual(shown, expected)
      }).pipe(Effect.provide(Postgres, { local: true })),
    { arbitrary: { runs: 25 }, timeout: 120_000 },
  )

  // A set whose job and event are both there; a key whose time is over when it is sent.
  it.effect.each([9123, 9150])("are so in the bursts of seed %i, which once were not", (seed) =>
    Effect.gen(function* () {
      const { expected, problems, shown } = yield* playBursts(seed)
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(shown, expected)
    }).pipe(Effect.provide(Postgres, { local: true })),
  )

  it.effect(
    "are committed together and one by one, and have every answer",
    () => {
      const calls = new Map<string, number>()
      const counted = TestDatabase.emptyStore(async () => {
        const { connection } = await database
        const query: Connection["query"] = (statement) => {
          const { name = "" } = statement
          calls.set(name, (calls.get(name) ?? 0) + 1)
          return connection.query(statement)
        }
        return { ...connection, query }
      })
      return Effect.gen(function* () {
        const tags = new Map<string, number>()
        for (const seed of [1, 2, 3, 4]) {
          const played = yield* playBursts(seed).pipe(Effect.provide(counted, { local: true }))
          for (const [tag, times] of played.tags) tags.set(tag, (tags.get(tag) ?? 0) + times)
        }
        const all = ["Committed", "Conflict", "BoundViolated", "Taken", "Replayed", "a defect"]
        assert.sameMembers([...tags.keys()], all)
        assert.isAbove(calls.get("countersign_commit_group") ?? 0, 4)
        assert.isAbove(calls.get("countersign_commit_serial") ?? 0, 4)
      })
    },
    60_000,
  )

  const lies: ReadonlyArray<readonly [name: string, lie: (outcome: CommitOutcome) => CommitOutcome]> = [
    [
      "a place that another set has",
      (outcome) =>
        outcome._tag === "Committed" && outcome.facts.counters["place"] === 5
          ? { _tag: "Committed", facts: { ...outcome.facts, counters: { ...outcome.facts.counters, place: 4 } } }
          : outcome,
    ],
    ["a refusal of what was committed", (outcome) => (outcome._tag === "Committed" ? refused : outcome)],
    ["a refusal for nothing", (outcome) => (outcome._tag === "Conflict" ? refused : outcome)],
  ]
  const refused: CommitOutcome = { _tag: "Conflict", on: "nothing at all" }
  it.effect.each(lies)("are not explained where the store tells %s", ([, lie]) =>
    Effect.gen(function* () {
      const store = yield* Store
      const lying = { ...store, commit: (set: ChangeSet) => Effect.map(store.commit(set), lie) }
      const { problems } = yield* Effect.provideService(playBursts(1), Store, lying)
      assert.isNotEmpty(problems)
    }).pipe(Effect.provide(Memory, { local: true })),
  )
})
