/**
 * Randomness of the runtime, drawn in larger pieces: a request draws four times, and each call of the runtime costs as much as copying
 * several kilobytes.
 * Source: D-365. Used bytes are erased from the pool, so that memory holds no copy of a secret that was drawn.
 */
import { randomFillSync } from "node:crypto"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const poolBytes = 8_192
/** Larger draws gain nothing from the pool. */
const pooledMax = 512

/** Fills an array of at most 65,536 bytes with random ones. Its result is ignored. */
export type Fill = (bytes: Uint8Array<ArrayBuffer>) => unknown

/** Returns a function that draws random bytes. `fill` fills an array with them. */
export const drawing = (fill: Fill): ((size: number) => Uint8Array) => {
  const pool = new Uint8Array(poolBytes)
  let used = poolBytes
  return (size) => {
    const bytes = new Uint8Array(size)
    if (size > pooledMax) {
      for (let start = 0; start < size; start += 65_536) fill(bytes.subarray(start, start + 65_536))
      return bytes
    }
    if (used + size > poolBytes) {
      fill(pool)
      used = 0
    }
    bytes.set(pool.subarray(used, used + size))
    pool.fill(0, used, used + size)
    used += size
    return bytes
  }
}

/** Provides Effect's `SecureRandom` over Node's `randomFillSync`, from a pool that is refilled 8,192 bytes at a time. */
export const layer: Layer.Layer<SecureRandom.SecureRandom> = Layer.sync(SecureRandom.SecureRandom, () =>
  SecureRandom.make(drawing((bytes) => randomFillSync(bytes))),
)
