/**
 * Texts and values from outside the service: whether a store can keep them, and the form in which it can.
 * Source: D-359. No store keeps U+0000 or half of a surrogate pair: a database accepts some of them and then fails to read them.
 */
import { Redacted, Result } from "effect"
import type { Json } from "./CanonicalJson.ts"
import { depthMax, isTooDeep } from "./JsonLimits.ts"

/** The longest text that is kept of an answer from outside, in UTF-16 code units. */
export const textLengthMax = 65_536

/** Whether every store can keep a text: it has no U+0000 and no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

interface Members {
  readonly [name: string]: unknown
}

/** Whether the value is an object of no class, whose members are data. */
const isPlain = (value: unknown): value is Members => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const everyText = (value: unknown, accepts: (text: string) => boolean, levels: number): boolean => {
  if (typeof value === "string") return accepts(value)
  if (typeof value !== "object" || value === null) return true
  if (levels < 0) throw new RangeError("a value from outside is nested too deep")
  if (Array.isArray(value)) return value.every((item) => everyText(item, accepts, levels - 1))
  if (!isPlain(value)) return !Redacted.isRedacted(value) || everyText(Redacted.value(value), accepts, levels - 1)
  for (const name in value) {
    if (!accepts(name) || !everyText(value[name], accepts, levels - 1)) return false
  }
  return true
}

/** Whether all texts and member names of a value are storable. Every commit asks, so it is written for speed. */
export const isStorable = (value: unknown): boolean => {
  if (typeof value === "string") return isStorableText(value)
  if (typeof value !== "object" || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  if (!isPlain(value)) return !Redacted.isRedacted(value) || isStorable(Redacted.value(value))
  for (const name in value) {
    const member = value[name]
    if (!isStorableText(name)) return false
    if (typeof member === "string" ? !isStorableText(member) : typeof member === "object" && !isStorable(member))
      return false
  }
  return true
}

/** Returns the text with U+FFFD for each U+0000 and each half of a surrogate pair, cut at `textLengthMax`. */
const cleanText = (text: string): string => text.slice(0, textLengthMax).replaceAll("\u0000", "\uFFFD").toWellFormed()

const cleanValue = (value: unknown): unknown => {
  if (typeof value === "string") return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (Redacted.isRedacted(value)) return Redacted.make(cleanValue(Redacted.value(value)))
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [cleanText(name), cleanValue(member)]))
}

const isKept = (text: string): boolean => text.length <= textLengthMax && isStorableText(text)

/**
 * Returns a value whose texts and member names are storable and bounded; a value that already is comes back as it is. Objects of a class
 * stay untouched, except for redacted values. Throws for a value nested deeper than `JsonLimits.depthMax`.
 */
export const clean = <A>(value: A): A => (everyText(value, isKept, depthMax) ? value : (cleanValue(value) as A))

type Unreadable = "too deep" | "not JSON"

const parse = (text: string): Result.Result<Json, Unreadable> => {
  if (isTooDeep(text)) return Result.fail("too deep")
  try {
    const value: Json = JSON.parse(text)
    return Result.succeed(value)
  } catch {
    return Result.fail("not JSON")
  }
}

/** Parses JSON text from outside into a clean value; fails with the reason. */
export const parseClean = (text: string): Result.Result<Json, Unreadable> => Result.map(parse(text), clean)

/** Parses JSON text from outside; fails with the reason, also for a value with a text that is not storable. */
export const parseStorable = (text: string): Result.Result<Json, Unreadable | "not storable"> =>
  Result.filterOrFail(parse(text), isStorable, () => "not storable" as const)
