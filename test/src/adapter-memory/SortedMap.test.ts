/** The persistent map compared with JavaScript's `Map` under random changes: same contents, unchanged old versions, balanced. */

import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import * as SortedMap from "../../../packages/adapter-memory/src/SortedMap.ts"

const Key = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
const Change = Schema.Struct({ key: Key, remove: Schema.Boolean })
const changes = Arbitrary.array(Arbitrary.schema(Change), { maxLength: 120 })

type Numbers = SortedMap.SortedMap<number, number>

const height = (tree: Numbers["root"]): number =>
  tree === undefined ? 0 : 1 + Math.max(height(tree.left), height(tree.right))

const between = (map: Numbers, order: "asc" | "desc", after: number) => {
  const keys: Array<number> = []
  SortedMap.walk(map, { order, after }, (_, key) => {
    keys.push(key)
    return true
  })
  return keys
}

it.effect.prop(
  "has the contents of a `Map` after the same changes, in key order, at every step",
  { changes },
  (generated) =>
    Effect.sync(() => {
      let map: Numbers = SortedMap.empty(SortedMap.natural)
      const model = new Map<number, number>()
      for (const [step, { key, remove }] of generated.changes.entries()) {
        const before = map
        const contents = SortedMap.entries(before)
        map = remove ? SortedMap.remove(map, key) : SortedMap.set(map, key, step)
        if (remove) model.delete(key)
        else model.set(key, step)
        assert.deepStrictEqual(SortedMap.entries(before), contents)
        const sorted = [...model].sort(([a], [b]) => a - b)
        const keys = sorted.map(([k]) => k)
        assert.deepStrictEqual(SortedMap.entries(map), sorted)
        assert.strictEqual(SortedMap.size(map), model.size)
        assert.strictEqual(SortedMap.get(map, key), model.get(key))
        assert.deepStrictEqual(SortedMap.first(map), sorted[0])
        assert.deepStrictEqual(
          SortedMap.firstFrom(map, key),
          sorted.find(([k]) => k >= key),
        )
        assert.deepStrictEqual(
          between(map, "asc", key),
          keys.filter((k) => k > key),
        )
        assert.deepStrictEqual(between(map, "desc", key), keys.filter((k) => k < key).reverse())
      }
    }),
)

it("stays balanced whatever keys are added and removed", () => {
  let map: Numbers = SortedMap.empty(SortedMap.natural)
  for (let n = 0; n < 5000; n++) map = SortedMap.set(map, n, n)
  for (let n = 0; n < 4000; n++) map = SortedMap.remove(map, n)
  assert.strictEqual(SortedMap.size(map), 1000)
  // A weight-balanced tree with these parameters is at most log(n) / log(4/3) high.
  assert.isAtMost(height(map.root), Math.ceil(Math.log(1001) / Math.log(4 / 3)))
})

it("removing an absent key returns the same map", () => {
  const map: Numbers = SortedMap.set(SortedMap.empty<number, number>(SortedMap.natural), 1, 1)
  assert.strictEqual(SortedMap.remove(map, 2), map)
})
