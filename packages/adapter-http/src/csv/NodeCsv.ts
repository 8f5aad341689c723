/**
 * The `CsvReader` port on Node: a maintained parser, to which the pieces of a file are given one by one.
 * Source: wire contract areas 1.5.2 (format); D-410.
 */
import { CsvMalformed, CsvReader, type CsvRow, rowBytesMax } from "@countersign/core/ports"
import { parse } from "csv-parse"
import { Array as Arr, Effect, Layer, Stream } from "effect"

/** Parses one file. `give` takes its next piece, or `undefined` at its end, and returns the rows that are complete. */
const parsing = (from: number) => {
  let rows: Array<CsvRow> = []
  const parser = parse({
    bom: from === 0,
    record_delimiter: ["\n", "\r\n"],
    relax_column_count: true,
    skip_empty_lines: true,
    // A row that is not returned does not wait in the parser.
    on_record: (cells: ReadonlyArray<string>, { bytes }) => {
      rows.push({ cells, end: from + bytes })
      return null
    },
  })
  const utf8 = new TextDecoder("utf-8", { fatal: true })
  let given = from
  let lastEnd = from
  // A failure is reported to the callback too.
  parser.on("error", () => undefined)
  // The end of a parser whose rows are all taken is reported only to a reader.
  parser.resume()

  const taken = (): ReadonlyArray<CsvRow> => {
    const complete = rows
    rows = []
    lastEnd = complete.at(-1)?.end ?? lastEnd
    return complete
  }

  const give = (piece: Uint8Array | undefined): Effect.Effect<ReadonlyArray<CsvRow>, CsvMalformed> =>
    Effect.callback((resume) => {
      try {
        utf8.decode(piece, { stream: piece !== undefined })
      } catch {
        return resume(Effect.fail(new CsvMalformed({ reason: "NOT_UTF8" })))
      }
      given += piece?.byteLength ?? 0
      const done = (error?: Error | null) => {
        if (error) return resume(Effect.fail(new CsvMalformed({ reason: "NOT_CSV" })))
        const complete = taken()
        const isTooLong = given - lastEnd > rowBytesMax
        return resume(isTooLong ? Effect.fail(new CsvMalformed({ reason: "ROW_TOO_LONG" })) : Effect.succeed(complete))
      }
      if (piece === undefined) parser.end(done)
      else parser.write(piece, done)
      return undefined
    })

  return { give, close: Effect.sync(() => void parser.destroy()) }
}

/** How many bytes are parsed at once. */
const parsedBytes = 16 * 1024

const cutPiece = (piece: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(piece.byteLength / parsedBytes) }, (_, index) =>
    piece.subarray(index * parsedBytes, (index + 1) * parsedBytes),
  )

const rows: CsvReader["Service"]["rows"] = (bytes, from) =>
  Effect.acquireRelease(
    Effect.sync(() => parsing(from)),
    ({ close }) => close,
  ).pipe(
    Effect.map(({ give }) =>
      Stream.concat(
        // Parsing is synchronous: other requests get their turn between two pieces.
        bytes.pipe(
          Stream.map(cutPiece),
          Stream.flattenIterable,
          Stream.mapEffect((piece) => Effect.andThen(Effect.yieldNow, give(piece))),
        ),
        Stream.suspend(() => Stream.fromEffect(give(undefined))),
      ),
    ),
    Stream.unwrap,
    // The rows of one piece stay together: a file of short rows has tens of thousands in each.
    Stream.filter(Arr.isReadonlyArrayNonEmpty),
    Stream.flattenArray,
  )

/** Provides `CsvReader` on the parser `csv-parse`. Rows fail with `CsvMalformed`, whose reason is `NOT_UTF8`, `NOT_CSV` or `ROW_TOO_LONG`. */
export const layer: Layer.Layer<CsvReader> = Layer.succeed(CsvReader, { rows })
