/** Tests that pooled randomness never repeats a byte of its source, whatever sizes are drawn. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import { drawing, layer } from "../../../packages/adapter-http/src/crypto/PooledRandom.ts"

/** A source whose bytes tell their place: each group of four is the next number. */
const counted = () => {
  let next = 0
  const pieces: Array<number> = []
  const views: Array<Uint8Array> = []
  const draw = drawing((bytes) => {
    pieces.push(bytes.length)
    views.push(bytes)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      next += 1
      view.setUint32(at, next)
    }
  })
  return { draw, pieces, views }
}

const wordsOf = (bytes: Uint8Array): ReadonlyArray<number> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(4 * index))
}

test("each word of the source is drawn at most once, in draws of any size", () => {
  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 160 }), fc.integer({ min: 0, max: 20_000 })).map((words) => 4 * words),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(sizes, (drawn) => {
      const { draw } = counted()
      const words = drawn.flatMap((size) => {
        const bytes = draw(size)
        expect(bytes).toHaveLength(size)
        return wordsOf(bytes)
      })
      expect(words).not.toContain(0)
      expect(new Set(words).size).toBe(words.length)
    }),
    { numRuns: 50 },
  )
})

test("small draws share one piece of the source, and large ones do not", () => {
  const { draw, pieces } = counted()
  for (let count = 0; count < 128; count++) draw(64)
  expect(pieces).toEqual([8_192])
  draw(64)
  expect(pieces).toEqual([8_192, 8_192])
  draw(70_000)
  expect(pieces).toEqual([8_192, 8_192, 65_536, 4_464])
})

test("the pool keeps no copy of what was drawn, and changes nothing that was drawn before", () => {
  const { draw, views } = counted()
  const first = draw(16)
  const kept = Uint8Array.from(first)
  expect(views[0]?.subarray(0, 16)).toEqual(new Uint8Array(16))
  for (let count = 0; count < 1_000; count++) draw(512)
  expect(first).toEqual(kept)
})

test("the layer draws from the runtime: identifiers and bytes differ", async () => {
  const drawn = await Effect.runPromise(
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const ids = yield* Effect.all(Array.from({ length: 2_000 }, () => random.uuidV4()))
      return { ids, bytes: yield* random.randomBytes(4_096) }
    }).pipe(Effect.provide(layer)),
  )
  expect(new Set(drawn.ids).size).toBe(2_000)
  expect(new Set(drawn.bytes).size).toBeGreaterThan(200)
})
