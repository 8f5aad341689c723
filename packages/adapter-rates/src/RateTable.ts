/**
 * A table of prices of one day: units of each currency for one unit of the base.
 * Source: D-529.
 */
import { Data } from "effect"
import { type Fraction, fractionOf, inverse } from "./Fractions.ts"

export interface RateTable {
  /** The day that the table is of, as Unix milliseconds of its beginning in UTC. */
  readonly day: number
  /** An upper-case code; it has the price 1. */
  readonly base: string
  readonly prices: ReadonlyMap<string, Fraction>
}

/** A table is not used. The message says why; it repeats no more than a currency code or a day of the table. */
export class TableRefused extends Data.TaggedError("TableRefused")<{ readonly message: string }> {}

export const tableBytesMax = 262_144
const currenciesMax = 500

/** One row as it is written. */
export interface RateRow {
  readonly currency: string
  readonly rate: string
}

export const refused = (message: string): TableRefused => new TableRefused({ message })

/** The beginning of a day that exists, such as `2026-11-27`. */
export const dayOf = (text: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return undefined
  const millis = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(millis) || new Date(millis).toISOString().slice(0, 10) !== text ? undefined : millis
}

/** Whether a row says how much of its currency one unit of the base is, or the other way around. */
export type Quotation = "perBase" | "perUnit"

/** Makes the table. One row that is not valid refuses it: a reader that skips what it does not understand shows wrong rates. */
export const tableOf = (
  date: string,
  base: string,
  rows: ReadonlyArray<RateRow>,
  quotation: Quotation = "perBase",
): RateTable | TableRefused => {
  const day = dayOf(date)
  if (day === undefined) return refused("the day of the table is not a date such as 2026-11-27")
  if (rows.length === 0 || rows.length > currenciesMax) return refused(`a table has 1 to ${currenciesMax} currencies`)
  const one: Fraction = { numerator: 1n, denominator: 1n }
  const prices = new Map([[base, one]])
  for (const { currency, rate } of rows) {
    if (!/^[A-Z][A-Z0-9]{2,9}$/u.test(currency)) return refused("a currency code is not valid")
    const price = fractionOf(rate)
    if (price === undefined) return refused(`the rate of ${currency} is not a positive decimal number`)
    const isBase = currency === base && price.numerator === price.denominator
    if (prices.has(currency) && !isBase) return refused(`${currency} is in the table twice`)
    prices.set(currency, quotation === "perBase" ? price : inverse(price))
  }
  return { day, base, prices }
}
