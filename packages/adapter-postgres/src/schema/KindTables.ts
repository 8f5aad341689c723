/**
 * The table of each stored kind: its name, its columns, and how the fields of a record become their values.
 * Source: architecture, "The Store port" (PostgreSQL); ports/Kinds.ts.
 */
import { type Kind, Kinds, type ListedValue, listFieldsOf } from "@countersign/core/store"

export interface KindTable {
  readonly kind: Kind
  /** The place of the kind in `Kinds`, by which the commit functions name the table. */
  readonly number: number
  readonly table: string
  readonly fields: ReadonlyArray<FieldColumn>
  readonly isPaged: boolean
  readonly isListedByUpdate: boolean
}

export interface FieldColumn {
  readonly field: string
  readonly column: string
  readonly read: (data: unknown) => ListedValue
  /** Whether an index finds the records of a value. */
  readonly indexed: boolean
  /** All values of a field that divides every index of its kind; empty for any other field. */
  readonly part: ReadonlyArray<string | boolean>
  /** Whether an index finds the records whose list has a member. */
  readonly hasIndexedMembers: boolean
  /** The values that few records have at a time: a partial index covers these only. */
  readonly partialIndex: ReadonlyArray<string | boolean>
}

const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/gu, (letter) => `_${letter}`).toLowerCase()

/** An SQL identifier in quotes. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The text in a field's column; SQL null if the column has no value. */
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
  const column = snakeCase(field)
  if (reserved.includes(column)) {
    throw new Error(`${kind}: the field ${field} needs another name, because every kind has a column ${column}`)
  }
  return column
}

const tableOf = (kind: Kind, number: number): KindTable => {
  const row = Kinds.get(kind)
  return {
    kind,
    number,
    table: snakeCase(kind),
    fields: Object.entries(listFieldsOf(kind)).map(([field, read]) => ({
      field,
      column: columnOf(kind, field),
      read,
      indexed: row.indexed.includes(field),
      part: row.parts[field] ?? [],
      hasIndexedMembers: row.indexedMembers.includes(field),
      partialIndex: row.partialIndex[field] ?? [],
    })),
    isPaged: row.isPaged,
    isListedByUpdate: row.isListedByUpdate,
  }
}

/** The fields that divide every index of the kind, in their order there. */
export const partsOf = ({ fields }: KindTable): ReadonlyArray<FieldColumn> =>
  fields.filter(({ part }) => part.length > 0)

export const kindTables: ReadonlyArray<KindTable> = Kinds.keys.map(tableOf)

const byKind = new Map(kindTables.map((table) => [table.kind, table]))

export const kindTable = (kind: Kind): KindTable => {
  const table = byKind.get(kind)
  if (table === undefined) throw new Error(`${kind} is not a stored kind`)
  return table
}

/** The values of a record's field columns, in the order of the columns. */
export const fieldValues = (table: KindTable, data: unknown): ReadonlyArray<ListedValue> =>
  table.fields.map(({ read }) => read(data) ?? null)
