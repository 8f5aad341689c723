/** The two crypto layers under test. */
import { NodeCrypto } from "@countersign/adapter-http"
import { type Hpke, type P256, PortableCrypto } from "@countersign/core/crypto"
import { Effect, Layer } from "effect"
import { vi } from "vitest"
import * as SeededRandom from "../../../packages/test/src/harness/SeededRandom.ts"

// A signature in plain JavaScript takes milliseconds, and more on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

export type Run = <A, E>(effect: Effect.Effect<A, E, P256 | Hpke>) => Effect.Effect<A, E>

const on = (layer: Layer.Layer<P256 | Hpke>): Run => {
  const context = Effect.runSync(Effect.scoped(Layer.build(layer)))
  return (effect) => Effect.provide(effect, context)
}

/** Plain JavaScript and the runtime's Web Crypto API. */
export const portable: Run = on(Layer.provide(PortableCrypto.layer, SeededRandom.layer(7)))

export const node: Run = on(NodeCrypto.layer())

export const layers: ReadonlyArray<readonly [name: string, run: Run, other: Run]> = [
  ["the portable layer", portable, node],
  ["the layer on Node's crypto", node, portable],
]
