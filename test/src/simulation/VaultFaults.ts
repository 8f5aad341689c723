/**
 * The vault of a simulated run: in memory, it fails before or after it has stored or erased, and is slow.
 * Source: D-375, D-377.
 */
import { MemoryVault } from "@countersign/adapter-memory"
import { DocumentVault, VaultUnavailable } from "@countersign/core/ports"
import { Effect, Layer, Stream } from "effect"
import type { OutsideMemory } from "./Outside.ts"
import { type PortFaultSource, pause } from "./UncertainCalls.ts"

export const vaultFaults = (
  { injects, random, rates }: PortFaultSource,
  outside: OutsideMemory,
): Layer.Layer<DocumentVault> => {
  const inner = MemoryVault.make({ files: outside.files() })
  const failed = Effect.suspend(() => Effect.fail(new VaultUnavailable({ cause: "a fault of the simulation" })))

  const unsure = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E | VaultUnavailable, R> =>
    Effect.suspend((): Effect.Effect<A, E | VaultUnavailable, R> => {
      if (injects("vaultSlow", rates.vaultSlow)) return Effect.tap(call, pause(random.below(40)))
      if (!injects("vaultDown", rates.vaultDown)) return call
      return random.once(2) ? failed : Effect.andThen(call, failed)
    })

  return Layer.succeed(DocumentVault, {
    store: (key, bytes) => unsure(inner.store(key, bytes)),
    read: (key, from) =>
      Stream.suspend(() => (injects("vaultDown", rates.vaultDown) ? Stream.fromEffect(failed) : inner.read(key, from))),
    erase: (key) => unsure(inner.erase(key)),
  })
}
