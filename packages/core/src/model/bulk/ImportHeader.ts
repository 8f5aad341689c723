/**
 * The header of an imported file: where each known column is, and the reasons for which a file cannot be imported.
 * Source: wire contract areas 1.5.2, 1.5.4.
 */
import { type ImportProblem, importBytesMax, importRowsMax } from "./BulkImport.ts"
import { columnOf, ImportColumns } from "./ImportColumns.ts"

const messages = {
  MISSING_REQUIRED_COLUMN: "The header lacks a required column.",
  DUPLICATE_COLUMN: "The header names a column twice.",
  NOT_UTF8: "The file is not UTF-8.",
  NOT_CSV: "The file is no CSV: a quote is within a cell without quotes, or is never closed.",
  ROW_TOO_LONG: "A row is too long.",
  TOO_MANY_ROWS: `The file has more than ${importRowsMax} rows.`,
} as const
export type ImportProblemReason = keyof typeof messages

export const problemOf = (reason: ImportProblemReason, column?: string): ImportProblem => ({
  code: "INVALID_REQUEST_FORMAT",
  message: messages[reason],
  details: { reason, ...(column === undefined ? {} : { column }) },
})

/** The file is missing, or has no bytes: the upload itself is refused. */
export const emptyFile = {
  code: "INVALID_REQUEST_FORMAT",
  message: `The body must have a part \`file\` of 1 to ${importBytesMax} bytes.`,
  details: { field: "file" },
} as const

export interface ImportHeader {
  /** The index of each known column. */
  readonly columns: { readonly [column: string]: number }
  readonly width: number
}

export const noHeader: ImportHeader = { columns: {}, width: 0 }

/** Returns the header, or why the file has none. Unknown columns do not count, whatever they are named. */
export const headerOf = (cells: ReadonlyArray<string>): ImportHeader | { readonly problem: ImportProblem } => {
  const columns = new Map<string, number>()
  for (const [index, cell] of cells.entries()) {
    if (!ImportColumns.has(cell)) continue
    if (columns.has(cell)) return { problem: problemOf("DUPLICATE_COLUMN", cell) }
    columns.set(cell, index)
  }
  const missing = ImportColumns.keys.find((name) => columnOf(name).neededBy === "ALL" && !columns.has(name))
  if (missing !== undefined) return { problem: problemOf("MISSING_REQUIRED_COLUMN", missing) }
  return { columns: Object.fromEntries(columns), width: cells.length }
}
