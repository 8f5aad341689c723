/**
 * What one trip reads: records of several kinds, balances, counters and a stored answer, as one JSON text.
 * Source: architecture, "The Store port" (read, history, list).
 */
import type { AnyStored, Caller, Kind, ReadQuery, ReadResult, RecordRef, Stored, StoredAnswer } from "@countersign/core"
import { aheadText } from "./BusinessTime.ts"
import type { Parameter, Statement } from "./connection/Connection.ts"
import type { PointStatement } from "./GroupReads.ts"
import { type KindTable, kindTable, kindTables, quoted } from "./schema/KindTables.ts"

/** Only what the caller's tenant owns; `$1` is the platform, `$2` the agent's customer or null. */
export const seen = (alias: string): string =>
  `${alias}.platform_id = $1 and ($2::text is null or ${alias}.customer_id = $2)`

export const tenantOf = (caller: Caller): [string, string | null] => [
  caller.platformId,
  caller._tag === "Agent" ? caller.customerId : null,
]

/** A record as JSON, in the port's shape. */
export const recordJson = ({ kind }: Pick<KindTable, "kind">, alias: string): string =>
  `json_build_object('kind', '${kind}', 'id', ${alias}.id, 'platformId', ${alias}.platform_id, 'customerId', ${alias}.customer_id,
    'version', ${alias}.version, 'createdAt', ${alias}.created_at, 'updatedAt', ${alias}.updated_at, 'data', ${alias}.data)`

/**
 * Up to so many values each have a parameter of their own: of a list the planner does not know how long it is, finds a plan for the
 * very list cheaper each time, and plans the statement again at each call.
 */
const scalarsMax = 4

interface Among {
  readonly condition: () => string
  /** What tells the text of this condition from that of another number of values. */
  readonly mark: string
}

const among = (values: ReadonlyArray<string>, next: (value: Parameter) => number): Among => {
  if (values.length > scalarsMax) {
    const place = next(values)
    return { condition: () => `= any ($${place}::text[])`, mark: "xn" }
  }
  const places = values.map(next)
  return {
    condition: () => `in (${places.map((place) => `$${place}::text`).join(", ")})`,
    mark: values.length === 1 ? "" : `x${values.length}`,
  }
}

const recordsOf = (kind: Kind, { condition }: Among): string => {
  const table = kindTable(kind)
  return `select ${recordJson(table, "c")} v from ${`countersign.${quoted(table.table)}`} c where ${seen("c")} and c.id ${condition()}`
}

/** The record that holds the global key `$1`, and how far business time is ahead. */
export const holderText = `select json_build_object('ahead', ${aheadText}, 'record', (select case k.kind ${kindTables
  .map(
    (table) =>
      `when '${table.kind}' then (select ${recordJson(table, "c")} from countersign.${quoted(table.table)} c
        where c.platform_id = k.platform_id and c.id = k.id)`,
  )
  .join(" ")} end
  from countersign.unique_key k where k.key = $1 and k.scope = ''))::text`

/** Texts by the name of their statement, which says all that they are made of: as many as there are ways to read. */
const texts = new Map<string, string>()

const textOf = (name: string, make: () => string): string => {
  const known = texts.get(name)
  if (known !== undefined) return known
  const made = make()
  texts.set(name, made)
  return made
}

