/**
 * A table for each stored kind: its name, its columns, and how a record's fields become their values.
 * Source: architecture, "The Store port" (PostgreSQL); ports/Kinds.ts.
 */
import { type Kind, Kinds, type ListedValue } from "@countersign/core/store"

export interface KindTable {
  readonly kind: Kind
  /** The place of the kind in `Kinds`: how the commit function is told which table is meant. */
  readonly number: number
  readonly table: string
  readonly fields: ReadonlyArray<FieldColumn>
}

export interface FieldColumn {
  readonly field: string
  readonly column: string
  readonly read: (data: unknown) => ListedValue
  /** Whether a value of it names few records. */
  readonly indexed: boolean
  /** Its values that few records have at a time. */
  readonly partialIndex: ReadonlyArray<string>
}

const snake = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/gu, (letter) => `_${letter}`).toLowerCase()

/** An SQL identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The text of a field's column; `null` where it holds none. */
export const textOf = (column: string): string => `((${column} #>> '{}') collate "C")`

const reserved: ReadonlyArray<string> = [
  "id",
  "owner_id",
  "platform_id",
  "customer_id",
  "version",
  "created_at",
  "updated_at",
  "data",
]

const columnOf = (kind: Kind, field: string): string => {
  const column = snake(field)
  if (reserved.includes(column)) throw new Error(`${kind}: the field ${field} has the name of a column of every kind`)
  return column
}

const tableOf = (kind: Kind, number: number): KindTable => {
  const row = Kinds.get(kind)
  const fields = row.fields as { readonly [name: string]: (data: never) => ListedValue }
  return {
    kind,
    number,
    table: snake(kind),
    fields: Object.entries(fields).map(([field, read]) => ({
      field,
      column: columnOf(kind, field),
      read: (data) => read(data as never),
      indexed: row.indexed.includes(field),
      partialIndex: row.partialIndex[field] ?? [],
    })),
  }
}

export const kindTables: ReadonlyArray<KindTable> = Kinds.keys.map(tableOf)

const byKind = new Map(kindTables.map((table) => [table.kind, table]))

export const kindTable = (kind: Kind): KindTable => {
  const table = byKind.get(kind)
  if (table === undefined) throw new Error(`${kind} is not a stored kind`)
  return table
}

/** The values of a record's field columns, in their order. */
export const fieldValues = (table: KindTable, data: unknown): ReadonlyArray<ListedValue> =>
  table.fields.map(({ read }) => read(data) ?? null)
