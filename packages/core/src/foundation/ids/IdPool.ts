/**
 * The identifiers of one operation. They are generated once, so that a second decision after a conflict names the same records.
 * Source: architecture, "Load, ask, decide, commit"; UUID version 7 (RFC 9562), ordered by time and by order of drawing; D-513 (slots).
 */
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { IdType } from "./IdTypes.ts"
import { slotCount, slotOf } from "./Slot.ts"

/**
 * Returns the operation's identifiers in order, each for a record of this customer (`null`: of the platform; absent: of the operation's
 * owner). A new source starts again at the first.
 */
export type IdSource = (type: IdType, customerId?: string | null) => string

/** Whose records an operation makes: a customer, or the platform. */
export interface IdOwners {
  readonly owner?: string | undefined
  readonly platformId?: string
}

export interface IdPool {
  readonly operationId: string
  /**
   * Returns a source that starts at the first identifier. Each has the slot of the owner whose record it names. A new customer or platform
   * has a random slot, and the identifiers after it have the same. Without owners the slots are random.
   */
  readonly source: (owners?: IdOwners) => IdSource
}

/** What these identifiers name owns records. */
const ownerTypes: ReadonlySet<IdType> = new Set(["Customer", "PlatformConfig"])

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))
const at = (bytes: Uint8Array, index: number) => bytes[index] ?? 0

/** The prefix of all identifiers of one millisecond. */
const timeOf = (millis: number): string => {
  const time = millis.toString(16).padStart(12, "0").slice(-12)
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

/** A random slot, of two bytes from `offset` on. */
const slotAt = (random: Uint8Array, offset: number): number =>
  ((at(random, offset) << 8) | at(random, offset + 1)) & (slotCount - 1)

/** Unrolled for speed: every decision generates several. Uses the random bytes from `offset` + 2 on. */
const uuidV7 = (time: string, sequence: number, slot: number, random: Uint8Array, offset: number): string => {
  const high = (sequence & 0xfff).toString(16).padStart(3, "0")
  const byte = (index: number) => hex[at(random, offset + index)]
  const variant = (0x8000 | slot).toString(16)
  return `${time}${high}-${variant}-${byte(2)}${byte(3)}${byte(4)}${byte(5)}${byte(6)}${byte(7)}`
}

/** Generates an operation id and `size` further identifiers. An operation that takes more has a defect. */
export const make = Effect.fnUntraced(function* (size: number) {
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* random.randomBytes(8 * (size + 1) + 2)
  const millis = yield* Clock.currentTimeMillis
  // The random start separates operations of one millisecond. The increment keeps the order within one operation.
  const start = ((at(bytes, 8 * (size + 1)) << 8) | at(bytes, 8 * (size + 1) + 1)) & 0x7ff
  const time = timeOf(millis)
  const idAt = (index: number, slot: number) => uuidV7(time, start + index, slot, bytes, 8 * index)
  const ownSlot = slotAt(bytes, 0)
  const pool: IdPool = {
    operationId: idAt(0, ownSlot),
    source: ({ owner, platformId } = {}) => {
      let next = 0
      let slot = slotOf(owner ?? platformId ?? "") ?? ownSlot
      return (type, customerId) => {
        next += 1
        if (next > size) throw new Error(`the operation takes more than its ${size} identifiers`)
        if (ownerTypes.has(type)) slot = slotAt(bytes, 8 * next)
        const named = customerId === null ? platformId : customerId
        return `${type}:${idAt(next, slotOf(named ?? "") ?? slot)}`
      }
    },
  }
  return pool
})

/** Draws one identifier, with the slot of its owner, or of another record of the owner. */
export const draw = (type: IdType, owner?: string) => Effect.map(make(1), (pool) => pool.source()(type, owner))
