/**
 * Unique keys and the records that hold them.
 * Source: architecture, "A change set is the only way to write" (claims).
 */
import type { Caller } from "@countersign/core"
import type { ChangeSet, Claim, Owner, RecordRef } from "@countersign/core/store"
import { Result } from "effect"
import { frozen } from "./Frozen.ts"
import * as Records from "./Records.ts"
import { type Applied, conflict, key } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

/** The record that holds a key, with its owner. */
export type Holder = RecordRef & Owner

export type Claims = SortedMap.SortedMap<string, Holder>

export const empty: Claims = SortedMap.empty(SortedMap.natural)

const nameOf = (claim: Claim, platformId: string): string =>
  claim.scope === "global" ? key(claim.key) : key(claim.key, platformId)

const isHeldBy = (holder: Holder | undefined, record: RecordRef): boolean =>
  holder !== undefined && holder.kind === record.kind && holder.id === record.id

/** The holder of a global key. */
export const holderOf = (claims: Claims, claim: Claim): Holder | undefined =>
  claim.scope === "global" ? SortedMap.get(claims, nameOf(claim, "")) : undefined

/**
 * Applies the releases, then the claims, so that a key that one record of the set releases can be claimed by another.
 * `records` includes the set's own inserts.
 */
export const apply = (claims: Claims, records: Records.Records, set: ChangeSet, caller: Caller): Applied<Claims> => {
  let next = claims
  for (const release of set.releases) {
    const name = nameOf(release, caller.platformId)
    const owner = Records.find(records, caller, release.record)
    if (owner === undefined || !isHeldBy(SortedMap.get(next, name), release.record)) {
      return conflict(`${release.record.kind} ${release.record.id}`)
    }
    next = SortedMap.remove(next, name)
  }
  for (const { key, record, scope } of set.claims) {
    const owner = Records.find(records, caller, record)
    if (owner === undefined) return conflict(`${record.kind} ${record.id}`)
    const name = nameOf({ scope, key }, caller.platformId)
    const holder = SortedMap.get(next, name)
    if (holder !== undefined && !isHeldBy(holder, record)) {
      return Result.fail({ _tag: "Taken", claim: { scope, key } })
    }
    const { customerId, platformId } = owner
    next = SortedMap.set(next, name, frozen({ kind: record.kind, id: record.id, platformId, customerId }))
  }
  return Result.succeed(next)
}
