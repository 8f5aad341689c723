/**
 * Portable cryptography: @noble/curves for keys and signatures, @hpke/core for sealing. It imports nothing from Node.
 * Source: D-070.
 */
import { Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Hpke } from "./Hpke.ts"
import { P256 } from "./P256.ts"
import { hpke } from "./PortableHpke.ts"
import { make } from "./PortableP256.ts"

/** Provides `P256` and `Hpke` to browsers and every other runtime, without a native library. */
export const layer: Layer.Layer<P256 | Hpke, never, SecureRandom.SecureRandom> = Layer.merge(
  Layer.effect(P256, make),
  Layer.succeed(Hpke, hpke),
)
