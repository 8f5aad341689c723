/** Node's key objects: kept while they are used, and never more than so many. */
import { KeyObjects } from "@countersign/adapter-http"
import { InvalidPublicKey, P256 } from "@countersign/core/crypto"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { node } from "./Layers.ts"

const publicKeys = (count: number) =>
  node(
    P256.use(({ generate }) =>
      Effect.replicateEffect(
        Effect.map(generate, ({ publicKey }) => publicKey),
        count,
      ),
    ),
  )

it.effect("of public keys are as many as allowed, those used last", () =>
  Effect.gen(function* () {
    const keys = new KeyObjects(3)
    const [first, second, third, fourth] = yield* publicKeys(4)
    if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new Error()
    const known = [first, second, third].map((key) => keys.publicKey(key.compressed))
    expect(known).toEqual([first, second, third])
    // Used again, so that the second is now the oldest.
    expect(keys.publicKey(first.uncompressed)).toBe(known[0])
    keys.publicKey(fourth.compressed)
    expect(keys.size).toBe(3)
    expect(keys.publicKey(first.compressed)).toBe(known[0])
    expect(keys.publicKey(third.compressed)).toBe(known[2])
    expect(keys.publicKey(second.compressed)).not.toBe(known[1])
    expect(keys.size).toBe(3)
  }),
)

it.effect("are of the same key, however it is spelled", () =>
  Effect.gen(function* () {
    const keys = new KeyObjects(9)
    const [key] = yield* publicKeys(1)
    if (key === undefined) throw new Error()
    const known = keys.publicKey(key.compressed.toUpperCase())
    expect(keys.publicKey(key.uncompressed)).toBe(known)
    expect(keys.public(key)).toBe(keys.public(known))
    expect(keys.size).toBe(1)
  }),
)

it.effect("are none of a text whose point only begins like a known one", () =>
  Effect.gen(function* () {
    const keys = new KeyObjects(9)
    const [key] = yield* publicKeys(1)
    if (key === undefined) throw new Error()
    keys.publicKey(key.compressed)
    // The same x and the same parity of y, and not on the curve.
    const digit = key.uncompressed.at(-2) === "0" ? "1" : "0"
    const near = `${key.uncompressed.slice(0, -2)}${digit}${key.uncompressed.slice(-1)}`
    expect(() => keys.publicKey(near)).toThrow(InvalidPublicKey)
    expect(keys.size).toBe(1)
  }),
)

it.effect("of a pair are made once, and by the pair itself", () =>
  node(
    Effect.gen(function* () {
      const keys = new KeyObjects(9)
      const pair = yield* (yield* P256).generate
      expect(keys.private(pair)).toBe(keys.private(pair))
      expect(keys.private({ ...pair })).not.toBe(keys.private(pair))
      expect(keys.size).toBe(0)
    }),
  ),
)
