/**
 * A bulk import: where it is in its file, and what came of the rows so far. The errors of its rows are records of their own, so that
 * each row rewrites little.
 * Source: wire contract areas 1.5.3 to 1.5.5; D-411.
 */
import { Schema } from "effect"
import { BulkImportMachine } from "./BulkImportMachine.ts"

/** Why an import fails as a whole. */
export const ImportProblem = Schema.Struct({
  code: Schema.Literals(["INVALID_REQUEST_FORMAT", "INTERNAL_ERROR"]),
  message: Schema.String,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
})
export type ImportProblem = typeof ImportProblem.Type

export const BulkImport = Schema.Struct({
  status: Schema.Literals(BulkImportMachine.states),
  fileId: Schema.String,
  /** The index of each known column in the file. */
  columns: Schema.Record(Schema.String, Schema.Int),
  /** Number of columns in the header. */
  width: Schema.Int,
  /** The position (bytes) in the file of the next row. */
  position: Schema.Int,
  /** Number of rows. */
  total: Schema.Int,
  processed: Schema.Int,
  successful: Schema.Int,
  /** Present: the import fails before its first row. */
  problem: Schema.optionalKey(ImportProblem),
  /** Unix milliseconds. */
  endedAt: Schema.optionalKey(Schema.Int),
})
export type BulkImport = typeof BulkImport.Type

/** The outcome of a row that created no customer. */
export const BulkImportError = Schema.Struct({
  importId: Schema.String,
  /** The first row has number 1. */
  row: Schema.Int,
  correlationId: Schema.String,
  code: Schema.String,
  message: Schema.String,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
})
export type BulkImportError = typeof BulkImportError.Type

/** The largest size of an imported file, in bytes: 100 MiB. */
export const importBytesMax = 104_857_600
/** The largest number of rows in an imported file. */
export const importRowsMax = 100_000
/** How many imports of a platform may wait or run: the vault keeps the file of each. */
export const importsMax = 20
/** How many errors of one import are kept. */
export const importErrorsMax = 1000
/** How long an import can be read after its end, in milliseconds of business time. */
export const importRetentionMillis = 30 * 24 * 60 * 60 * 1000

export const isReadable = ({ endedAt }: BulkImport, now: number): boolean =>
  endedAt === undefined || now < endedAt + importRetentionMillis
