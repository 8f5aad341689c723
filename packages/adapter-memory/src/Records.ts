/**
 * Records with their versions, in the order of their lists.
 * Source: architecture, "The Store port" (read, list, history); wire contract 0.3 (order of lists).
 */
import type { Caller } from "@countersign/core"
import {
  type AnyStored,
  type ChangeSet,
  type Condition,
  type FieldValue,
  type Kind,
  type ListedValue,
  listFieldsOf,
  Page,
  type RecordRef,
  type RootUse,
  type Stored,
  sees,
  type Where,
} from "@countersign/core/store"
import { Result } from "effect"
import { frozen } from "./Frozen.ts"
import { type Applied, conflict, key } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

/** The present version of a record, linked to its earlier versions. */
interface Versions {
  readonly record: AnyStored
  readonly previous: Versions | undefined
}

type List = SortedMap.SortedMap<Page.Position, AnyStored>

export interface Records {
  readonly byId: SortedMap.SortedMap<string, Versions>
  /** One list per platform and kind, and one per platform, kind and customer. */
  readonly lists: SortedMap.SortedMap<string, List>
}

const ascending = Page.compare("asc")

export const empty: Records = {
  byId: SortedMap.empty(SortedMap.natural),
  lists: SortedMap.empty(SortedMap.natural),
}

const nameOf = (ref: RecordRef): string => `${ref.kind} ${ref.id}`

/** The present version of a record of any tenant. */
export const current = (records: Records, ref: RecordRef): AnyStored | undefined =>
  SortedMap.get(records.byId, nameOf(ref))?.record

/** Narrows a record that was found under its kind. */
const ofKind = <K extends Kind>(record: AnyStored): Stored<K> => record as Stored<K>

/** Visits the records of a kind, of all tenants. */
const visit = <K extends Kind>(records: Records, kind: K, each: (record: Stored<K>) => void): void => {
  SortedMap.walk(records.byId, { order: "asc", after: `${kind} ` }, ({ record }) => {
    if (record.kind !== kind) return false
    each(ofKind<K>(record))
    return true
  })
}

/** The number of records of a kind, of all tenants. */
export const countOf = (records: Records, kind: Kind): number => {
  let found = 0
  visit(records, kind, () => {
    found += 1
  })
  return found
}

/** What depends on each root of wallet keys, of all tenants, in the order of their ids. */
export const rootUses = (records: Records): ReadonlyArray<RootUse> => {
  const uses = new Map<string | undefined, RootUse>()
  const add = (rootId: string | undefined, wallets: number, delegatedKeys: number) => {
    const before = uses.get(rootId) ?? { rootId, wallets: 0, delegatedKeys: 0 }
    uses.set(rootId, {
      rootId,
      wallets: before.wallets + wallets,
      delegatedKeys: before.delegatedKeys + delegatedKeys,
    })
  }
  visit(records, "Wallet", ({ data, id }) => {
    const account = current(records, { kind: "InternalAccount", id })
    if (account?.kind === "InternalAccount" && account.data.status !== "CLOSED") add(data.rootId, 1, 0)
  })
  visit(records, "DelegatedKey", ({ data }) => {
    if (data.status !== "REVOKED") add(data.rootId, 0, 1)
  })
  const ids = [...uses.keys()].toSorted()
  return ids.flatMap((rootId) => uses.get(rootId) ?? [])
}

/** The present version of a record of the caller's tenant. */
export const find = (records: Records, caller: Caller, ref: RecordRef): AnyStored | undefined => {
  const record = current(records, ref)
  return record !== undefined && sees(caller, record) ? record : undefined
}

/** The present version of a record of a kind. */
export const findOfKind = <K extends Kind>(
  records: Records,
  caller: Caller,
  kind: K,
  id: string,
): Stored<K> | undefined => {
  const record = find(records, caller, { kind, id })
  return record === undefined ? undefined : ofKind<K>(record)
}

const oldestFirst = (versions: Versions | undefined, latest = Number.POSITIVE_INFINITY): ReadonlyArray<AnyStored> => {
  const all: Array<AnyStored> = []
  for (let at = versions; at !== undefined && all.length < latest; at = at.previous) all.push(at.record)
  return all.reverse()
}

/** The versions of a record of the caller's tenant, oldest first: all, or the latest. */
export const history = (records: Records, caller: Caller, ref: RecordRef, latest?: number): ReadonlyArray<AnyStored> =>
  find(records, caller, ref) === undefined ? [] : oldestFirst(SortedMap.get(records.byId, nameOf(ref)), latest)

/** All versions of all records. */
export const dump = (records: Records): ReadonlyArray<ReadonlyArray<AnyStored>> =>
  SortedMap.values(records.byId).map((versions) => oldestFirst(versions))

