/**
 * Expired receipts are deleted, a few with each commit, so that the memory of a long run is bounded.
 * Source: architecture, "Load, ask, decide, commit" (idempotency record); ports/ChangeSet.ts (ReplayRecord).
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { committed, counter } from "../../../packages/test/src/conformance/Suite.ts"

const hour = 60 * 60 * 1000
const day = 24 * hour

/** The number of stored operations and responses. */
const remembered = MemoryStore.useSync(({ snapshot }) => {
  const { answers, operations } = snapshot() as Record<"answers" | "operations", ReadonlyArray<unknown>>
  return { operations: operations.length, answers: answers.length }
})

const counting = (name: string, keyExpires?: number) =>
  changeSet({
    operationId: name,
    counters: [{ key: "applied", delta: 1 }],
    ...(keyExpires === undefined ? {} : { replay: replayRecord(name, { expiresAt: keyExpires }) }),
  })

it.effect("stored responses are deleted after they expire and operations after 8 days, not earlier", () =>
  Effect.gen(function* () {
    const many = (name: string, count: number, keyExpires?: number) =>
      Effect.forEach(Array.from({ length: count }), (_, n) => committed(counting(`${name} ${n}`, keyExpires)))
    yield* many("keyed", 40, day)
    assert.deepStrictEqual(yield* remembered, { operations: 0, answers: 40 })

    yield* TestClock.setTime(day - 1)
    yield* many("before", 20)
    assert.deepStrictEqual(yield* remembered, { operations: 20, answers: 40 })

    // Each commit deletes at most four, so that no commit is slow.
    yield* TestClock.setTime(day)
    yield* many("one", 1)
    assert.deepStrictEqual(yield* remembered, { operations: 21, answers: 36 })
    yield* many("after", 10)
    assert.deepStrictEqual(yield* remembered, { operations: 31, answers: 0 })

    yield* TestClock.setTime(9 * day - 2)
    yield* committed(counting("before 0"))
    assert.strictEqual(yield* counter("applied"), 71)

    yield* TestClock.setTime(9 * day - 1)
    yield* many("late", 10)
    assert.deepStrictEqual(yield* remembered, { operations: 21, answers: 0 })
    // No caller resends a set for so long: it is applied as a new one, like a set whose key has expired.
    yield* committed(counting("before 0"))
    yield* committed(counting("keyed 0", 10 * day))
    assert.strictEqual(yield* counter("applied"), 83)
  }).pipe(Effect.provide(Layer.provideMerge(MemoryStore.layer, WallTime.layerClock))),
)
