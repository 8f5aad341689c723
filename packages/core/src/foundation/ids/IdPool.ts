/**
 * Identifiers of one operation, drawn once, so that deciding again after a conflict names the same records.
 * Source: architecture, "Load, ask, decide, commit"; UUID version 7 (RFC 9562), ordered by time and by order of drawing.
 */
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { IdType } from "./IdTypes.ts"

/** Hands out the operation's identifiers in order; a new one of these starts again at the first. */
export type IdSource = (type: IdType) => string

export interface IdPool {
  readonly operationId: string
  /** A source that starts at the first identifier. */
  readonly source: () => IdSource
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))
const at = (bytes: Uint8Array, index: number) => bytes[index] ?? 0

/** The part that all identifiers of one moment begin with. */
const timeOf = (millis: number): string => {
  const time = millis.toString(16).padStart(12, "0").slice(-12)
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

/** Written out, since a decision draws several: the random bytes from `offset` on. */
const uuidV7 = (time: string, sequence: number, random: Uint8Array, offset: number): string => {
  const high = (sequence & 0xfff).toString(16).padStart(3, "0")
  const byte = (index: number) => hex[at(random, offset + index)]
  const variant = hex[0x80 | (at(random, offset) & 0x3f)]
  return `${time}${high}-${variant}${byte(1)}-${byte(2)}${byte(3)}${byte(4)}${byte(5)}${byte(6)}${byte(7)}`
}

/** Draws an operation id and `size` further identifiers; asking for more is a defect of the operation. */
export const make = Effect.fnUntraced(function* (size: number) {
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* random.randomBytes(8 * (size + 1) + 2)
  const millis = yield* Clock.currentTimeMillis
  // A random start keeps operations of one millisecond apart; the step keeps the order within one operation.
  const start = ((at(bytes, 8 * (size + 1)) << 8) | at(bytes, 8 * (size + 1) + 1)) & 0x7ff
  const time = timeOf(millis)
  const draw = (index: number) => uuidV7(time, start + index, bytes, 8 * index)
  const pool: IdPool = {
    operationId: draw(0),
    source: () => {
      let next = 0
      return (type) => {
        next += 1
        if (next > size) throw new Error(`the operation draws more than its ${size} identifiers`)
        return `${type}:${draw(next)}`
      }
    },
  }
  return pool
})
