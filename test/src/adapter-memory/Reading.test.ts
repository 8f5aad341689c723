/** What is asked of a read or a list that was not asked for is a defect, and the last page of a long list of events is whole. */
import { MemoryStore } from "@countersign/adapter-memory"
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Store, type Where } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { totalCountMax } from "../../../packages/core/src/foundation/kit/Page.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, ann, customer, id, newEvent } from "../../../packages/test/src/conformance/Examples.ts"
import { committed } from "../../../packages/test/src/conformance/Suite.ts"

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)
const as = Effect.provideService(CurrentCaller, alpha)

const defectOf = <A, E>(exit: Exit.Exit<A, E>): string =>
  Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "no defect"

it.effect("a record that was not read is a defect, also where another kind has the id", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* committed(changeSet({ inserts: [customer(1)] }))
    const read = yield* as(store.read({ records: [{ kind: "Customer", id: ann }] }))
    assert.strictEqual(read.record("Customer", ann)?.id, ann)
    for (const ask of [
      () => read.record("Agent", ann),
      () => read.record("Customer", id("Customer", 2)),
      () => read.owner({ kind: "InternalAccount", id: ann }),
    ])
      assert.throws(ask)
  }).pipe(Effect.provide(Memory)),
)

it.effect("a list by a field that its kind does not declare is a defect that names both", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* committed(changeSet({ inserts: [customer(1)] }))
    const where: Where = Object.fromEntries([["toString", { eq: "x" }]])
    const exit = yield* Effect.exit(as(store.list("Customer", where, { limit: 1, order: "asc" })))
    assert.include(defectOf(exit), "Customer cannot be listed by toString: Kinds declares no such field")
  }).pipe(Effect.provide(Memory)),
)

it.effect("events behind those that are counted are listed", () =>
  Effect.gen(function* () {
    const store = yield* Store
    const count = totalCountMax + 3
    yield* committed(changeSet({ events: Array.from({ length: count }, (_, n) => newEvent(n + 1)) }))
    const page = (n: number, limit: number) =>
      as(store.events({}, { limit, order: "asc", after: { createdAt: 1000, id: newEvent(n).id } }))
    const ids = (data: ReadonlyArray<{ readonly event: { readonly id: string } }>) => data.map(({ event }) => event.id)
    const last = yield* page(count - 2, 2)
    assert.deepStrictEqual(ids(last.data), [newEvent(count - 1).id, newEvent(count).id])
    assert.strictEqual(last.hasMore, false)
    const before = yield* page(count - 3, 2)
    assert.deepStrictEqual(
      [ids(before.data)[0], before.hasMore, before.totalCount],
      [newEvent(count - 2).id, true, undefined],
    )
  }).pipe(Effect.provide(Memory)),
)
