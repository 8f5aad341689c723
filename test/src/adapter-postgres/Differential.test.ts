/**
 * PostgreSQL behaves as the reference in memory: the same histories have the same outcomes and the same final state.
 * Source: architecture, "The Store port".
 */
import type { Connection } from "@countersign/adapter-postgres"
import { type ChangeSet, type CommitOutcome, Store } from "@countersign/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { afterAll } from "vitest"
import { doesAsInMemory, Memory } from "./AsInMemory.ts"
import { runBursts } from "./Bursts.ts"
import { runClaimHistory } from "./ClaimHistories.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const Postgres = TestDatabase.emptyStore(async () => (await database).connection)

doesAsInMemory("on PostgreSQL", Postgres, 80)

it.effect.prop(
  "claims of a queue that platforms share have the same answers on PostgreSQL as in memory",
  { seed: Schema.Int },
  ({ seed }) =>
    Effect.gen(function* () {
      const expected = yield* runClaimHistory(seed).pipe(Effect.provide(Memory, { local: true }))
      const found = yield* runClaimHistory(seed).pipe(Effect.provide(Postgres, { local: true }))
      assert.deepStrictEqual(found, expected)
    }),
  { arbitrary: { runs: 60 }, timeout: 120_000 },
)

describe("concurrent commits", () => {
  it.effect.prop(
    "have a serial order in which the memory store has the same outcomes and the same final state",
    { seed: Schema.Int },
    ({ seed }) =>
      Effect.gen(function* () {
        const { expected, problems, finalState } = yield* runBursts(seed)
        assert.deepStrictEqual(problems, [])
        assert.deepStrictEqual(finalState, expected)
      }).pipe(Effect.provide(Postgres, { local: true })),
    { arbitrary: { runs: 25 }, timeout: 120_000 },
  )

  // Regressions: a set whose job and event both exist; a key that has expired when it is sent.
  it.effect.each([9123, 9150])("have such an order in the bursts of seed %i", (seed) =>
    Effect.gen(function* () {
      const { expected, problems, finalState } = yield* runBursts(seed)
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(finalState, expected)
    }).pipe(Effect.provide(Postgres, { local: true })),
  )

  it.effect(
    "are committed in batches and one by one, and have every outcome",
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
          const played = yield* runBursts(seed).pipe(Effect.provide(counted, { local: true }))
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

  const wrongOutcomes: ReadonlyArray<readonly [name: string, falsify: (outcome: CommitOutcome) => CommitOutcome]> = [
    [
      "the place of another set",
      (outcome) =>
        outcome._tag === "Committed" && outcome.facts.counters["place"] === 5
          ? { _tag: "Committed", facts: { ...outcome.facts, counters: { ...outcome.facts.counters, place: 4 } } }
          : outcome,
    ],
    ["a refusal of a committed set", (outcome) => (outcome._tag === "Committed" ? refused : outcome)],
    ["a refusal without a reason", (outcome) => (outcome._tag === "Conflict" ? refused : outcome)],
  ]
  const refused: CommitOutcome = { _tag: "Conflict", on: "nothing at all" }
  it.effect.each(wrongOutcomes)("have no such order if the store reports %s", ([, falsify]) =>
    Effect.gen(function* () {
      const store = yield* Store
      const wrongStore = { ...store, commit: (set: ChangeSet) => Effect.map(store.commit(set), falsify) }
      const { problems } = yield* Effect.provideService(runBursts(1), Store, wrongStore)
      assert.isNotEmpty(problems)
    }).pipe(Effect.provide(Memory, { local: true })),
  )
})
