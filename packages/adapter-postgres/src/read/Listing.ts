/**
 * Reads a page of a kind's records by their fields, with the total count, in one trip. The count reads a bounded number of rows.
 * Source: architecture, "The Store port" (list); wire contract 0.3.
 */

import type { Caller } from "@countersign/core"
import { type AnyStored, type Condition, type Kind, Page, type Stored, type Where } from "@countersign/core/store"
import type { Parameter, Statement } from "../connection/Connection.ts"
import { type KindTable, kindTable, quoted, textOf } from "../schema/KindTables.ts"
import { ownedByTenant, recordJson, tenantOf } from "./Reading.ts"

type Bind = (value: Parameter) => string

/** The fields that every kind has, in typed columns of their own. */
const commonFields: { readonly [field: string]: { readonly column: string; readonly type: "text" | "bigint" } } = {
  customerId: { column: "customer_id", type: "text" },
  createdAt: { column: "created_at", type: "bigint" },
  updatedAt: { column: "updated_at", type: "bigint" },
}

const range = (
  column: string,
  { from, to }: { readonly from?: number; readonly to?: number },
  bind: Bind,
  type: string,
) => [
  ...(from === undefined ? [] : [`${column} >= ${bind(from)}::${type}`]),
  ...(to === undefined ? [] : [`${column} <= ${bind(to)}::${type}`]),
]

const inRange = (value: number): number => Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)

/** The same bounds on integers, so that the column's index supports them. */
const wholeBounds = ({ from, to }: { readonly from?: number; readonly to?: number }) => ({
  ...(from === undefined ? {} : { from: inRange(Math.ceil(from)) }),
  ...(to === undefined ? {} : { to: inRange(Math.floor(to)) }),
})

const onCommon = (column: string, type: "text" | "bigint", condition: Condition, bind: Bind): ReadonlyArray<string> => {
  if ("has" in condition) return ["false"]
  const isOfType = (value: unknown) => typeof value === (type === "text" ? "string" : "number")
  if (!("eq" in condition || "in" in condition)) {
    return type === "text" ? ["false"] : range(column, wholeBounds(condition), bind, "bigint")
  }
  const values = "eq" in condition ? [condition.eq] : condition.in
  const ofType = values.filter(isOfType).map(String)
  const tests = ofType.length > 0 ? [`${column} = any (${bind(ofType)}::text[]::${type}[])`] : []
  if (values.includes(null)) tests.push(`${column} is null`)
  return [tests.length === 0 ? "false" : `(${tests.join(" or ")})`]
}

const isText = (value: unknown): value is string => typeof value === "string"

/** The condition that the index of an indexed field supports: its text. The value is compared as well, because 1 and "1" share it. */
const onText = (column: string, condition: Condition, bind: Bind): ReadonlyArray<string> => {
  const values = "eq" in condition ? [condition.eq] : "in" in condition ? condition.in : []
  if (values.length === 0 || !values.every(isText)) return []
  return [`${textOf(column)} = any (${bind(values)}::text[])`]
}

const onField = (column: string, condition: Condition, bind: Bind): ReadonlyArray<string> => {
  // This operator also finds a scalar in a scalar, and `has` applies to lists only.
  if ("has" in condition)
    return [`jsonb_typeof(${column}) = 'array'`, `${column} @> ${bind(JSON.stringify([condition.has]))}::jsonb`]
  if ("eq" in condition) return [`${column} = ${bind(JSON.stringify(condition.eq))}::jsonb`]
  if ("in" in condition) {
    return [`${column} = any (${bind(condition.in.map((value) => JSON.stringify(value)))}::text[]::jsonb[])`]
  }
  return [`jsonb_typeof(${column}) = 'number'`, ...range(column, condition, bind, "numeric::text::jsonb")]
}

const conditionsOf = ({ fields, kind }: KindTable, where: Where, bind: Bind): ReadonlyArray<string> =>
  Object.entries(where).flatMap(([name, condition]) => {
    const shared = Object.hasOwn(commonFields, name) ? commonFields[name] : undefined
    if (shared !== undefined) return onCommon(`c.${shared.column}`, shared.type, condition, bind)
    const field = fields.find((one) => one.field === name)
    if (field === undefined) throw new Error(`${kind} cannot be listed by ${name}: Kinds declares no such field`)
    const column = `c.${quoted(field.column)}`
    return [...(field.indexed ? onText(column, condition, bind) : []), ...onField(column, condition, bind)]
  })

/** Throws if `where` names a field that Kinds does not declare for the kind. */
export const listStatement = (kind: Kind, where: Where, request: Page.PageRequest, caller: Caller): Statement => {
  const table = kindTable(kind)
  const values: Array<Parameter> = tenantOf(caller)
  const bind: Bind = (value) => `$${values.push(value)}`
  const conditions = [ownedByTenant("c"), ...conditionsOf(table, where, bind)].join(" and ")
  const direction = request.order === "asc" ? "asc" : "desc"
  const beyond = request.order === "asc" ? ">" : "<"
  const { after } = request
  const afterCursor =
    after === undefined
      ? ""
      : ` and (c.created_at, c.id) ${beyond} (${bind(after.createdAt)}::bigint, ${bind(after.id)})`
  const from = `countersign.${quoted(table.table)} c where ${conditions}`
  const text = `select json_build_object(
    'data', (select json_agg(${recordJson(table, "q")} order by q.created_at ${direction}, q.id ${direction}) from
      (select c.* from ${from}${afterCursor} order by c.created_at ${direction}, c.id ${direction} limit ${bind(request.limit + 1)}::int) q),
    'count', (select count(*) from (select from ${from} limit ${Page.totalCountMax + 1}) counted))::text`
  return { text, values }
}

export const listResult = <K extends Kind>(
  answer: string | null | undefined,
  limit: number,
): Omit<Page.Page<Stored<K>>, "nextCursor"> => {
  const { count, data } = JSON.parse(answer ?? "{}") as {
    readonly data: ReadonlyArray<AnyStored> | null
    readonly count: number
  }
  const found = (data ?? []) as ReadonlyArray<Stored<K>>
  return { data: found.slice(0, limit), hasMore: found.length > limit, ...Page.totalCountOf(count) }
}
