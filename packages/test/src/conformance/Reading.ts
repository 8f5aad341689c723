/**
 * Conformance: a committed record reads back, and only a change set can change it.
 * Source: architecture, "The Store port" (read, history).
 */

import assert from "node:assert/strict"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { alphaId, ann, customer, customerData, customerUpdate, id, ownerOf } from "./Examples.ts"
import {
  balance,
  commit,
  committed,
  conflicts,
  counter,
  dies,
  event,
  history,
  meets,
  read,
  record,
  replay,
  type Suite,
} from "./Suite.ts"

const ref = (n: number) => ({ kind: "Customer", id: id("Customer", n) }) as const

export const reading = ({ test }: Suite): void => {
  test("returns an inserted record with its owner, version 1 and the time of its decision", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ at: 5000, inserts: [customer(1)] }))
      assert.deepStrictEqual(yield* record("Customer", ann), {
        kind: "Customer",
        id: ann,
        platformId: alphaId,
        customerId: ann,
        version: 1,
        createdAt: 5000,
        updatedAt: 5000,
        data: customerData(1),
      })
    }))

  test("an update increments the version and keeps the owner and the creation time", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ at: 5000, inserts: [customer(1)] }))
      yield* committed(changeSet({ at: 6000, updates: [customerUpdate(1, 1, { fullName: "Ann" })] }))
      const stored = yield* record("Customer", ann)
      assert.deepStrictEqual(stored?.data, customerData(1, { fullName: "Ann" }))
      assert.deepStrictEqual([stored?.version, stored?.createdAt, stored?.updatedAt], [2, 5000, 6000])
      assert.deepStrictEqual([stored?.platformId, stored?.customerId], [alphaId, ann])
    }))

  test("reads many records in one call and omits those that do not exist", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1), customer(2)] }))
      const found = yield* read({ records: [ref(1), ref(2), ref(3), { kind: "Agent", id: ann }] })
      assert.strictEqual(found.record("Customer", ref(1).id)?.data.platformCustomerId, "customer-1")
      assert.strictEqual(found.record("Customer", ref(2).id)?.data.platformCustomerId, "customer-2")
      assert.strictEqual(found.record("Customer", ref(3).id), undefined)
      assert.strictEqual(found.record("Agent", ann), undefined)
    }))

  test("returns all versions of a record, oldest first", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ at: 1, inserts: [customer(1)] }))
      yield* committed(changeSet({ at: 2, updates: [customerUpdate(1, 1, { fullName: "Ann" })] }))
      yield* committed(changeSet({ at: 3, updates: [customerUpdate(1, 2, { fullName: "Anna" })] }))
      const all = yield* history(ref(1))
      assert.deepStrictEqual(
        all.map(({ version, updatedAt, data }) => [version, updatedAt, data]),
        [
          [1, 1, customerData(1)],
          [2, 2, customerData(1, { fullName: "Ann" })],
          [3, 3, customerData(1, { fullName: "Anna" })],
        ],
      )
      assert.deepStrictEqual(all.at(-1), yield* record("Customer", ann))
      assert.deepStrictEqual(yield* history(ref(1), undefined, 2), all.slice(1))
      assert.deepStrictEqual(yield* history(ref(2)), [])
    }))

  test("rejects a second insert with the same id", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1)] }))
      yield* meets(changeSet({ inserts: [customer(1, { fullName: "Other" })] }), {
        _tag: "Conflict",
        on: `Customer ${ann}`,
      })
      assert.deepStrictEqual((yield* record("Customer", ann))?.data, customerData(1))
    }))

  test("reports a conflict for an update or guard of a record that does not exist", () =>
    Effect.gen(function* () {
      yield* conflicts(changeSet({ updates: [customerUpdate(1, 1)] }))
      yield* conflicts(changeSet({ guards: [{ ...ref(1), version: 1 }] }))
      yield* conflicts(changeSet({ inserts: [customer(1)], guards: [{ ...ref(1), version: 1 }] }))
    }))

  test("isolates stored data from objects that callers pass in or receive", () =>
    Effect.gen(function* () {
      const currencies: Array<"USD" | "EUR"> = ["USD"]
      const data = { ...customerData(1), currencies }
      yield* committed(changeSet({ inserts: [{ kind: "Customer", id: ann, ...ownerOf(), data }] }))
      currencies.push("EUR")
      Reflect.set(data, "fullName", "Another name")
      const returned = yield* record("Customer", ann)
      if (returned !== undefined) {
        Reflect.set(returned, "version", 9)
        Reflect.set(returned.data, "fullName", "Another name")
        Reflect.set(returned.data.currencies, 0, "EUR")
      }
      const stored = yield* record("Customer", ann)
      assert.deepStrictEqual([stored?.version, stored?.data], [1, customerData(1)])
    }))

  test("reads 0 for an account or counter without changes", () =>
    Effect.gen(function* () {
      const store = yield* Store
      assert.deepStrictEqual(yield* balance("account"), { balance: 0, sequence: 0 })
      assert.strictEqual(yield* counter("counter"), 0)
      assert.strictEqual(yield* replay("key"), undefined)
      assert.strictEqual(yield* event(id("Webhook", 1)), undefined)
      assert.strictEqual(yield* store.resolve({ scope: "global", key: "key" }), undefined)
      assert.strictEqual(yield* store.nextDue(0), undefined)
      yield* store.ready
    }))

  test("treats a record that occurs twice in one set as a defect", () =>
    Effect.gen(function* () {
      yield* dies(commit(changeSet({ inserts: [customer(1), customer(1)] })))
      assert.strictEqual(yield* record("Customer", ann), undefined)
    }))
}
