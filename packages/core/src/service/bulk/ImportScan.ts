/**
 * The first reading of an uploaded file: its header, the number of its rows, and whether it can be read to its end.
 * Source: wire contract areas 1.5.2, 1.5.4.
 */
import { Data, Effect, Stream } from "effect"
import { type ImportProblem, importRowsMax } from "../../model/bulk/BulkImport.ts"
import { headerOf, type ImportHeader, noHeader, problemOf } from "../../model/bulk/ImportHeader.ts"
import type { CsvReader, CsvRow } from "../../ports/CsvReader.ts"
import type { BytesMissing, VaultUnavailable } from "../../ports/DocumentVault.ts"

export interface Scanned {
  readonly header: ImportHeader
  /** The position (bytes) of the first row. */
  readonly position: number
  readonly rows: number
  readonly problem?: ImportProblem
}

/** Ends the reading of a file that cannot be imported. */
class Unreadable extends Data.TaggedError("Unreadable") {}

const unreadable = (problem: ImportProblem): Scanned => ({ header: noHeader, position: 0, rows: 0, problem })

/** Reads the file once. It stops at the first reason for which the file cannot be imported. */
export const scan = (reader: CsvReader["Service"], bytes: Stream.Stream<Uint8Array, VaultUnavailable | BytesMissing>) =>
  Effect.gen(function* () {
    let scanned: Scanned = unreadable(problemOf("MISSING_REQUIRED_COLUMN", "umaAddress"))
    let isHeader = true
    const next = ({ cells, end }: CsvRow): boolean => {
      if (isHeader) {
        isHeader = false
        const header = headerOf(cells)
        scanned = "problem" in header ? unreadable(header.problem) : { header, position: end, rows: 0 }
      } else if (scanned.rows === importRowsMax) scanned = unreadable(problemOf("TOO_MANY_ROWS"))
      else scanned = { ...scanned, rows: scanned.rows + 1 }
      return scanned.problem === undefined
    }
    yield* Stream.runForEachArray(reader.rows(bytes, 0), (rows) =>
      Effect.suspend(() => (rows.every(next) ? Effect.void : Effect.fail(new Unreadable()))),
    ).pipe(Effect.catchTag("Unreadable", () => Effect.void))
    return scanned
  }).pipe(Effect.catchTag("CsvMalformed", ({ reason }) => Effect.succeed(unreadable(problemOf(reason)))))
