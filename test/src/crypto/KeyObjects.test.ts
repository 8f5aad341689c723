/** Cache of Node's key objects: bounded, least recently used entries are evicted. */
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

it.effect("keeps the most recently used public keys up to the limit", () =>
  Effect.gen(function* () {
    const keys = new KeyObjects(3)
    const [first, second, third, fourth] = yield* publicKeys(4)
    if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new Error()
    const known = [first, second, third].map((key) => read(keys, key.compressed))
    expect(known).toEqual([first, second, third])
    // This use makes the second key the least recently used.
    expect(read(keys, first.uncompressed)).toBe(known[0])
    read(keys, fourth.compressed)
    expect(keys.size).toBe(3)
    expect(read(keys, first.compressed)).toBe(known[0])
    expect(read(keys, third.compressed)).toBe(known[2])
    expect(read(keys, second.compressed)).not.toBe(known[1])
    expect(keys.size).toBe(3)
  }),
)

it.effect("returns one key object for every encoding of a key", () =>
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

it.effect("rejects a point that only begins like a cached one", () =>
  Effect.gen(function* () {
    const keys = new KeyObjects(9)
    const [key] = yield* publicKeys(1)
    if (key === undefined) throw new Error()
    read(keys, key.compressed)
    // Same x and same parity of y, but not on the curve.
    const digit = key.uncompressed.at(-2) === "0" ? "1" : "0"
    const near = `${key.uncompressed.slice(0, -2)}${digit}${key.uncompressed.slice(-1)}`
    expect(Result.getFailure(keys.read(near))).toEqual(Option.some(InvalidPublicKey.notOnCurve()))
    expect(keys.size).toBe(1)
  }),
)

it.effect("creates the private key object of a key pair once per pair object", () =>
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
