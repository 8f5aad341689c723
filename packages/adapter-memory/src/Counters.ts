/**
 * Counters of a platform, changed by bounded deltas.
 * Source: architecture, "The Store port" (Counters).
 */
import type { Caller } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { type ChangeSet, limitPrefix, limitRetentionMillis, liveLimitsFrom } from "@countersign/core/store"
import { Result } from "effect"
import { type Applied, conflict, key as keyOf, mistake } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

/** By platform and key. */
export type Counters = SortedMap.SortedMap<string, number>

export const empty: Counters = SortedMap.empty(SortedMap.natural)

/** The value of one of the caller's counters; 0 for a counter that was never changed. */
export const counterOf = (counters: Counters, caller: Caller, key: string): number =>
  SortedMap.get(counters, keyOf(caller.platformId, key)) ?? 0

/** Deletes the first counters of the caller's use limits if their windows have ended: as many as a change set may add. */
const withoutEnded = (counters: Counters, set: ChangeSet, caller: Caller): Counters => {
  const from = keyOf(caller.platformId, limitPrefix)
  const live = keyOf(caller.platformId, liveLimitsFrom(set.at - limitRetentionMillis))
  let next = counters
  for (const { key } of set.counters) {
    const [ended] = key.startsWith(limitPrefix) ? (SortedMap.firstFrom(next, from) ?? []) : []
    if (ended !== undefined && ended < live) next = SortedMap.remove(next, ended)
  }
  return next
}

/**
 * Adds the deltas one after another, so that several of one key accumulate. A maximum is tested for positive deltas only.
 * Returning more than was taken is a bug of the decision: clamping the value at zero would hide it.
 */
export const apply = (counters: Counters, set: ChangeSet, caller: Caller): Applied<Counters> => {
  for (const { expected, key } of set.counters) {
    if (expected !== undefined && counterOf(counters, caller, key) !== expected) return conflict(`counter ${key}`)
  }
  let next = withoutEnded(counters, set, caller)
  for (const { delta, key, max } of set.counters) {
    const value = counterOf(next, caller, key) + delta
    if (value > amountMax || (delta > 0 && max !== undefined && value > max)) {
      return Result.fail({ _tag: "BoundViolated", bound: { _tag: "Counter", key } })
    }
    if (value < 0) mistake(`counter ${key} gives back more than was taken`)
    next = SortedMap.set(next, keyOf(caller.platformId, key), value)
  }
  return Result.succeed(next)
}
