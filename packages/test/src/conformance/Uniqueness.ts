/**
 * Conformance: a unique key belongs to one record at a time.
 * Source: architecture, "A change set is the only way to write" (claims); ports/Kinds.ts (Claim).
 */

import assert from "node:assert/strict"
import { type Claim, type ClaimChange, Store } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { ann, beta, betaId, bob, customer, customerUpdate, id } from "./Examples.ts"
import { commit, committed, conflicts, meets, read, record, type Suite, tally } from "./Suite.ts"

const local: Claim = { scope: "platform", key: "platformCustomerId:1" }
const global: Claim = { scope: "global", key: "client:1" }
const holds = (claim: Claim, n: number): ClaimChange => ({
  ...claim,
  record: { kind: "Customer", id: id("Customer", n) },
})
const resolve = (claim: Claim) => Store.use((store) => store.resolve(claim))

export const uniqueness = ({ test }: Suite): void => {
  for (const claim of [local, global]) {
    test(`rejects a second holder of a key of scope ${claim.scope}`, () =>
      Effect.gen(function* () {
        yield* committed(changeSet({ inserts: [customer(1)], claims: [holds(claim, 1)] }))
        yield* meets(changeSet({ inserts: [customer(2)], claims: [holds(claim, 2)] }), { _tag: "Taken", claim })
        assert.strictEqual(yield* record("Customer", bob), undefined)
      }))

    test(`allows a new holder for a released key of scope ${claim.scope}`, () =>
      Effect.gen(function* () {
        yield* committed(changeSet({ inserts: [customer(1)], claims: [holds(claim, 1)] }))
        yield* committed(
          changeSet({ updates: [customerUpdate(1, 1, { isDeleted: true })], releases: [holds(claim, 1)] }),
        )
        yield* committed(changeSet({ inserts: [customer(2)], claims: [holds(claim, 2)] }))
        yield* meets(changeSet({ inserts: [customer(3)], claims: [holds(claim, 3)] }), { _tag: "Taken", claim })
      }))

    test(`grants a key of scope ${claim.scope} to one of 20 concurrent claims`, () =>
      Effect.gen(function* () {
        const sets = Array.from({ length: 20 }, (_, n) =>
          changeSet({ inserts: [customer(n + 1)], claims: [holds(claim, n + 1)] }),
        )
        const outcomes = yield* Effect.forEach(sets, (set) => commit(set), { concurrency: "unbounded" })
        assert.deepStrictEqual(tally(outcomes), { Committed: 1, Taken: 19 })
      }))
  }

  test("reads the holder of a global key beside records, of whichever tenant it is", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1), customer(2)], claims: [holds(global, 1), holds(local, 2)] }))
      const records = [{ kind: "Customer", id: ann } as const, { kind: "Customer", id: bob } as const]
      const found = yield* read({ records, holder: global.key })
      assert.deepStrictEqual(found.holder, yield* record("Customer", ann))
      assert.deepStrictEqual(found.record("Customer", bob), yield* record("Customer", bob))
      const foreign = yield* read({ records, holder: global.key }, beta)
      assert.deepStrictEqual(foreign.holder, found.holder)
      assert.deepStrictEqual([foreign.record("Customer", ann), foreign.record("Customer", bob)], [undefined, undefined])
      assert.strictEqual((yield* read({ records, holder: "client:2" })).holder, undefined)
      assert.strictEqual((yield* read({ holder: local.key })).holder, undefined)
      assert.strictEqual((yield* read({ records })).holder, undefined)
    }))

  test("reads the holders of many concurrent reads apart from their records", () =>
    Effect.gen(function* () {
      const numbers = Array.from({ length: 20 }, (_, n) => n + 1)
      const keyOf = (n: number): Claim => ({ scope: "global", key: `client:many-${n}` })
      yield* committed(
        changeSet({ inserts: numbers.map((n) => customer(n)), claims: numbers.map((n) => holds(keyOf(n), n)) }),
      )
      const other = (n: number) => ({ kind: "Customer", id: id("Customer", 21 - n) }) as const
      const all = yield* Effect.forEach(
        numbers,
        (n) => Effect.map(read({ records: [other(n)], holder: keyOf(n).key }), (found) => [n, found] as const),
        { concurrency: "unbounded" },
      )
      for (const [n, found] of all) {
        assert.strictEqual(found.holder?.id, id("Customer", n))
        assert.strictEqual(found.record("Customer", other(n).id)?.id, other(n).id)
      }
    }))

  test("allows the same platform key on another platform, but not the same global key", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1)], claims: [holds(local, 1), holds(global, 1)] }))
      const foreignCustomer = customer(2, {}, betaId)
      yield* meets(
        changeSet({ inserts: [foreignCustomer], claims: [holds(global, 2)] }),
        { _tag: "Taken", claim: global },
        beta,
      )
      yield* committed(changeSet({ inserts: [foreignCustomer], claims: [holds(local, 2)] }), beta)
    }))

  test("tells keys apart that differ only in their case, their spaces or their accents", () =>
    Effect.gen(function* () {
      for (const scope of ["platform", "global"] as const) {
        const texts = ["key", "Key", "key ", " key", "kéy", "ke\u0301y"].map((key) => `${scope} ${key}.`)
        for (const [index, key] of texts.entries()) {
          const n = index + 1 + (scope === "global" ? texts.length : 0)
          yield* committed(changeSet({ inserts: [customer(n)], claims: [holds({ scope, key }, n)] }))
        }
      }
      assert.strictEqual((yield* resolve({ scope: "global", key: "global Key." }))?.id, id("Customer", 8))
      assert.strictEqual(yield* resolve({ scope: "global", key: "global KEY." }), undefined)
    }))

  test("lets the holder claim its own key again", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1)], claims: [holds(local, 1)] }))
      yield* committed(changeSet({ claims: [holds(local, 1)] }))
    }))

  test("moves a key from one record to another in one set", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1)], claims: [holds(global, 1)] }))
      yield* committed(changeSet({ inserts: [customer(2)], releases: [holds(global, 1)], claims: [holds(global, 2)] }))
      assert.strictEqual((yield* resolve(global))?.id, bob)
    }))

  test("rejects one key for two records of one set", () =>
    Effect.gen(function* () {
      const set = changeSet({ inserts: [customer(1), customer(2)], claims: [holds(local, 1), holds(local, 2)] })
      yield* meets(set, { _tag: "Taken", claim: local })
      assert.strictEqual(yield* record("Customer", ann), undefined)
    }))

  test("reports a conflict for the release of a key that the record does not hold", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1), customer(2)], claims: [holds(global, 1)] }))
      yield* conflicts(changeSet({ releases: [holds(global, 2)] }))
      yield* conflicts(changeSet({ releases: [holds(local, 1)] }))
      assert.strictEqual((yield* resolve(global))?.id, ann)
    }))

  test("reports a conflict for a claim of a record that does not exist", () =>
    conflicts(changeSet({ claims: [holds(local, 1)] })))

  test("reads the holder of a global key beside what else is read, for any caller, and never of a platform key", () =>
    Effect.gen(function* () {
      const keys = Array.from({ length: 20 }, (_, n): ClaimChange => ({ ...holds(global, n + 1), key: `key ${n + 1}` }))
      yield* committed(
        changeSet({
          inserts: keys.map((_, n) => customer(n + 1)),
          claims: [...keys, holds(local, 1), holds(global, 2)],
        }),
      )
      for (const caller of [undefined, beta]) {
        const found = yield* read({ holder: global.key, counters: ["k"] }, caller)
        assert.deepStrictEqual([found.holder, found.counter("k")], [yield* record("Customer", bob), 0])
        assert.strictEqual((yield* read({ holder: local.key }, caller)).holder, undefined)
        assert.strictEqual((yield* read({ records: [{ kind: "Customer", id: ann }] }, caller)).holder, undefined)
      }
      const holders = yield* Effect.all(
        keys.map(({ key }, n) => read({ holder: key, records: [{ kind: "Customer", id: id("Customer", 20 - n) }] })),
        { concurrency: "unbounded" },
      )
      for (const [n, found] of holders.entries()) {
        assert.strictEqual(found.holder?.id, id("Customer", n + 1))
        assert.strictEqual(found.record("Customer", id("Customer", 20 - n))?.id, id("Customer", 20 - n))
      }
      yield* committed(changeSet({ releases: [holds(global, 2)] }))
      assert.strictEqual((yield* read({ holder: global.key })).holder, undefined)
    }))

  test("resolves a global key to its holder until it is released, and never a platform key", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1)], claims: [holds(local, 1), holds(global, 1)] }))
      assert.deepStrictEqual(yield* resolve(global), yield* record("Customer", ann))
      yield* committed(changeSet({ updates: [customerUpdate(1, 1)] }))
      assert.strictEqual((yield* resolve(global))?.version, 2)
      assert.strictEqual(yield* resolve(local), undefined)
      assert.strictEqual(yield* resolve({ scope: "global", key: local.key }), undefined)
      assert.strictEqual(yield* resolve({ scope: "platform", key: global.key }), undefined)
      yield* committed(changeSet({ releases: [holds(global, 1)] }))
      assert.strictEqual(yield* resolve(global), undefined)
    }))

  test("lets one of two members leave a group concurrently, because both update its owner record", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1), customer(2), customer(3)] }))
      const leaves = (member: number) =>
        changeSet({ updates: [customerUpdate(1, 1), customerUpdate(member, 1, { isDeleted: true })] })
      const outcomes = yield* Effect.forEach([leaves(2), leaves(3)], (set) => commit(set), { concurrency: "unbounded" })
      assert.deepStrictEqual(tally(outcomes), { Committed: 1, Conflict: 1 })
      const left = yield* Effect.forEach([2, 3], (n) => record("Customer", id("Customer", n)))
      assert.strictEqual(left.filter((member) => member?.data.isDeleted === false).length, 1)
    }))
}
