/**
 * Reads of records as JSON in the port's shape, restricted to the caller's tenant.
 * Source: architecture, "The Store port" (read, history, list).
 */

import type { Caller } from "@countersign/core"
import type { AnyStored, Kind, ReadResult, RecordRef, Stored, StoredAnswer, StoredEvent } from "@countersign/core/store"
import type { Statement } from "../connection/Connection.ts"
import { type KindTable, kindTable, quoted } from "../schema/KindTables.ts"

/** The condition for rows of the caller's tenant; `$1` is the platform, `$2` the agent's customer or null. */
export const ownedByTenant = (alias: string): string =>
  `${alias}.platform_id = $1 and ($2::text is null or ${alias}.customer_id = $2)`

export const tenantOf = (caller: Caller): [string, string | null] => [
  caller.platformId,
  caller._tag === "Agent" ? caller.customerId : null,
]

/** A record as JSON, in the port's shape. */
export const recordJson = ({ kind }: Pick<KindTable, "kind">, alias: string): string =>
  `json_build_object('kind', '${kind}', 'id', ${alias}.id, 'platformId', ${alias}.platform_id, 'customerId', ${alias}.customer_id,
    'version', ${alias}.version, 'createdAt', ${alias}.created_at, 'updatedAt', ${alias}.updated_at, 'data', ${alias}.data)`

const zeroBalance = Object.freeze({ balance: 0, sequence: 0 })

/** `platformId`: of the platform that the read asked for. */
export const readResult = (
  { balances, counters, holder, owners, records, replay }: Found,
  platformId: string | undefined,
): ReadResult => {
  const byName = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]))
  const record = <K extends Kind>(kind: K, id: string) => byName.get(`${kind} ${id}`) as Stored<K> | undefined
  return {
    record,
    owner: ({ id }) => owners.get(id),
    platform: platformId === undefined ? undefined : record("Platform", platformId),
    balance: (account) => balances.get(account) ?? zeroBalance,
    counter: (key) => counters.get(key) ?? 0,
    replay,
    holder,
  }
}

/** Reads the versions of a record of the caller's tenant, oldest first: all, or the latest. */
export const historyStatement = ({ id, kind }: RecordRef, caller: Caller, latest?: number): Statement => {
  const table = kindTable(kind)
  return {
    text: `with present as (select c.* from countersign.${quoted(table.table)} c where ${ownedByTenant("c")} and c.id = $3)
      select ${recordJson(table, "q")}::text from (
        select id, platform_id, customer_id, version, created_at, updated_at, data from present
        union all
        select h.id, h.platform_id, h.customer_id, h.version, h.created_at, h.updated_at, h.data from countersign.record_history h
          where h.owner_id = (select p.owner_id from present p) and h.kind = '${kind}' and h.id = $3
        order by version desc limit $4::int
      ) q order by q.version`,
    // Without a limit all are read.
    values: [...tenantOf(caller), id, latest ?? null],
  }
}

/** The name of the record that holds a unique key. */
export interface KeyHolder extends RecordRef {
  readonly platformId: string
}

/** What one read found. */
export interface Found {
  readonly records: Array<AnyStored>
  /** By the id of the account. */
  readonly owners: Map<string, Stored<"Customer">>
  readonly balances: Map<string, { readonly balance: number; readonly sequence: number }>
  readonly counters: Map<string, number>
  replay: StoredAnswer | undefined
  holder: AnyStored | undefined
  keyHolder: KeyHolder | undefined
  event: StoredEvent | undefined
  /** The offset of business time from wall time in milliseconds. */
  readonly ahead: number
}
