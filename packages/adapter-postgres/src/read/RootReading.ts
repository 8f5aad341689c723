/**
 * What depends on each root of wallet keys, for the deployment's operator: one statement over the records of all tenants.
 * Source: D-364.
 */
import type { RootUse } from "@countersign/core/store"
import type { Statement } from "../connection/Connection.ts"

export const rootUses: Statement = {
  text: `select json_build_object('rootId', u.root_id, 'wallets', sum(u.wallets), 'delegatedKeys', sum(u.keys))::text
    from (
      select w.data->>'rootId' root_id, 1 wallets, 0 keys
      from countersign.wallet w join countersign.internal_account a on a.id = w.id where a.data->>'status' <> 'CLOSED'
      union all
      select k.data->>'rootId', 0, 1 from countersign.delegated_key k where k.data->>'status' <> 'REVOKED') u
    group by u.root_id order by u.root_id collate "C"`,
  values: [],
}

interface Row extends Omit<RootUse, "rootId"> {
  readonly rootId: string | null
}

export const rootUsesOf = (rows: ReadonlyArray<string | null>): ReadonlyArray<RootUse> =>
  rows.flatMap((row) => {
    if (row === null) return []
    const { rootId, ...counts } = JSON.parse(row) as Row
    return [{ rootId: rootId ?? undefined, ...counts }]
  })
