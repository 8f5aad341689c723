/**
 * Reads the rows of a CSV file as its bytes arrive. The service decides what the cells mean.
 * Source: wire contract areas 1.5.2 (format); D-410.
 */
import { Context, Data, type Stream } from "effect"

/** One row that is not empty. */
export interface CsvRow {
  readonly cells: ReadonlyArray<string>
  /** The position (bytes) in the file after the row, where the next one can be read from. */
  readonly end: number
}

/** `NOT_UTF8`, `NOT_CSV` (a quote within a cell, or one that is never closed), `ROW_TOO_LONG` (with the empty lines before it). */
export class CsvMalformed extends Data.TaggedError("CsvMalformed")<{
  readonly reason: "NOT_UTF8" | "NOT_CSV" | "ROW_TOO_LONG"
}> {}

/** The largest row, in bytes: more is never held of a file. */
export const rowBytesMax = 1024 * 1024

export class CsvReader extends Context.Service<
  CsvReader,
  {
    /**
     * Reads the bytes of a file that follow the position `from`, 0 or the end of a row. Format: RFC 4180 in UTF-8; a byte order mark at the
     * start of the file, LF and CRLF are allowed, empty lines are skipped, and rows may differ in length.
     */
    readonly rows: <E>(bytes: Stream.Stream<Uint8Array, E>, from: number) => Stream.Stream<CsvRow, E | CsvMalformed>
  }
>()("@countersign/core/CsvReader") {}
