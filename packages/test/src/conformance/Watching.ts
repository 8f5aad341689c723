/**
 * Conformance: who watches a platform learns which topics its commits changed, as long as the scope is open, and nothing of others.
 * Source: ports/Store.ts (watch); D-453.
 */

import assert from "node:assert/strict"
import { type ChangeTopic, changeTopics, Store } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { alphaId, beta, betaId, customer, id, job, newEvent } from "./Examples.ts"
import { committed, conflicts, type Suite } from "./Suite.ts"

/** The topics that were reported, in the order of the table. */
const watching = Effect.fnUntraced(function* (platformId: string) {
  const seen = new Set<ChangeTopic>()
  yield* Store.use((store) =>
    store.watch(platformId, (topics) => {
      for (const topic of topics) seen.add(topic)
    }),
  )
  return () => changeTopics.filter((topic) => seen.has(topic))
})

export const watchingChanges = ({ test }: Suite): void => {
  test("reports the topics of a platform's commits to those who watch it", () =>
    Effect.gen(function* () {
      const first = yield* watching(alphaId)
      const second = yield* watching(alphaId)
      const other = yield* watching(betaId)
      yield* committed(changeSet({ inserts: [customer(1)] }))
      assert.deepStrictEqual([first(), second(), other()], [["records"], ["records"], []])
      yield* committed(changeSet({ jobs: [job(1)] }), beta)
      assert.deepStrictEqual([first(), other()], [["records"], ["jobs"]])
      yield* committed(changeSet({ events: [newEvent(1)] }))
      assert.deepStrictEqual([first(), other()], [["events", "records"], ["jobs"]])
    }).pipe(Effect.scoped))

  test("reports nothing of a commit that is not applied, and nothing after the scope", () =>
    Effect.gen(function* () {
      const before = yield* Effect.scoped(watching(alphaId))
      const now = yield* watching(alphaId)
      const missing = { kind: "Customer", id: id("Customer", 2), version: 1 } as const
      yield* conflicts(changeSet({ inserts: [customer(1)], guards: [missing] }))
      assert.deepStrictEqual(now(), [])
      yield* committed(changeSet({ inserts: [customer(1)] }))
      assert.deepStrictEqual([before(), now()], [[], ["records"]])
    }).pipe(Effect.scoped))

  test("reports an advance of time to all platforms", () =>
    Effect.gen(function* () {
      const seen = [yield* watching(alphaId), yield* watching(betaId)]
      yield* Store.use((store) => store.moveTime({ mover: "one", aheadMillis: 5, wallNow: 1000, heldUntil: 2000 }))
      assert.deepStrictEqual(
        seen.map((topics) => topics()),
        [["clock"], ["clock"]],
      )
    }).pipe(Effect.scoped))
}
