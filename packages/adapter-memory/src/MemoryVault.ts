/**
 * The `DocumentVault` port in memory, for tests and for sandboxes that keep nothing.
 * Source: wire contract areas 1.2.8; D-375.
 */
import { BytesMissing, DocumentVault, dropBytes, measured, sandboxOnly } from "@countersign/core/ports"
import { Effect, Layer, Stream } from "effect"

/** What a vault in memory holds, for tests that look at it. */
export interface MemoryVaultState {
  /** The pieces of each file in their order, by the key of the file. */
  readonly files: Map<string, ReadonlyArray<Uint8Array>>
}

/** Live mode refuses a vault that forgets its files at the end of the process. */
const onlyInMemory = sandboxOnly("the document vault in memory")

/** Returns a vault over this state, which tests can look at. */
const make = ({ files }: MemoryVaultState = { files: new Map() }): DocumentVault["Service"] => ({
  store: Effect.fnUntraced(function* (key, bytes) {
    if (files.has(key)) return yield* Effect.die(new Error("a key is used once"))
    const passing = measured(bytes)
    // A piece may be a view of a buffer that its sender uses again.
    const pieces = yield* Stream.runCollect(Stream.map(passing.bytes, (piece) => piece.slice()))
    files.set(key, pieces)
    return passing.result()
  }),
  read: (key, from = 0) =>
    Stream.suspend(() => {
      const pieces = files.get(key)
      return pieces === undefined
        ? Stream.fail(new BytesMissing({ key }))
        : dropBytes(from)(Stream.fromIterable(pieces))
    }),
  erase: (key) => Effect.sync(() => void files.delete(key)),
})

const layer = Layer.sync(DocumentVault, () => make()).pipe(onlyInMemory)

export const MemoryVault = { layer, make }
