/** Pages of records by the fields that `Kinds` declares. */
import type { Caller } from "@countersign/core"
import {
  type Condition,
  type FieldValue,
  type Kind,
  listFieldsOf,
  Page,
  type Stored,
  type Where,
} from "@countersign/core/store"
import type { Database, Values } from "./Database.ts"
import { columns, type RecordRow, recordOf } from "./Records.ts"

/** The columns that every kind has. All other fields are JSON texts: `fields -> '$.name'`. */
const common: { readonly [field: string]: "string" | "number" } = {
  customerId: "string",
  createdAt: "number",
  updatedAt: "number",
}

type Bind = (value: string | number | null) => string

const onColumn = (name: string, type: "string" | "number", condition: Condition, bind: Bind): string => {
  if ("has" in condition) return "false"
  if ("eq" in condition || "in" in condition) {
    const values = "eq" in condition ? [condition.eq] : condition.in
    const fits = (value: FieldValue) => value === null || typeof value === type
    const tests = values.filter(fits).map((value) => `${name} is ${bind(typeof value === "boolean" ? null : value)}`)
    return tests.length === 0 ? "false" : `(${tests.join(" or ")})`
  }
  if (type === "string") return "false"
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = condition
  return `${name} between ${bind(from)} and ${bind(to)}`
}

const onField = (name: string, condition: Condition, bind: Bind): string => {
  const text = `fields -> '$.${name}'`
  if ("has" in condition) {
    const members = `json_each(fields, '$.${name}') member`
    const isMember = `json_quote(member.value) = ${bind(JSON.stringify(condition.has))}`
    return `json_type(fields, '$.${name}') = 'array' and exists (select 1 from ${members} where ${isMember})`
  }
  if ("eq" in condition) return `${text} = ${bind(JSON.stringify(condition.eq))}`
  if ("in" in condition) return `${text} in (${condition.in.map((value) => bind(JSON.stringify(value)))})`
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = condition
  return `json_type(fields, '$.${name}') in ('integer', 'real') and fields ->> '$.${name}' between ${bind(from)} and ${bind(to)}`
}

/** Returns the condition of an order: what follows `after`. */
const following = ({ after, order }: Page.PageRequest, bind: Bind): string =>
  after === undefined
    ? "true"
    : `(createdAt, id) ${order === "asc" ? ">" : "<"} (${bind(after.createdAt)}, ${bind(after.id)})`

/** Collects the parameters of a statement under names of their own. */
const binder = (): { readonly bind: Bind; readonly values: () => Values } => {
  const values: Record<string, string | number | null> = {}
  const bind: Bind = (value) => {
    const name = `p${Object.keys(values).length}`
    values[name] = value
    return `$${name}`
  }
  return { bind, values: () => values }
}

interface Selection {
  readonly table: string
  readonly columns: string
  readonly where: (bind: Bind) => string
  readonly request: Page.PageRequest
}

/** Returns a page of the rows of a table and counts all that match, as far as a total count goes. */
export const pageOf = <Row>(db: Database, { columns, request, table, where }: Selection) => {
  const counted = binder()
  const [count] = db.all<{ readonly n: number }>(
    `select count(*) as n from (select 1 from ${table} where ${where(counted.bind)} limit ${Page.totalCountMax + 1})`,
    counted.values(),
  )
  const { bind, values } = binder()
  const { limit, order } = request
  const rows = db.all<Row>(
    `select ${columns} from ${table} where ${where(bind)} and ${following(request, bind)}
     order by createdAt ${order}, id ${order} limit ${bind(limit + 1)}`,
    values(),
  )
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, ...Page.totalCountOf(count?.n ?? 0) }
}

/** Throws if `where` names a field that `Kinds` does not declare for the kind. */
export const list = <K extends Kind>(
  db: Database,
  caller: Caller,
  kind: K,
  where: Where,
  request: Page.PageRequest,
): Omit<Page.Page<Stored<K>>, "nextCursor"> => {
  const declared = listFieldsOf(kind)
  const test = (name: string, condition: Condition, bind: Bind): string => {
    const type = Object.hasOwn(common, name) ? common[name] : undefined
    if (type !== undefined) return onColumn(name, type, condition, bind)
    if (!Object.hasOwn(declared, name))
      throw new Error(`${kind} cannot be listed by ${name}: Kinds declares no such field`)
    return onField(name, condition, bind)
  }
  const { rows, ...page } = pageOf<RecordRow>(db, {
    table: "record",
    columns,
    request,
    where: (bind) =>
      [
        `kind = '${kind}' and platformId = ${bind(caller.platformId)}`,
        ...(caller._tag === "Agent" ? [`customerId = ${bind(caller.customerId)}`] : []),
        ...Object.entries(where).map(([name, condition]) => test(name, condition, bind)),
      ].join(" and "),
  })
  return { ...page, data: rows.map((row) => recordOf<K>(row)) }
}
