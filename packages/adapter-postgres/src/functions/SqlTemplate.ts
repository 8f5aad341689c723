/**
 * Fills the marked places of the SQL files with what the table of stored kinds says. Markers are SQL comments, and the names that stand
 * for a kind (`this_table`) are valid identifiers: a file is valid SQL before it is filled.
 * Source: architecture, "The Store port" (PostgreSQL: one static function made from `Kinds`).
 */
import { deliveryAttemptsMax, eventLane, eventRetentionMillis, limitRetentionMillis } from "@countersign/core/store"
import { type KindTable, kindTables, quoted } from "../schema/KindTables.ts"

/** Lines of a block, and a list whose items each end with a comma: an empty list leaves valid SQL. */
const eachKind = /^ *-- \{\{ for each kind \}\}\n(.*?)^ *-- \{\{ end \}\}\n/gmsu
const ifFields = /^ *-- \{\{ if it has fields \}\}\n(.*?)^ *-- \{\{ end if \}\}\n/gmsu
const listOf = (items: ReadonlyArray<string>): string => items.map((item) => `${item}, `).join("")

/** The lines of a block for one kind. */
const linesFor = (lines: string, { fields, kind, number, table }: KindTable): string =>
  lines
    .replaceAll(ifFields, (_, optional: string) => (fields.length === 0 ? "" : optional))
    .replaceAll("/* {{ columns }} */ ", () => listOf(fields.map(({ column }) => quoted(column))))
    .replaceAll(/\/\* \{\{ values of (\S+) \}\} \*\/\s/gu, (_, source: string) =>
      listOf(fields.map((_field, index) => `${source}->${index}`)),
    )
    .replaceAll(/\/\* \{\{ assignments of (\S+) \}\} \*\/\s/gu, (_, source: string) =>
      listOf(fields.map(({ column }, index) => `${quoted(column)} = ${source}->${index}`)),
    )
    .replaceAll(/\bthis_number\b/gu, String(number))
    .replaceAll(/\bthis_table\b/gu, () => quoted(table))
    .replaceAll(/\bthis_kind\b/gu, kind)

const kindNames = kindTables.map(({ kind }) => `'${kind}'`).join(", ")

/** The statement of an SQL file, filled. The comments above the statement stay in the file. */
export const fill = (file: string): string => {
  const filled = file
    .slice(file.indexOf("create or replace"))
    .replaceAll(eachKind, (_, lines: string) => kindTables.map((kind) => linesFor(lines, kind)).join(""))
    .replaceAll("/* {{ kind names }} */", kindNames)
    .replaceAll(/\/\* \{\{ event retention \}\} \*\/ \d+/gu, String(eventRetentionMillis))
    .replaceAll(/\/\* \{\{ attempts kept \}\} \*\/ \d+/gu, String(deliveryAttemptsMax))
    .replaceAll(/\/\* \{\{ limit retention \}\} \*\/ \d+/gu, String(limitRetentionMillis))
    .replaceAll(/\/\* \{\{ event lane \}\} \*\/ '[^']*'/gu, `'${eventLane("")}'`)
  const [unknown] = /\{\{.*?\}\}/u.exec(filled) ?? []
  if (unknown !== undefined) throw new Error(`an SQL file has a marker that SqlTemplate.ts does not know: ${unknown}`)
  return filled
}
