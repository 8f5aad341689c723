/**
 * Checks the rows of an image, which comes from any file: their tables, their platform, and the records in them.
 * Source: D-471.
 */
import { ImageInvalid, Kinds } from "@countersign/core/store"
import { Effect, Schema } from "effect"
import { kindOf } from "./ImageTables.ts"

const Row = Schema.Record(Schema.String, Schema.Json)
type Row = typeof Row.Type
const decodeImage = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ tables: Schema.Record(Schema.String, Schema.Array(Row)) })),
)

export type ImageRows = Readonly<Record<string, ReadonlyArray<Row>>>

const invalid = (message: string) => new ImageInvalid({ message })

const decoders = new Map(
  Kinds.keys.map((kind) => [
    kind,
    Schema.decodeUnknownEffect(Kinds.get(kind).schema as Schema.Codec<unknown, unknown>),
  ]),
)

/** The tables whose rows show nothing and may be the service's own: the clock, and the receipts of its commits. */
const isShared = (table: string): boolean => table === "business_time" || table === "operation"

const checkTable = Effect.fnUntraced(function* (table: string, rows: ReadonlyArray<Row>, platformId: string) {
  if (!isShared(table) && rows.some((row) => row["platform_id"] !== platformId)) {
    return yield* invalid("it has records of several platforms")
  }
  const kind = kindOf(table)
  const decode = kind === undefined ? undefined : decoders.get(kind)
  if (decode === undefined) return
  yield* Effect.forEach(rows, (row) => decode(row["data"]), { discard: true }).pipe(
    Effect.mapError(({ message }) => invalid(`${kind}: ${message}`)),
  )
})

/** Returns the rows of an image by table. */
export const rowsOf = Effect.fnUntraced(function* (image: string, tables: ReadonlyArray<string>, platformId: string) {
  const decoded = yield* Effect.mapError(decodeImage(image), () => invalid("it is not the state of a store"))
  const unknown = Object.keys(decoded.tables).find((table) => !tables.includes(table))
  if (unknown !== undefined) return yield* invalid("it has a table that this server does not know")
  yield* Effect.forEach(Object.entries(decoded.tables), ([table, rows]) => checkTable(table, rows, platformId), {
    discard: true,
  })
  return decoded.tables satisfies ImageRows
})
