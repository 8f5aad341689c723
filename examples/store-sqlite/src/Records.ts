/** Records with their earlier versions: guards, inserts, updates, and reads by id. */
import type { Caller } from "@countersign/core"
import {
  type AnyStored,
  type ChangeSet,
  type Kind,
  listFieldsOf,
  type RecordRef,
  type RootUse,
  type Stored,
  sees,
} from "@countersign/core/store"
import type { Database } from "./Database.ts"
import { conflict } from "./Refusal.ts"
import { Schema } from "./Schema.ts"

export interface RecordRow extends Omit<AnyStored, "data"> {
  readonly data: string
}

export const columns = "kind, id, platformId, customerId, version, createdAt, updatedAt, data"

export const recordOf = <K extends Kind>(row: RecordRow): Stored<K> =>
  ({ ...row, data: JSON.parse(row.data) }) as Stored<K>

const anyOf = (row: RecordRow): AnyStored => ({ ...row, data: JSON.parse(row.data) }) as AnyStored

/** The values by which a record is listed, as JSON. */
const fieldTexts = (kind: Kind, data: unknown): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(listFieldsOf(kind)).map(([name, read]) => [name, read(data) ?? null])),
  )

/** A record of any tenant. */
export const current = (db: Database, { id, kind }: RecordRef): AnyStored | undefined => {
  const row = db.get<RecordRow>(`select ${columns} from record where kind = $kind and id = $id`, { kind, id })
  return row && anyOf(row)
}

/** A record of the caller's tenant. */
export const find = <K extends Kind>(db: Database, caller: Caller, ref: RecordRef<K>): Stored<K> | undefined => {
  const record = current(db, ref)
  return record !== undefined && sees(caller, record) ? (record as Stored<K>) : undefined
}

/** The versions of a record since its history was last erased, oldest first: all, or the latest. */
export const history = (db: Database, caller: Caller, ref: RecordRef, latest = -1): ReadonlyArray<AnyStored> => {
  const { id, kind } = ref
  if (find(db, caller, ref) === undefined) return []
  const rows = db.all<RecordRow>(
    `select ${columns} from record where kind = $kind and id = $id
     union all select r.kind, r.id, r.platformId, r.customerId, v.version, r.createdAt, v.updatedAt, v.data
       from earlierVersion v join record r using (kind, id) where v.kind = $kind and v.id = $id
     order by version desc limit $latest`,
    { kind, id, latest },
  )
  return rows.map(anyOf).reverse()
}

/** Checks guards against the state before the set; then inserts and updates. */
export const write = (db: Database, set: ChangeSet, caller: Caller): void => {
  for (const guard of set.guards) {
    if (find(db, caller, guard)?.version !== guard.version) conflict(`${guard.kind} ${guard.id}`)
  }
  for (const { data, ...insert } of set.inserts) {
    if (current(db, insert) !== undefined) conflict(`${insert.kind} ${insert.id}`)
    const { customerId, id, kind, platformId } = insert
    const stamp = { version: 1, createdAt: set.at, updatedAt: set.at }
    const texts = { data: JSON.stringify(data), fields: fieldTexts(kind, data) }
    db.insert("record", { kind, id, platformId, customerId, ...stamp, ...texts })
  }
  for (const { data, erasesHistory, id, kind, version } of set.updates) {
    if (find(db, caller, { kind, id })?.version !== version) conflict(`${kind} ${id}`)
    db.run(
      erasesHistory === true
        ? "delete from earlierVersion where kind = $kind and id = $id"
        : "insert into earlierVersion select kind, id, version, updatedAt, data from record where kind = $kind and id = $id",
      { kind, id },
    )
    db.run(
      `update record set version = version + 1, updatedAt = $at, data = $data, fields = $fields where kind = $kind and id = $id`,
      { kind, id, at: set.at, data: JSON.stringify(data), fields: fieldTexts(kind, data) },
    )
  }
}

/** What depends on each root of wallet keys. Source: `rootUses` of the port. */
export const rootUses = (db: Database): ReadonlyArray<RootUse> =>
  db
    .all<Omit<RootUse, "rootId"> & { readonly rootId: string | null }>(
      `select rootId, sum(wallet) as wallets, sum(1 - wallet) as delegatedKeys from (
         select w.data ->> '$.rootId' as rootId, 1 as wallet from record w join record a on a.kind = 'InternalAccount' and a.id = w.id
           where w.kind = 'Wallet' and a.data ->> '$.status' <> 'CLOSED'
         union all select data ->> '$.rootId', 0 from record where kind = 'DelegatedKey' and data ->> '$.status' <> 'REVOKED')
       group by rootId order by rootId nulls last`,
    )
    .map(({ rootId, ...use }) => ({ ...use, rootId: rootId ?? undefined }))

export const count = (db: Database, kind: Kind): number =>
  db.get<{ readonly n: number }>("select count(*) as n from record where kind = $kind", { kind })?.n ?? 0

/** Derives the list fields of all records again if a release of the core has declared others. */
export const deriveFields = (db: Database): void => {
  const { listFields } = Schema
  if (db.get("select 1 as found from state where listFields = $listFields", { listFields }) !== undefined) return
  db.transaction(() => {
    for (const { id, kind } of db.all<RecordRef>("select kind, id from record")) {
      const fields = fieldTexts(kind, current(db, { kind, id })?.data)
      db.run("update record set fields = $fields where kind = $kind and id = $id", { kind, id, fields })
    }
    db.run("update state set listFields = $listFields", { listFields })
  })
}
