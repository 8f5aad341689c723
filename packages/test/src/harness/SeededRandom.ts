/**
 * All randomness from a seed, so that a world has the same identifiers, secrets and retry delays on each run. Not for
 * production.
 */
import { Effect, Layer, Random } from "effect"
import { SecureRandom } from "effect/crypto"

/** Returns a seeded generator of bytes (splitmix32). Its quality is sufficient for tests; its output is not secret. */
const bytesOf = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  return (size: number) => Uint8Array.from({ length: size }, () => next() & 0xff)
}

const bytes = (seed: number) => Layer.sync(SecureRandom.SecureRandom, () => SecureRandom.make(bytesOf(seed)))

/** Effect's own random generator, which gives retry delays their jitter. */
const random = (seed: number) => Layer.effect(Random.Random, Random.withSeed(Effect.service(Random.Random), seed))

export const layer = (seed: number): Layer.Layer<SecureRandom.SecureRandom> => Layer.merge(bytes(seed), random(seed))
