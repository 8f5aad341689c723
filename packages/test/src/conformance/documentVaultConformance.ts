/**
 * The conformance suite of the `DocumentVault` port: files come back as they were stored, completely or not at all, and erased ones never.
 * Source: wire contract areas 1.2.8; D-375; ports/DocumentVault.ts.
 */
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { type BytesMissing, DocumentVault, type VaultUnavailable } from "@countersign/core/ports"
import { Effect, Exit, Fiber, Latch, type Layer, Stream } from "effect"
import { describe, it } from "../runner/Runner.ts"

type Vault = DocumentVault["Service"]

/** Sizes around the pieces, rows and parts in which vaults store. */
const sizes = [0, 1, 65_535, 65_536, 65_537, 262_144, 262_145, 600_001] as const

/** One part of a multipart upload to S3 is at least 5 MiB. */
const largeSize = 5 * 1024 * 1024 + 70_001

/** Bytes that differ at every place and between files. */
const bytesOf = (size: number, seed = 1): Uint8Array => {
  const bytes = new Uint8Array(size)
  let state = seed
  for (let at = 0; at < size; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

const pieceSizes = [65_536, 1, 40_000, 65_536, 16_384, 7] as const

/** The bytes in pieces of several sizes, as a network delivers them. */
const inPieces = (bytes: Uint8Array) => {
  const pieces: Array<Uint8Array> = []
  for (let from = 0; from < bytes.byteLength; ) {
    const to = from + (pieceSizes[pieces.length % pieceSizes.length] ?? 1)
    pieces.push(bytes.subarray(from, to))
    from = to
  }
  return Stream.fromIterable(pieces)
}

const resultOf = (bytes: Uint8Array) => ({
  size: bytes.byteLength,
  sha256: createHash("sha256").update(bytes).digest("hex"),
})

const readAll = (vault: Vault, key: string, from?: number): Effect.Effect<Buffer, VaultUnavailable | BytesMissing> =>
  Effect.map(Stream.runCollect(vault.read(key, from)), (pieces) => Buffer.concat([...pieces]))

const isMissing = Effect.fnUntraced(function* (vault: Vault, key: string, from?: number) {
  const failure = yield* Effect.flip(readAll(vault, key, from))
  assert.equal(failure._tag, "BytesMissing")
})

class Broken extends Error {
  readonly _tag = "Broken"
}

/** Registers the suite. Each test builds the layer anew; its vault may hold files of others, but none under the keys of a test. */
export const documentVaultConformance = <E>(name: string, layer: Layer.Layer<DocumentVault, E>): void => {
  let keys = 0
  const test = (title: string, body: (vault: Vault, key: () => string) => Effect.Effect<void, unknown>) => {
    const key = () => `File-00000000-0000-4000-8000-${String(++keys).padStart(12, "0")}`
    it(title, () =>
      DocumentVault.use((vault) => body(vault, key)).pipe(Effect.provide(layer, { local: true }), Effect.runPromise),
    )
  }

  describe(`DocumentVault: ${name}`, () => {
    test("reads back what was stored, and reports its size and digest", (vault, key) =>
      Effect.forEach(
        [...sizes, largeSize],
        Effect.fnUntraced(function* (size) {
          const file = key()
          const bytes = bytesOf(size)
          assert.deepEqual(yield* vault.store(file, inPieces(bytes)), resultOf(bytes))
          assert.deepEqual(resultOf(yield* readAll(vault, file)), resultOf(bytes))
        }),
        { discard: true },
      ))

    test("reads a file again after a reader that stopped early", (vault, key) =>
      Effect.gen(function* () {
        const file = key()
        const bytes = bytesOf(300_000)
        yield* vault.store(file, inPieces(bytes))
        yield* Stream.runDrain(Stream.take(vault.read(file), 1))
        assert.deepEqual(resultOf(yield* readAll(vault, file)), resultOf(bytes))
        assert.deepEqual(resultOf(yield* readAll(vault, file)), resultOf(bytes))
      }))

    test("reads a file from any position on, and nothing from its end on", (vault, key) =>
      Effect.gen(function* () {
        const [file, empty] = [key(), key()]
        const bytes = bytesOf(600_001)
        yield* vault.store(file, inPieces(bytes))
        yield* vault.store(empty, Stream.empty)
        for (const from of [0, 1, 65_535, 65_536, 262_143, 262_144, 300_000, 524_288, 600_000, 600_001, 700_000]) {
          assert.deepEqual([from, resultOf(yield* readAll(vault, file, from))], [from, resultOf(bytes.subarray(from))])
        }
        assert.equal((yield* readAll(vault, empty, 1)).byteLength, 0)
        yield* isMissing(vault, key(), 10)
      }))

    test("finds no file under a key that was never used", (vault, key) => isMissing(vault, key()))

    test("erases a file, and no other", (vault, key) =>
      Effect.gen(function* () {
        const [erased, kept] = [key(), key()]
        yield* vault.store(erased, inPieces(bytesOf(100_000, 2)))
        yield* vault.store(kept, inPieces(bytesOf(100_000, 3)))
        yield* vault.erase(erased)
        yield* isMissing(vault, erased)
        assert.deepEqual(resultOf(yield* readAll(vault, kept)), resultOf(bytesOf(100_000, 3)))
      }))

    test("erases what is erased already, or was never stored", (vault, key) =>
      Effect.gen(function* () {
        const file = key()
        yield* vault.erase(file)
        yield* vault.store(file, inPieces(bytesOf(10)))
        yield* vault.erase(file)
        yield* vault.erase(file)
        yield* isMissing(vault, file)
      }))

    for (const size of [100, 300_000, largeSize + 10]) {
      test(`keeps nothing of a file that breaks off after ${size} bytes, and fails as its bytes did`, (vault, key) =>
        Effect.gen(function* () {
          const file = key()
          const broken = new Broken()
          const bytes = Stream.concat(inPieces(bytesOf(size)), Stream.fail(broken))
          assert.equal(yield* Effect.flip(vault.store(file, bytes)), broken)
          yield* isMissing(vault, file)
          yield* vault.erase(file)
          yield* isMissing(vault, file)
        }))
    }

    test("keeps nothing of a file whose storing is interrupted", (vault, key) =>
      Effect.gen(function* () {
        const file = key()
        const reached = yield* Latch.make()
        const waiting = Stream.fromEffect(Effect.andThen(reached.open, Effect.never))
        const storing = yield* Effect.forkChild(vault.store(file, Stream.concat(inPieces(bytesOf(300_000)), waiting)))
        yield* reached.await
        yield* isMissing(vault, file)
        const exit = yield* Effect.andThen(Fiber.interrupt(storing), Fiber.await(storing))
        assert.equal(Exit.isFailure(exit), true)
        yield* isMissing(vault, file)
        yield* vault.erase(file)
      }))

    test("stores several files at the same time", (vault, key) =>
      Effect.gen(function* () {
        const files = Array.from({ length: 6 }, (_, index) => ({ file: key(), bytes: bytesOf(200_000, index + 10) }))
        yield* Effect.forEach(files, ({ bytes, file }) => vault.store(file, inPieces(bytes)), {
          concurrency: "unbounded",
          discard: true,
        })
        for (const { bytes, file } of files) {
          assert.deepEqual(resultOf(yield* readAll(vault, file)), resultOf(bytes))
        }
      }))
  })
}