/** Stores the next version of a record and updates its lists. With `erasesHistory` it replaces all earlier versions. */
export const put = (records: Records, next: AnyStored, erasesHistory = false): Records => {
  const name = nameOf(next)
  const previous = erasesHistory ? undefined : SortedMap.get(records.byId, name)
  const { createdAt, customerId, id, kind, platformId } = next
  const lists = [key(platformId, kind), ...(customerId === null ? [] : [key(platformId, kind, customerId)])]
  return {
    byId: SortedMap.set(records.byId, name, { record: next, previous }),
    lists: lists.reduce((all, list) => {
      const old = SortedMap.get(all, list) ?? SortedMap.empty<Page.Position, AnyStored>(ascending)
      return SortedMap.set(all, list, SortedMap.set(old, { createdAt, id }, next))
    }, records.lists),
  }
}

/** Applies the inserts and updates of a change set and checks its guards. */
export const apply = (records: Records, set: ChangeSet, caller: Caller): Applied<Records> => {
  let next = records
  for (const { customerId, data, id, kind, platformId } of set.inserts) {
    const name = nameOf({ kind, id })
    if (SortedMap.get(records.byId, name) !== undefined) return conflict(name)
    const stamp = { version: 1, createdAt: set.at, updatedAt: set.at }
    next = put(next, frozen({ kind, id, platformId, customerId, ...stamp, data } as AnyStored))
  }
  for (const { data, erasesHistory, version, ...ref } of set.updates) {
    const present = find(records, caller, ref)
    if (present?.version !== version) return conflict(nameOf(ref))
    next = put(next, frozen({ ...present, version: version + 1, updatedAt: set.at, data } as AnyStored), erasesHistory)
  }
  for (const guard of set.guards) {
    if (find(records, caller, guard)?.version !== guard.version) return conflict(nameOf(guard))
  }
  return Result.succeed(next)
}

const isList = (value: ListedValue): value is ReadonlyArray<FieldValue> => Array.isArray(value)

const matches = (value: ListedValue, condition: Condition): boolean => {
  if (isList(value)) return "has" in condition && value.includes(condition.has)
  if ("has" in condition) return false
  if ("eq" in condition) return value === condition.eq
  if ("in" in condition) return condition.in.includes(value)
  if (typeof value !== "number") return false
  return (
    (condition.from === undefined || value >= condition.from) && (condition.to === undefined || value <= condition.to)
  )
}

type FieldOf = (record: AnyStored) => ListedValue

/** Returns how a field of a kind is read; throws for a field that Kinds does not declare. */
const fieldOf = (kind: Kind, name: string): FieldOf => {
  if (name === "customerId" || name === "createdAt" || name === "updatedAt") return (record) => record[name]
  const fields = listFieldsOf(kind)
  const read = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (read === undefined) throw new Error(`${kind} cannot be listed by ${name}: Kinds declares no such field`)
  return (record) => read(record.data)
}

/** The smallest list that contains all records that match the caller's tenant and the filter. */
const listFor = (records: Records, caller: Caller, kind: Kind, where: Where): List | undefined => {
  const condition = where["customerId"]
  const filtered =
    condition !== undefined && "eq" in condition && typeof condition.eq === "string" ? condition.eq : undefined
  const customerId = caller._tag === "Agent" ? caller.customerId : filtered
  const name = customerId === undefined ? key(caller.platformId, kind) : key(caller.platformId, kind, customerId)
  return SortedMap.get(records.lists, name)
}

/** A page of a kind's records in the requested order; `totalCount` counts all pages, up to `totalCountMax`. */
export const page = <K extends Kind>(
  records: Records,
  caller: Caller,
  kind: K,
  where: Where,
  request: Page.PageRequest,
): Omit<Page.Page<Stored<K>>, "nextCursor"> => {
  const { after, limit, order } = request
  const tests = Object.entries(where).map(([name, condition]) => [fieldOf(kind, name), condition] as const)
  const isMatch = (record: AnyStored) => tests.every(([field, condition]) => matches(field(record), condition))
  const list = listFor(records, caller, kind, where)
  if (list === undefined) return { data: [], hasMore: false, totalCount: 0 }
  const found: Array<Stored<K>> = []
  SortedMap.walk(list, { order, after }, (record) => {
    if (isMatch(record)) found.push(ofKind<K>(record))
    return found.length <= limit
  })
  let count = SortedMap.size(list)
  if (tests.length > 0) {
    count = 0
    SortedMap.walk(list, { order }, (record) => {
      if (isMatch(record)) count += 1
      return count <= Page.totalCountMax
    })
  }
  return { data: found.slice(0, limit), hasMore: found.length > limit, ...Page.totalCountOf(count) }
}
