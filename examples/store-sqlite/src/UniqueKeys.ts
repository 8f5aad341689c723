/** Unique keys and the records that hold them. Releases come first: a set may pass a key from one record to another. */
import type { Caller } from "@countersign/core"
import type { AnyStored, ChangeSet, Claim, RecordRef } from "@countersign/core/store"
import type { Database } from "./Database.ts"
import * as Records from "./Records.ts"
import { conflict, Refusal } from "./Refusal.ts"

const holderOf = (db: Database, scope: string, key: string): RecordRef | undefined =>
  db.get<RecordRef>("select kind, id from uniqueKey where scope = $scope and key = $key", { scope, key })

/** The record that holds a global key, of any tenant. */
export const resolve = (db: Database, { key, scope }: Claim): AnyStored | undefined => {
  const holder = scope === "global" ? holderOf(db, "", key) : undefined
  return holder === undefined ? undefined : Records.current(db, holder)
}

export const write = (db: Database, set: ChangeSet, caller: Caller): void => {
  const scopeOf = ({ scope }: Claim) => (scope === "global" ? "" : caller.platformId)
  for (const release of set.releases) {
    const { key, record } = release
    const scope = scopeOf(release)
    const holder = holderOf(db, scope, key)
    const isHolder = holder?.kind === record.kind && holder.id === record.id
    if (!isHolder || Records.find(db, caller, record) === undefined) conflict(`${record.kind} ${record.id}`)
    db.run("delete from uniqueKey where scope = $scope and key = $key", { scope, key })
  }
  for (const claim of set.claims) {
    const { key, record, scope: claimed } = claim
    const scope = scopeOf(claim)
    if (Records.find(db, caller, record) === undefined) conflict(`${record.kind} ${record.id}`)
    const holder = holderOf(db, scope, key)
    if (holder === undefined) db.insert("uniqueKey", { scope, key, kind: record.kind, id: record.id })
    else if (holder.kind !== record.kind || holder.id !== record.id)
      throw new Refusal({ _tag: "Taken", claim: { scope: claimed, key } })
  }
}
