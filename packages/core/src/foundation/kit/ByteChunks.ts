/**
 * Cuts a stream of bytes into chunks of one size; only the last one may be shorter, and an empty stream has none.
 * Source: D-375 (storage in rows and parts of a fixed size).
 */
import { Stream } from "effect"

const joined = (pieces: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.byteLength
  }
  return all
}

interface Waiting {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly size: number
}

const none: Waiting = { pieces: [], size: 0 }

export const inChunks =
  (chunkBytes: number) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.mapAccum(
      bytes,
      () => none,
      (waiting, piece) => {
        const pieces = [...waiting.pieces, piece]
        const size = waiting.size + piece.byteLength
        if (size < chunkBytes) return [{ pieces, size }, []] as const
        const all = joined(pieces, size)
        const whole = size - (size % chunkBytes)
        const chunks = Array.from({ length: whole / chunkBytes }, (_, index) =>
          all.subarray(index * chunkBytes, (index + 1) * chunkBytes),
        )
        return [whole === size ? none : { pieces: [all.slice(whole)], size: size - whole }, chunks] as const
      },
      { onHalt: ({ pieces, size }) => (size === 0 ? [] : [joined(pieces, size)]) },
    )
