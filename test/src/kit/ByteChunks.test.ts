/** Streams of bytes cut into chunks of one size. Source: D-375. */
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { dropBytes, inChunks } from "../../../packages/core/src/foundation/kit/ByteChunks.ts"

const run = (bytes: Stream.Stream<Uint8Array>): Promise<ReadonlyArray<Uint8Array>> =>
  Effect.runPromise(Stream.runCollect(bytes))
const joined = (pieces: ReadonlyArray<Uint8Array>) => pieces.flatMap((piece) => [...piece])
const pieces = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 8 })

it("have one size, but for the last one, and lose no byte", () =>
  fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 9 }), async (sent, size) => {
      const chunks = await run(inChunks(size)(Stream.fromIterable(sent)))
      expect(joined(chunks)).toEqual(joined(sent))
      expect(chunks.slice(0, -1).every(({ byteLength }) => byteLength === size)).toBe(true)
      for (const { byteLength } of chunks) expect(byteLength > 0 && byteLength <= size).toBe(true)
    }),
  ))

it("are apart from the pieces that were sent, which may be written again", async () => {
  const piece = Uint8Array.of(1, 2, 3)
  const sent = Stream.fromIterable([piece, Uint8Array.of(4)])
  const [chunk] = await run(inChunks(8)(sent))
  piece.fill(9)
  expect(joined(chunk === undefined ? [] : [chunk])).toEqual([1, 2, 3, 4])
})

it("of a large stream have the size that was asked for, beyond the first buffer", async () => {
  const chunkBytes = 200_000
  const sent = Array.from({ length: 50 }, (_, index) => new Uint8Array(10_007).fill(index + 1))
  const chunks = await run(inChunks(chunkBytes)(Stream.fromIterable(sent)))
  expect(chunks.map(({ byteLength }) => byteLength)).toEqual([chunkBytes, chunkBytes, 50 * 10_007 - 2 * chunkBytes])
  expect(Buffer.concat(chunks).equals(Buffer.concat(sent))).toBe(true)
})

it("are none of an empty stream", async () => {
  expect(await run(inChunks(4)(Stream.empty))).toEqual([])
  expect(await run(inChunks(4)(Stream.fromIterable([new Uint8Array(0)])))).toEqual([])
})

it("begin at a position, before which no byte is left", () =>
  fc.assert(
    fc.asyncProperty(pieces, fc.nat(40), async (sent, position) => {
      const rest = await run(dropBytes(position)(Stream.fromIterable(sent)))
      expect(joined(rest)).toEqual(joined(sent).slice(position))
      expect(rest.every(({ byteLength }) => byteLength > 0)).toBe(true)
    }),
  ))
