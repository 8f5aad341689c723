/**
 * Reads a page of a kind's records by their fields, with the total count, in one trip.
 * Source: architecture, "The Store port" (list); wire contract 0.3; D-500.
 */

import type { Caller } from "@countersign/core"
import {
  type AnyStored,
  type Condition,
  type FieldValue,
  type Kind,
  Page,
  type Stored,
  type Where,
} from "@countersign/core/store"
import type { Parameter, Statement } from "../connection/Connection.ts"
import { type FieldColumn, type KindTable, kindTable, partsOf, quoted, textOf } from "../schema/KindTables.ts"
import { hasText } from "../schema/ListIndexes.ts"
import { type Bind, type Choice, countOf, positions, type Selection } from "./OrderedList.ts"
import { recordJson } from "./Reading.ts"

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

/** The values of a condition by equality; `undefined` for any other condition. */
const valuesOf = (condition: Condition | undefined): ReadonlyArray<FieldValue> | undefined => {
  if (condition === undefined) return undefined
  return "eq" in condition ? [condition.eq] : "in" in condition ? condition.in : undefined
}

/** The owner is the customer, or the platform for a record without one. */
const ownersOf = (condition: Condition | undefined, { platformId }: Caller): ReadonlyArray<string> | undefined => {
  const values = valuesOf(condition)?.map((value) => value ?? platformId)
  // The platform's id names no customer.
  return values?.every(isText) === true && !valuesOf(condition)?.includes(platformId) ? values : undefined
}

const distinct = (values: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(values)]

/** A part has all its values if the list does not name some. */
const partChoice = ({ column, field, part }: FieldColumn, where: Where): Choice => {
  const values = valuesOf(where[field])
  const selected = values === undefined ? part : part.filter((value) => values.includes(value))
  return {
    column: textOf(`c.${quoted(column)}`),
    values: selected.map(String),
    ...(values === undefined ? { isOpen: true } : {}),
  }
}

/** Throws if `where` names a field that Kinds does not declare for the kind. */
const selectionOf = (table: KindTable, where: Where, caller: Caller, bind: Bind): Selection => {
  const named = Object.entries(where).map(([name, condition]) => {
    const field = table.fields.find((one) => one.field === name)
    if (field === undefined && !Object.hasOwn(commonFields, name)) {
      throw new Error(`${table.kind} cannot be listed by ${name}: Kinds declares no such field`)
    }
    return { name, condition, field, values: valuesOf(condition) }
  })
  const tenant = [`c.platform_id = ${bind(caller.platformId)}`]
  const owners = caller._tag === "Agent" ? [caller.customerId] : ownersOf(where["customerId"], caller)
  // The index of the values that few records have is not divided by parts.
  const isRare = named.some(({ field, values }) =>
    values?.every((value) => field?.partialIndex.some((one) => one === value)),
  )
  const served = isRare
    ? []
    : partsOf(table).filter(({ field }) => !(field in where) || valuesOf(where[field]) !== undefined)
  const keys = named.filter(({ field, values }) => field?.indexed === true && values?.every(isText) === true)
  const choices = [
    ...(owners === undefined ? [] : [{ column: "c.owner_id", values: distinct(owners) }]),
    ...keys.map(({ field, values }) => ({
      column: textOf(`c.${quoted(field?.column ?? "")}`),
      values: distinct((values ?? []).filter(isText)),
    })),
    ...served.map((part) => partChoice(part, where)),
  ]
  const decided = new Set([...keys.map(({ name }) => name), ...served.map(({ field }) => field)])
  if (owners !== undefined && caller._tag !== "Agent") decided.add("customerId")
  const rest = named.filter(({ name }) => !decided.has(name))
  const isBound = ({ condition, name }: (typeof named)[number]) =>
    name === "createdAt" && valuesOf(condition) === undefined
  const tests = rest.map((each) => {
    const { condition, field, name } = each
    const shared = Object.hasOwn(commonFields, name) ? commonFields[name] : undefined
    const conditions =
      shared !== undefined
        ? onCommon(`c.${shared.column}`, shared.type, condition, bind)
        : onField(`c.${quoted(field?.column ?? "")}`, condition, bind)
    return { isBound: isBound(each), conditions }
  })
  return {
    from: `countersign.${quoted(table.table)} c`,
    choices,
    bounds: tests.flatMap(({ conditions, isBound: is }) => (is ? conditions : [])),
    conditions: [
      ...tenant,
      ...keys.map(({ field }) => hasText(`c.${quoted(field?.column ?? "")}`)),
      ...tests.flatMap(({ conditions, isBound: is }) => (is ? [] : conditions)),
      ...(choices.some(({ values }) => values.length === 0) ? ["false"] : []),
    ],
    isSampled: table.isPaged && !isRare,
  }
}

/** Throws if `where` names a field that Kinds does not declare for the kind. */
export const listStatement = (kind: Kind, where: Where, request: Page.PageRequest, caller: Caller): Statement => {
  const table = kindTable(kind)
  const values: Array<Parameter> = []
  const bind: Bind = (value) => `$${values.push(value)}`
  const selection = selectionOf(table, where, caller, bind)
  const direction = request.order === "asc" ? "asc" : "desc"
  const page = positions(selection, { ...request, limit: request.limit + 1 }, bind)
  const text = `select json_build_object(
    'data', (select json_agg(${recordJson(table, "q")} order by q.created_at ${direction}, q.id ${direction}) from
      ${page} join countersign.${quoted(table.table)} q on q.id = k.id),
    'count', ${countOf(selection, bind)})::text`
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
