/** Node's key objects: kept while they are used, and never more than so many. */

import { InvalidPublicKey, P256 } from "@countersign/core/crypto"
import { expect, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { KeyObjects } from "../../../packages/adapter-http/src/crypto/KeyObjects.ts"
import { node } from "./Layers.ts"

const read = (keys: KeyObjects, text: string) => Result.getOrThrow(keys.read(text)).publicKey

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
    const known = [first, second, third].map((key) => read(keys, key.compressed))
    expect(known).toEqual([first, second, third])
    // Used again, so that the second is now the oldest.
    expect(read(keys, first.uncompressed)).toBe(known[0])
    read(keys, fourth.compressed)
    expect(keys.size).toBe(3)
    expect(read(keys, first.compressed)).toBe(known[0])
    expect(read(keys, third.compressed)).toBe(known[2])
    expect(read(keys, second.compressed)).not.toBe(known[1])
    expect(keys.size).toBe(3)
  }),
)

it.effect("are of the same key, however it is spelled", () =>
  Effect.gen(function* () {
    const keys = new KeyObjects(9)
    const [key] = yield* publicKeys(1)
    if (key === undefined) throw new Error()
    const known = read(keys, key.compressed.toUpperCase())
    expect(read(keys, key.uncompressed)).toBe(known)
    expect(keys.public(key)).toBe(keys.public(known))
    expect(keys.size).toBe(1)
  }),
)

it.effect("are none of a text whose point only begins like a known one", () =>
  Effect.gen(function* () {
    const keys = new KeyObjects(9)
    const [key] = yield* publicKeys(1)
    if (key === undefined) throw new Error()
    read(keys, key.compressed)
    // The same x and the same parity of y, and not on the curve.
    const digit = key.uncompressed.at(-2) === "0" ? "1" : "0"
    const near = `${key.uncompressed.slice(0, -2)}${digit}${key.uncompressed.slice(-1)}`
    expect(Result.getFailure(keys.read(near))).toEqual(Option.some(InvalidPublicKey.notOnCurve()))
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
