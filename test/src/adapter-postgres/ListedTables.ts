/** Tables of stored kinds and of events, filled by SQL with records of every combination of what lists select by. */
import { EventTypes } from "@countersign/core/models"
import {
  type FieldColumn,
  type KindTable,
  partsOf,
  quoted,
} from "../../../packages/adapter-postgres/src/schema/KindTables.ts"

export const platform = "PlatformConfig:listed"
export const owners = ["Customer:1", "Customer:2"] as const

/** The two texts of an indexed field. */
export const keyOf = ({ field }: FieldColumn, number: 0 | 1): string => `${field}:${number}`
const member = "a member"

const jsonOf = (value: unknown): string => `'${JSON.stringify(value)}'::jsonb`

/** A value for record `n`; each field changes in steps of its own, so that all combinations occur. */
const valueFor = (field: FieldColumn, step: number): string => {
  const of = (values: ReadonlyArray<unknown>) =>
    `(array[${values.map(jsonOf).join(", ")}])[1 + (n / ${step}) % ${values.length}]`
  if (field.part.length > 0) return of(field.part)
  if (field.indexed) return of([keyOf(field, 0), keyOf(field, 1)])
  if (field.partialIndex.length > 0) return `case n % 500 when 0 then ${jsonOf(field.partialIndex[0])} else 'null' end`
  return field.hasIndexedMembers
    ? `case n % 500 when 0 then ${jsonOf([member])} else ${jsonOf(["another"])} end`
    : "'null'"
}

/** Fills the table of a kind with records of three owners, two of each millisecond. */
export const fill = (kind: KindTable, records: number): string => {
  let step = 3
  const values = kind.fields.map((field) => {
    const value = valueFor(field, step)
    step *= field.part.length > 0 ? field.part.length : field.indexed ? 2 : 1
    return { column: quoted(field.column), value }
  })
  const columns = values.map(({ column }) => `${column}, `).join("")
  return `insert into countersign.${quoted(kind.table)} (owner_id, platform_id, customer_id, id, version, created_at, updated_at, ${columns}data)
    select coalesce(customer, '${platform}'), '${platform}', customer, '${kind.kind}:' || lpad(n::text, 8, '0'), 1, 1000 + n / 2, 1000 + n / 2,
      ${values.map(({ value }) => `${value}, `).join("")}json_build_object('filler', repeat('-', 600))
    from generate_series(1, ${records}) n, lateral (select (array['${owners[0]}', '${owners[1]}', null])[1 + n % 3] customer) o`
}

export const subject = "a subject"

export const fillEvents = (records: number): string => {
  const types = EventTypes.keys.map((type) => `'${type}'`).join(", ")
  return `insert into countersign.event (owner_id, platform_id, customer_id, id, type, subject, data, created_at, expires_at)
    select coalesce(customer, '${platform}'), '${platform}', customer, 'Webhook:' || lpad(n::text, 8, '0'),
      (array[${types}])[1 + (n / 3) % ${EventTypes.keys.length}], case n % 2 when 0 then '${subject}' else 'another' end, json_build_object('filler', repeat('-', 600)), 1000 + n / 2, 9e12
    from generate_series(1, ${records}) n, lateral (select (array['${owners[0]}', '${owners[1]}', null])[1 + n % 3] customer) o`
}

/** How many combinations of parts a kind has. */
export const combinationsOf = (kind: KindTable): number =>
  partsOf(kind).reduce((product, { part }) => product * part.length, 1)
