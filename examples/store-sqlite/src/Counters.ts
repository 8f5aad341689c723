/** Counters of a platform, changed by bounded deltas. */
import type { Caller } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { type ChangeSet, limitPrefix, limitRetentionMillis, liveLimitsFrom } from "@countersign/core/store"
import type { Database } from "./Database.ts"
import { conflict, Refusal } from "./Refusal.ts"

export const counterOf = (db: Database, { platformId }: Caller, key: string): number =>
  db.get<{ readonly value: number }>("select value from counter where platformId = $platformId and key = $key", {
    platformId,
    key,
  })?.value ?? 0

/** Checks expected values against the state before the set, then adds one delta after another. */
export const write = (db: Database, set: ChangeSet, caller: Caller): void => {
  const { platformId } = caller
  for (const { expected, key } of set.counters) {
    if (expected !== undefined && counterOf(db, caller, key) !== expected) conflict(`counter ${key}`)
  }
  for (const { delta, key, max } of set.counters) {
    const value = counterOf(db, caller, key) + delta
    if (value > amountMax || (delta > 0 && max !== undefined && value > max))
      throw new Refusal({ _tag: "BoundViolated", bound: { _tag: "Counter", key } })
    if (value < 0) throw new Error(`counter ${key} gives back more than was taken`)
    db.run(
      "insert into counter values ($platformId, $key, $value) on conflict (platformId, key) do update set value = $value",
      { platformId, key, value },
    )
  }
}

/** Deletes counters of use limits whose windows have ended: twice as many as the set may have added. */
export const sweep = (db: Database, set: ChangeSet, { platformId }: Caller): void => {
  const limits = set.counters.filter(({ key }) => key.startsWith(limitPrefix)).length
  if (limits === 0) return
  db.run(
    `delete from counter where platformId = $platformId and key in (
       select key from counter where platformId = $platformId and key >= $from and key < $live order by key limit $count)`,
    { platformId, from: limitPrefix, live: liveLimitsFrom(set.at - limitRetentionMillis), count: 2 * limits },
  )
}
