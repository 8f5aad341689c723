/**
 * Cuts streams of bytes. Chunks have one size; only the last one may be shorter, and an empty stream has none.
 * Source: D-375 (storage in rows and parts of a fixed size).
 */
import { Stream } from "effect"

/** The first size of a buffer, which doubles as bytes arrive: a short stream takes no whole chunk. */
const startBytes = 64 * 1024

/** Collects the bytes of one chunk. Bytes are copied, so that many small pieces take no more memory than one large one. */
const makeBuffer = (chunkBytes: number) => {
  let buffer = new Uint8Array(0)
  let size = 0
  const reserve = (needed: number): void => {
    if (needed <= buffer.byteLength) return
    const grown = new Uint8Array(Math.min(chunkBytes, Math.max(needed, 2 * buffer.byteLength, startBytes)))
    grown.set(buffer.subarray(0, size))
    buffer = grown
  }
  const take = (): Uint8Array<ArrayBuffer> => {
    const chunk = buffer.subarray(0, size)
    buffer = new Uint8Array(0)
    size = 0
    return chunk
  }
  /** Adds a piece, and returns the chunks that it completes. */
  const add = (piece: Uint8Array): ReadonlyArray<Uint8Array<ArrayBuffer>> => {
    const chunks: Array<Uint8Array<ArrayBuffer>> = []
    for (let at = 0; at < piece.byteLength; ) {
      const part = piece.subarray(at, at + chunkBytes - size)
      reserve(size + part.byteLength)
      buffer.set(part, size)
      size += part.byteLength
      at += part.byteLength
      if (size === chunkBytes) chunks.push(take())
    }
    return chunks
  }
  return { add, rest: () => (size === 0 ? [] : [take()]) }
}

/** Cuts a stream into chunks of this many bytes, for a storage that writes parts of one size. */
export const inChunks =
  (chunkBytes: number) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array<ArrayBuffer>, E, R> =>
    Stream.mapAccum(
      bytes,
      () => makeBuffer(chunkBytes),
      (buffer, piece) => [buffer, buffer.add(piece)] as const,
      { onHalt: (buffer) => buffer.rest() },
    )

/** Drops the bytes before a position. */
export const dropBytes =
  (position: number) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.mapAccum(
      bytes,
      () => position,
      (ahead, piece) => {
        const rest = piece.subarray(Math.min(ahead, piece.byteLength))
        return [Math.max(0, ahead - piece.byteLength), rest.byteLength === 0 ? [] : [rest]] as const
      },
    )
