/**
 * Conformance: an update can erase the history of its record. An event is deleted after its retention, but not before its delivery
 * is finished.
 * Source: ports/ChangeSet.ts (erasesHistory); ports/Store.ts (event); D-055, D-056.
 */

import assert from "node:assert/strict"
import { eventLane, eventRetentionMillis } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { ann, customer, customerData, customerUpdate, id, job, newEvent } from "./Examples.ts"
import { claim, committed, conflicts, event, history, record, type Suite } from "./Suite.ts"

const ref = { kind: "Customer", id: ann } as const
const names = Effect.map(history(ref), (versions) =>
  versions.map(({ data, version }) => [version, "fullName" in data ? data.fullName : undefined]),
)

/** Commits repeatedly, so that the retention sweep behind commits runs. Returns whether the event was deleted. */
const isDeletedBySweep = Effect.fnUntraced(function* (eventId: string) {
  for (let round = 0; round < 60; round++) {
    const sets = Array.from({ length: 50 }, () => changeSet({ counters: [{ key: "sweep", delta: 1 }] }))
    yield* Effect.forEach(sets, (set) => committed(set), { concurrency: "unbounded", discard: true })
    if ((yield* event(eventId)) === undefined) return true
  }
  return false
})

export const retention = ({ moveTo, test }: Suite): void => {
  test("an update that erases history leaves one version, and the next update adds another", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1, { fullName: "first" }), customer(2, { fullName: "other" })] }))
      yield* committed(changeSet({ updates: [customerUpdate(1, 1, { fullName: "second" })] }))
      yield* committed(changeSet({ updates: [customerUpdate(2, 1, { fullName: "other again" })] }))
      assert.deepStrictEqual(yield* names, [
        [1, "first"],
        [2, "second"],
      ])
      yield* committed(changeSet({ updates: [{ ...customerUpdate(1, 2), erasesHistory: true }] }))
      assert.deepStrictEqual(yield* names, [[3, undefined]])
      assert.deepStrictEqual((yield* record("Customer", ann))?.data, customerData(1))
      yield* committed(changeSet({ updates: [customerUpdate(1, 3, { fullName: "fourth" })] }))
      assert.deepStrictEqual(yield* names, [
        [3, undefined],
        [4, "fourth"],
      ])
      assert.strictEqual((yield* history({ kind: "Customer", id: id("Customer", 2) })).length, 2)
    }))

  test("erases nothing by an update that is not committed", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1, { fullName: "first" })] }))
      yield* committed(changeSet({ updates: [customerUpdate(1, 1, { fullName: "second" })] }))
      yield* conflicts(changeSet({ updates: [{ ...customerUpdate(1, 1), erasesHistory: true }] }))
      yield* conflicts(
        changeSet({
          updates: [{ ...customerUpdate(1, 2), erasesHistory: true }],
          guards: [{ kind: "Customer", id: id("Customer", 9), version: 1 }],
        }),
      )
      assert.strictEqual((yield* names).length, 2)
    }))

  test("deletes an event when its retention ends, and not before", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ at: 0, events: [newEvent(1)] }))
      yield* moveTo(eventRetentionMillis - 1)
      yield* committed(changeSet({ at: eventRetentionMillis - 1, events: [newEvent(2)] }))
      assert.strictEqual(yield* isDeletedBySweep(id("Webhook", 1)), false)
      yield* moveTo(eventRetentionMillis + 1)
      assert.strictEqual(yield* isDeletedBySweep(id("Webhook", 1)), true)
      assert.notStrictEqual(yield* event(id("Webhook", 2)), undefined)
    }))

  test("keeps an event while a delivery of its record is unfinished", () =>
    Effect.gen(function* () {
      const delivery = job(1, { queue: "webhook", lane: eventLane(ann) })
      yield* committed(changeSet({ events: [newEvent(1), newEvent(2, { subject: "other" })], jobs: [delivery] }))
      yield* moveTo(2 * eventRetentionMillis)
      assert.strictEqual(yield* isDeletedBySweep(id("Webhook", 2)), true)
      assert.notStrictEqual(yield* event(id("Webhook", 1)), undefined)
      const [claimed] = yield* claim({ queue: "webhook" })
      yield* committed(changeSet({ finishes: [{ id: delivery.id, attempt: claimed?.attempt ?? 0 }] }))
      yield* moveTo(4 * eventRetentionMillis)
      assert.strictEqual(yield* isDeletedBySweep(id("Webhook", 1)), true)
    }))
}
