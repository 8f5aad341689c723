/**
 * The crypto services on Node's crypto, for servers. `PortableCrypto` provides the same services to clients.
 * Source: D-070, D-071.
 */
import { Hpke, P256 } from "@countersign/core/crypto"
import { Effect, Layer } from "effect"
import { KeyObjects } from "./KeyObjects.ts"
import * as NodeHpke from "./NodeHpke.ts"
import * as NodeP256 from "./NodeP256.ts"
import * as NodePacking from "./NodePacking.ts"

/** What the crypto services keep in memory. */
export interface Options {
  /** Maximum number of cached public keys, a few kilobytes each. Default: 4096. */
  readonly publicKeysMax?: number
}

/** Provides `P256` and `Hpke` on Node's crypto, and with them the packing of saved worlds. */
export const layer = ({ publicKeysMax = 4096 }: Options = {}): Layer.Layer<P256 | Hpke> =>
  Layer.unwrap(
    Effect.sync(() => {
      const keys = new KeyObjects(publicKeysMax)
      return Layer.mergeAll(
        Layer.succeed(P256, NodeP256.make(keys)),
        Layer.succeed(Hpke, NodeHpke.make(keys)),
        NodePacking.layer,
      )
    }),
  )
