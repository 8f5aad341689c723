/**
 * Reads a table from JSON whose members the operator names. Numbers are taken as they are written, because a rate is not a floating-point
 * number.
 * Source: D-529; RFC 6901 (JSON pointer).
 */
import { type Quotation, type RateRow, type RateTable, refused, type TableRefused, tableOf } from "./RateTable.ts"

/** Where a document has the rates, their day and their base. */
export interface JsonMapping {
  /** Pointer to an object whose members are currency codes with rates, such as `/rates`. */
  readonly rates: string
  /** Pointer to the day: `2026-11-27`, a time that begins with it, or Unix seconds. */
  readonly date: string
  /** Pointer to the code of the base, or the code itself. */
  readonly base: string
  /** `perBase` (the default): units of the currency for one unit of the base; `perUnit`: the other way around. */
  readonly quotation?: Quotation
}

/** A number as it is written. */
class Written {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The types of `JSON.parse` do not know the third parameter yet. */
const parse = (text: string): unknown => {
  const revive = (_: string, value: unknown, context: { readonly source?: string }): unknown =>
    typeof value === "number" ? new Written(context.source ?? String(value)) : value
  return Reflect.apply(JSON.parse, JSON, [text, revive])
}

const at = (value: unknown, pointer: string): unknown => {
  let found: unknown = value
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined
    found = Reflect.get(found, key)
  }
  return found
}

const textOf = (value: unknown): string => {
  if (value instanceof Written) return value.text
  return typeof value === "string" ? value : ""
}

const dateOf = (value: unknown): string => {
  const text = textOf(value)
  if (/^\d{9,11}$/u.test(text)) return new Date(Number(text) * 1000).toISOString().slice(0, 10)
  return /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/u.test(text) ? text.slice(0, 10) : ""
}

export const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)+$/u.test(text)

export const jsonTable = (text: string, { base, date, quotation, rates }: JsonMapping): RateTable | TableRefused => {
  let parsed: unknown
  try {
    parsed = parse(text)
  } catch {
    return refused("the table is not JSON")
  }
  const found = at(parsed, rates)
  if (typeof found !== "object" || found === null) return refused("the pointer to the rates finds no object")
  const rows = Object.entries(found).map(([currency, rate]): RateRow => ({ currency, rate: textOf(rate) }))
  const code = isPointer(base) ? textOf(at(parsed, base)) : base
  if (!/^[A-Z][A-Z0-9]{2,9}$/u.test(code)) return refused("the base is not a currency code")
  return tableOf(dateOf(at(parsed, date)), code, rows, quotation)
}
