/**
 * Conformance: counters, their maximum and their decrease.
 * Source: architecture, "The Store port" (Counters); ports/ChangeSet.ts (CounterChange).
 */

import assert from "node:assert/strict"
import { amountMax } from "@countersign/core/models"
import { type CommitOutcome, type CounterChange, limitRetentionMillis, liveLimitsFrom } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { ann } from "./Examples.ts"
import { commit, committed, counter, dies, meets, type Suite, tally } from "./Suite.ts"

const add = (...counters: ReadonlyArray<CounterChange>) => changeSet({ counters })
const full: CommitOutcome = { _tag: "BoundViolated", bound: { _tag: "Counter", key: "k" } }

export const budgets = ({ test }: Suite): void => {
  test("starts a counter at 0 and returns its value after the commit", () =>
    Effect.gen(function* () {
      const facts = yield* committed(add({ key: "k", delta: 5 }, { key: "l", delta: 0 }))
      assert.deepStrictEqual(facts, { balances: {}, counters: { k: 5, l: 0 } })
      assert.deepStrictEqual((yield* committed(add({ key: "k", delta: -2 }))).counters, { k: 3 })
      assert.strictEqual(yield* counter("k"), 3)
    }))

  test("allows a counter to reach its maximum and not to exceed it", () =>
    Effect.gen(function* () {
      yield* committed(add({ key: "k", delta: 6, max: 10 }))
      yield* meets(add({ key: "k", delta: 5, max: 10 }), full)
      yield* committed(add({ key: "k", delta: 4, max: 10 }))
      assert.strictEqual(yield* counter("k"), 10)
    }))

  test("checks a maximum only for a delta towards it", () =>
    Effect.gen(function* () {
      yield* committed(add({ key: "k", delta: 10 }))
      yield* committed(add({ key: "k", delta: 0, max: 5 }))
      yield* committed(add({ key: "k", delta: -1, max: 5 }))
      yield* meets(add({ key: "k", delta: 1, max: 5 }), full)
      assert.strictEqual(yield* counter("k"), 9)
    }))

  test("adds up several changes of one key in one set", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* committed(add({ key: "k", delta: 3 }, { key: "k", delta: 4 }))).counters, { k: 7 })
      yield* meets(add({ key: "k", delta: 2, max: 10 }, { key: "k", delta: 2, max: 10 }), full)
      assert.strictEqual(yield* counter("k"), 7)
    }))

  test("reports a conflict for an unexpected value before it checks the maximum", () =>
    Effect.gen(function* () {
      yield* committed(add({ key: "k", delta: 1, expected: 0 }))
      yield* meets(add({ key: "k", delta: 9, expected: 0, max: 1 }), { _tag: "Conflict", on: "counter k" })
      yield* committed(add({ key: "k", delta: 1, expected: 1 }))
      assert.strictEqual(yield* counter("k"), 2)
    }))

  test("counts each window of a limit apart, for as long as it lasts", () =>
    Effect.gen(function* () {
      const window = (endsAt: number) => `${liveLimitsFrom(endsAt - 1)}:transfers:${ann}`
      const [first, second] = [window(20_000_000), window(30_000_000)]
      yield* committed(changeSet({ at: 1000, counters: [{ key: first, delta: 2 }] }))
      const facts = yield* committed(changeSet({ at: 2000, counters: [{ key: second, delta: 3, max: 4 }] }))
      assert.deepStrictEqual(facts.counters, { [second]: 3 })
      for (const at of [19_000_000, 20_000_000 + limitRetentionMillis - 1]) {
        yield* committed(changeSet({ at, counters: [{ key: window(at + 40_000_000), delta: 1 }] }))
        assert.deepStrictEqual([yield* counter(first), yield* counter(second)], [2, 3])
      }
    }))

  test("keeps a counter within the exact integers", () =>
    Effect.gen(function* () {
      yield* committed(add({ key: "k", delta: amountMax }))
      yield* meets(add({ key: "k", delta: 1 }), full)
      yield* dies(commit(add({ key: "k", delta: 0.5 })))
      assert.strictEqual(yield* counter("k"), amountMax)
    }))

  test("treats a counter below 0 as a defect", () =>
    Effect.gen(function* () {
      yield* committed(add({ key: "k", delta: 2 }))
      yield* dies(commit(add({ key: "k", delta: -3 })))
      assert.strictEqual(yield* counter("k"), 2)
      yield* committed(add({ key: "k", delta: -2 }))
      assert.strictEqual(yield* counter("k"), 0)
    }))

  test("commits exactly those of 30 concurrent charges that stay within the maximum", () =>
    Effect.gen(function* () {
      const sets = Array.from({ length: 30 }, () => add({ key: "k", delta: 1, max: 20 }))
      const outcomes = yield* Effect.forEach(sets, (set) => commit(set), { concurrency: "unbounded" })
      assert.deepStrictEqual(tally(outcomes), { Committed: 20, BoundViolated: 10 })
      assert.strictEqual(yield* counter("k"), 20)
    }))

  test("commits one of 10 concurrent changes that expect the same value", () =>
    Effect.gen(function* () {
      const sets = Array.from({ length: 10 }, () => add({ key: "k", delta: 1, expected: 0 }))
      const outcomes = yield* Effect.forEach(sets, (set) => commit(set), { concurrency: "unbounded" })
      assert.deepStrictEqual(tally(outcomes), { Committed: 1, Conflict: 9 })
    }))
}
