/**
 * Reads a table of comma-separated values: the header `date,base,currency,rate`, and a row for each currency. All rows are of one day and
 * one base. No value needs quotes, so that none are read.
 * Source: D-529; RFC 4180 without quotes.
 */
import { type RateTable, refused, type TableRefused, tableOf } from "./RateTable.ts"

const header = "date,base,currency,rate"

export const csvTable = (text: string): RateTable | TableRefused => {
  const [first, ...lines] = text
    .replace(/^\uFEFF/u, "")
    .replace(/\r?\n$/u, "")
    .split(/\r?\n/u)
  if (first !== header) return refused(`the first line of the table is not ${header}`)
  const rows = lines.map((line) => line.split(","))
  if (rows.some((row) => row.length !== 4)) return refused("each line of the table has four values")
  const [date = "", base = ""] = rows[0] ?? []
  if (rows.some((row) => row[0] !== date || row[1] !== base)) return refused("a table has one day and one base")
  if (!/^[A-Z][A-Z0-9]{2,9}$/u.test(base)) return refused("the base is not a currency code")
  return tableOf(
    date,
    base,
    rows.map(([, , currency = "", rate = ""]) => ({ currency, rate })),
  )
}
