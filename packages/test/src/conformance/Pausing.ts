/**
 * Conformance: a committed update invalidates every older guard, and guarded traffic cannot delay the update.
 * Source: architecture, "A change set is the only way to write" (guards).
 */
import assert from "node:assert/strict"
import { Effect, Fiber } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { agent, agentData, id } from "./Examples.ts"
import { commit, committed, counter, record, type Suite } from "./Suite.ts"

const agentId = id("Agent", 1)
const ref = { kind: "Agent", id: agentId } as const

/** Returns an action that guards a version of the agent and increments a counter. */
const action = (version: number) =>
  changeSet({ guards: [{ ...ref, version }], counters: [{ key: "actions", delta: 1 }] })

/** A store that still commits an outdated action after this number never reports a conflict. */
const actionsMax = 500

/** Commits actions on one version of the agent until a commit fails. */
const traffic = Effect.gen(function* () {
  const version = (yield* record("Agent", agentId))?.version ?? 0
  for (let done = 0; ; done++) {
    const outcome = yield* commit(action(version))
    if (outcome._tag !== "Committed" || done === actionsMax) return { done, ended: outcome }
    yield* Effect.yieldNow
  }
})

export const pausing = ({ test }: Suite): void => {
  test("commits a pause under a constant stream of guarded actions, and no older action after its answer", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [agent(1)] }))
      const stream = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.forkChild(traffic))
      while ((yield* counter("actions")) < 40) yield* Effect.yieldNow

      const data = agentData({ isPaused: true })
      const outcome = yield* commit(changeSet({ updates: [{ ...ref, version: 1, data }] }))
      const atAnswer = yield* counter("actions")
      assert.strictEqual(outcome._tag, "Committed")

      const ends = yield* Effect.forEach(stream, Fiber.join)
      for (const { ended } of ends) assert.deepStrictEqual(ended, { _tag: "Conflict", on: `Agent ${agentId}` })
      assert.strictEqual(yield* counter("actions"), atAnswer)
      assert.strictEqual(
        ends.reduce((sum, { done }) => sum + done, 0),
        atAnswer,
      )
      assert.ok(atAnswer >= 40, `${atAnswer}`)
    }))

  test("actions that guard the same record do not conflict with each other", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [agent(1)] }))
      const outcomes = yield* Effect.forEach(Array.from({ length: 50 }), () => commit(action(1)), {
        concurrency: "unbounded",
      })
      assert.strictEqual(
        outcomes.every(({ _tag }) => _tag === "Committed"),
        true,
      )
      assert.strictEqual(yield* counter("actions"), 50)
      assert.strictEqual((yield* record("Agent", agentId))?.version, 1)
    }))
}