/** The statement of a query. The same parts make the same text, so that it is prepared once. */
export const readStatement = (query: ReadQuery, caller: Caller, wallNow: number): Statement => {
  const values: Array<Parameter> = tenantOf(caller)
  /** Made only where the text is not known yet. */
  const parts: Array<() => string> = []
  let name = "countersign_read"
  const next = (value: Parameter): number => values.push(value)

  const byKind = new Map<Kind, Set<string>>()
  for (const { id, kind } of query.records ?? []) byKind.set(kind, (byKind.get(kind) ?? new Set()).add(id))
  const kinds = [...byKind].sort(([a], [b]) => kindTable(a).number - kindTable(b).number)
  if (kinds.length > 0) {
    const wanted = kinds.map(([kind, ids]) => ({ kind, ids: among([...ids], next) }))
    parts.push(() => {
      const selects = wanted.map(({ ids, kind }) => recordsOf(kind, ids))
      return `'records', (select json_agg(q.v) from (${selects.join(" union all ")}) q)`
    })
    name += wanted.map(({ ids, kind }) => `_${kindTable(kind).number}${ids.mark}`).join("")
  }
  if (query.balances !== undefined && query.balances.length > 0) {
    const { condition, mark } = among(query.balances, next)
    parts.push(
      () => `'balances', (select json_agg(json_build_array(a.id, a.balance, a.sequence))
      from countersign.ledger_account a where ${seen("a")} and a.id ${condition()})`,
    )
    name += `_b${mark}`
  }
  if (query.counters !== undefined && query.counters.length > 0) {
    const { condition, mark } = among(query.counters, next)
    parts.push(
      () => `'counters', (select json_agg(json_build_array(c.key, c.value)) from countersign.counter c
      where c.platform_id = $1 and c.key ${condition()})`,
    )
    name += `_c${mark}`
  }
  if (query.replay !== undefined) {
    const [key, at] = [next(query.replay), next(wallNow)]
    parts.push(
      () => `'replay', (select json_build_object('fingerprint', y.fingerprint, 'status', y.status, 'answer', y.answer, 'facts', y.facts)
      from countersign.replay y where y.platform_id = $1 and y.key = $${key} and $${at}::bigint < y.expires_at)`,
    )
    name += "_y"
  }
  // Both tenant parameters stand in every text, so that their types are known.
  const make = () =>
    `select json_build_object(${["'tenant', $1::text || coalesce($2::text, '')", ...parts.map((part) => part())].join(", ")})::text`
  return name.length < 60 ? { name, text: textOf(name, make), values } : { text: make(), values }
}

/** Whether many of its kind can go in one trip. */
export const isPoint = (statement: Statement): statement is PointStatement =>
  statement.name !== undefined && !statement.values.some((value) => Array.isArray(value))

interface Found {
  readonly records?: ReadonlyArray<AnyStored> | null
  /** Lists: each new name of an object's member would be one more shape of it, which the runtime keeps. */
  readonly balances?: ReadonlyArray<readonly [account: string, balance: number, sequence: number]> | null
  readonly counters?: ReadonlyArray<readonly [key: string, value: number]> | null
  readonly replay?: StoredAnswer | null
}

const untouched = Object.freeze({ balance: 0, sequence: 0 })

export const readResult = (answer: string | null | undefined): ReadResult => {
  const found = JSON.parse(answer ?? "{}") as Found
  const records = new Map((found.records ?? []).map((record) => [`${record.kind} ${record.id}`, record]))
  const balances = new Map((found.balances ?? []).map(([id, balance, sequence]) => [id, { balance, sequence }]))
  const counters = new Map(found.counters ?? [])
  return {
    record: <K extends Kind>(kind: K, id: string) => records.get(`${kind} ${id}`) as Stored<K> | undefined,
    balance: (account) => balances.get(account) ?? untouched,
    counter: (key) => counters.get(key) ?? 0,
    replay: found.replay ?? undefined,
  }
}

/** All versions of a record that the caller may see, oldest first. */
export const historyStatement = ({ id, kind }: RecordRef, caller: Caller): Statement => {
  const table = kindTable(kind)
  return {
    text: `with present as (select c.* from countersign.${quoted(table.table)} c where ${seen("c")} and c.id = $3)
      select ${recordJson(table, "q")}::text from (
        select id, platform_id, customer_id, version, created_at, updated_at, data from present
        union all
        select h.id, h.platform_id, h.customer_id, h.version, h.created_at, h.updated_at, h.data from countersign.record_history h
          where h.owner_id = (select p.owner_id from present p) and h.kind = '${kind}' and h.id = $3
      ) q order by q.version`,
    values: [...tenantOf(caller), id],
  }
}
