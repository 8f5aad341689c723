/**
 * Conformance: for every stored kind, an update or guard of an outdated version is a conflict.
 * Source: architecture, "A change set is the only way to write" (guards).
 */

import assert from "node:assert/strict"
import { type Kind, Kinds, type RecordInsert, type RecordUpdate } from "@countersign/core/store"
import { Arbitrary, Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { customer, customerUpdate, id, ownerOf } from "./Examples.ts"
import { commit, committed, conflicts, counter, dies, history, meets, record, type Suite, tally } from "./Suite.ts"

/** Returns a value that every database can store: JSON has no -0, and PostgreSQL text has no NUL and no lone surrogate. */
const storable = (value: unknown): unknown => {
  const clean = (text: string) => text.replaceAll("\u0000", "").toWellFormed()
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => {
    if (typeof member === "string") return clean(member)
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [clean(name), inner]))
  })
}

/** Generates three different contents of a kind from its schema. */
const contents = Effect.fnUntraced(function* (kind: Kind) {
  const samples = yield* Arbitrary.sampleEffect(Arbitrary.schema(Kinds.get(kind).schema), { count: 30, seed: 7 })
  const texts = [...new Set(samples.map((sample) => JSON.stringify(storable(sample))))]
  const [first, second, third] = texts.map((text): unknown => JSON.parse(text))
  if (third === undefined) return assert.fail(`too few different samples of ${kind}`)
  return [first, second, third] as const
})

const recordId = "Record:00000000-0000-7000-8001-000000000001"
const insert = (kind: Kind, data: unknown) => ({ kind, id: recordId, ...ownerOf(), data }) as RecordInsert
const update = (kind: Kind, version: number, data: unknown) => ({ kind, id: recordId, version, data }) as RecordUpdate

export const versions = ({ test }: Suite): void => {
  for (const kind of Kinds.keys.filter((name) => Kinds.get(name).isFinal)) {
    test(`${kind}: treats an update of an immutable record as a defect`, () =>
      Effect.gen(function* () {
        const [first, second] = yield* contents(kind)
        yield* committed(changeSet({ inserts: [insert(kind, first)] }))
        yield* dies(commit(changeSet({ updates: [update(kind, 1, second)] })))
        assert.deepStrictEqual((yield* record(kind, recordId))?.data as unknown, first)
      }))
  }

  for (const kind of Kinds.keys.filter((name) => !Kinds.get(name).isFinal)) {
    const on = `${kind} ${recordId}`

    test(`${kind}: an update conflicts when another was committed since it was read`, () =>
      Effect.gen(function* () {
        const [first, second, third] = yield* contents(kind)
        yield* committed(changeSet({ inserts: [insert(kind, first)] }))
        yield* committed(changeSet({ updates: [update(kind, 1, second)] }))
        yield* meets(changeSet({ updates: [update(kind, 1, third)] }), { _tag: "Conflict", on })
        assert.deepStrictEqual((yield* record(kind, recordId))?.data as unknown, second)
        yield* committed(changeSet({ updates: [update(kind, 2, third)] }))
        assert.deepStrictEqual((yield* record(kind, recordId))?.data as unknown, third)
        assert.strictEqual((yield* history({ kind, id: recordId })).length, 3)
      }))

    test(`${kind}: a guard conflicts when an update was committed since it was read`, () =>
      Effect.gen(function* () {
        const [first, second] = yield* contents(kind)
        const guarded = (version: number) =>
          changeSet({ guards: [{ kind, id: recordId, version }], counters: [{ key: "uses", delta: 1 }] })
        yield* committed(changeSet({ inserts: [insert(kind, first)] }))
        yield* committed(guarded(1))
        yield* committed(changeSet({ updates: [update(kind, 1, second)] }))
        yield* meets(guarded(1), { _tag: "Conflict", on })
        assert.strictEqual(yield* counter("uses"), 1)
        yield* committed(guarded(2))
        assert.strictEqual((yield* record(kind, recordId))?.version, 2)
      }))
  }

  test("reports a conflict for a version that is too high or too low", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1)] }))
      yield* conflicts(changeSet({ updates: [customerUpdate(1, 2)] }))
      yield* conflicts(changeSet({ guards: [{ kind: "Customer", id: id("Customer", 1), version: 0 }] }))
    }))

  test("commits one of 20 concurrent updates of one version", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1)] }))
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => changeSet({ updates: [customerUpdate(1, 1, { fullName: `${n}` })] })),
        (set) => commit(set),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(tally(outcomes), { Committed: 1, Conflict: 19 })
      assert.strictEqual((yield* record("Customer", id("Customer", 1)))?.version, 2)
    }))
}
