/**
 * Checks the rows of an image, which comes from any file: their tables, their platform, and the records in them.
 * Source: D-471.
 */
import { hasCredentials, ImageInvalid, isPossibleLead, Kinds, withoutCredentials } from "@countersign/core/store"
import { Effect, Schema } from "effect"
import { kindTables } from "../schema/KindTables.ts"
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

const notAnImage = () => invalid("it is not the state of a store")

/** The kind of the record that a row is a version of; `undefined`: the table has no records. */
const kindOfRow = (table: string, row: Row) =>
  kindOf(table) ?? (table === "record_history" ? Kinds.keys.find((kind) => kind === row["kind"]) : undefined)

/** The row without credentials, with the values of its columns. */
const sharedRow = (table: string, row: Row): ReadonlyArray<Row> => {
  const kind = kindOfRow(table, row)
  const { data: before } = row
  if (kind === undefined || before === undefined) return [row]
  const data = withoutCredentials(kind, before)
  if (data === undefined) return []
  const { fields = [] } = kindTables.find((each) => each.table === table) ?? {}
  const changed = fields.filter(({ read }) => JSON.stringify(read(data)) !== JSON.stringify(read(before)))
  return [{ ...row, ...Object.fromEntries(changed.map(({ column, read }) => [column, read(data)])), data }]
}

const sharedRows = (table: string, rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  if (table === "replay") return []
  if (table === "unique_key") return rows.filter((row) => !hasCredentials(String(row["kind"])))
  return rows.flatMap((row) => sharedRow(table, row))
}

/** Returns an image without the credentials that its records have, and without stored responses. */
export const imageWithoutCredentials = (image: string): Effect.Effect<string, ImageInvalid> =>
  decodeImage(image).pipe(
    Effect.mapError(notAnImage),
    Effect.map(({ tables }) =>
      JSON.stringify({
        tables: Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, sharedRows(table, rows)])),
      }),
    ),
  )

/** Returns the rows of an image by table. */
export const rowsOf = Effect.fnUntraced(function* (image: string, tables: ReadonlyArray<string>, platformId: string) {
  const decoded = yield* Effect.mapError(decodeImage(image), notAnImage)
  const unknown = Object.keys(decoded.tables).find((table) => !tables.includes(table))
  if (unknown !== undefined) return yield* invalid("it has a table that this server does not know")
  if (!(decoded.tables["business_time"] ?? []).every((row) => isPossibleLead(Number(row["ahead_millis"])))) {
    return yield* invalid("its clock cannot be that far ahead")
  }
  yield* Effect.forEach(Object.entries(decoded.tables), ([table, rows]) => checkTable(table, rows, platformId), {
    discard: true,
  })
  return decoded.tables satisfies ImageRows
})
