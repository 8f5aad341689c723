/** The formats of a table, and its reader. Source: D-529. */
import { csvTable } from "./CsvTable.ts"
import { isPointer, type JsonMapping, jsonTable } from "./JsonTable.ts"
import type { RateTable, TableRefused } from "./RateTable.ts"
import { xmlTable } from "./XmlTable.ts"

/** `xml`: daily reference rates, whose base is the euro; `csv`: `date,base,currency,rate`; otherwise where JSON has them. */
export type TableFormat = "xml" | "csv" | { readonly json: JsonMapping }

export const readTable = (format: TableFormat, text: string): RateTable | TableRefused => {
  if (format === "xml") return xmlTable(text)
  return format === "csv" ? csvTable(text) : jsonTable(text, format.json)
}

/** Returns what is wrong with a format. */
export const problemOfFormat = (format: TableFormat): string | undefined => {
  if (typeof format === "string") return undefined
  const { base, date, rates } = format.json
  if (![date, rates].every(isPointer)) return "`json.rates` and `json.date` must be JSON pointers, such as `/rates`."
  return isPointer(base) || /^[A-Z][A-Z0-9]{2,9}$/u.test(base)
    ? undefined
    : "`json.base` must be a JSON pointer or a currency code."
}
