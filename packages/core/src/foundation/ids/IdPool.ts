/**
 * The identifiers of one operation. They are generated once, so that a second decision after a conflict names the same records.
 * Source: architecture, "Load, ask, decide, commit"; UUID version 7 (RFC 9562), ordered by time and by order of drawing.
 */
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { IdType } from "./IdTypes.ts"

/** Returns the operation's identifiers in order. A new source starts again at the first. */
export type IdSource = (type: IdType) => string

export interface IdPool {
  readonly operationId: string
  /** Returns a source that starts at the first identifier. */
  readonly source: () => IdSource
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))
const at = (bytes: Uint8Array, index: number) => bytes[index] ?? 0

/** The prefix of all identifiers of one millisecond. */
const timeOf = (millis: number): string => {
  const time = millis.toString(16).padStart(12, "0").slice(-12)
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

/** Unrolled for speed: every decision generates several. Uses the random bytes from `offset` on. */
const uuidV7 = (time: string, sequence: number, random: Uint8Array, offset: number): string => {
  const high = (sequence & 0xfff).toString(16).padStart(3, "0")
  const byte = (index: number) => hex[at(random, offset + index)]
  const variant = hex[0x80 | (at(random, offset) & 0x3f)]
  return `${time}${high}-${variant}${byte(1)}-${byte(2)}${byte(3)}${byte(4)}${byte(5)}${byte(6)}${byte(7)}`
}

/** Generates an operation id and `size` further identifiers. An operation that takes more has a defect. */
export const make = Effect.fnUntraced(function* (size: number) {
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* random.randomBytes(8 * (size + 1) + 2)
  const millis = yield* Clock.currentTimeMillis
  // The random start separates operations of one millisecond. The increment keeps the order within one operation.
  const start = ((at(bytes, 8 * (size + 1)) << 8) | at(bytes, 8 * (size + 1) + 1)) & 0x7ff
  const time = timeOf(millis)
  const idAt = (index: number) => uuidV7(time, start + index, bytes, 8 * index)
  const pool: IdPool = {
    operationId: idAt(0),
    source: () => {
      let next = 0
      return (type) => {
        next += 1
        if (next > size) throw new Error(`the operation takes more than its ${size} identifiers`)
        return `${type}:${idAt(next)}`
      }
    },
  }
  return pool
})
