/**
 * Looks at the first bytes of a stream before the rest is read.
 * Source: wire contract areas 1.2.2 (the first bytes decide the type).
 */
import { Effect, Pull, Stream } from "effect"

/** Returns at least `length` first bytes, fewer only of a shorter stream, and all bytes again as a stream. Valid within the scope. */
export const startOf = Effect.fnUntraced(function* <E>(bytes: Stream.Stream<Uint8Array, E>, length: number) {
  const pull = yield* Stream.toPull(bytes)
  const pieces: Array<Uint8Array> = []
  let size = 0
  let hasEnded = false
  const next = pull.pipe(
    Effect.flatMap((arrived) =>
      Effect.sync(() => {
        for (const piece of arrived) {
          pieces.push(piece)
          size += piece.byteLength
        }
      }),
    ),
    Pull.catchDone(() =>
      Effect.sync(() => {
        hasEnded = true
      }),
    ),
  )
  while (size < length && !hasEnded) yield* next
  const start = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    start.set(piece, at)
    at += piece.byteLength
  }
  const rest = hasEnded ? Stream.empty : Stream.fromPull(Effect.succeed(pull))
  return { start, bytes: Stream.concat(Stream.succeed(start), rest) }
})
