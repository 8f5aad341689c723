/**
 * The sets of a history that the store says it has applied, each once, and what they are expected to have written.
 * Source: D-518; ports/ChangeSet.ts.
 */
import type { Caller } from "@countersign/core"
import type { AnyStored, ChangeSet, CommitFacts, RecordRef } from "@countersign/core/store"
import { BrokenLaw } from "../Law.ts"
import type { History } from "./History.ts"

/** A set that was applied: the first of those that were sent with its operation id. */
export interface AppliedSet {
  readonly set: ChangeSet
  readonly caller: Caller
  readonly facts: CommitFacts
  readonly begin: number
  readonly end: number
  readonly businessNow: number
}

export const appliedIn = ({ sets }: History): ReadonlyArray<AppliedSet> => {
  const byOperation = new Map<string, AppliedSet>()
  for (const { begin, businessNow, caller, end = Number.POSITIVE_INFINITY, outcome, set } of sets) {
    if (outcome?._tag !== "Committed") continue
    const key = `${caller.platformId} ${set.operationId}`
    const known = byOperation.get(key)
    // A set that was sent twice at once was applied by either call.
    if (known === undefined) byOperation.set(key, { set, caller, facts: outcome.facts, begin, end, businessNow })
    else if (begin < known.end) byOperation.set(key, { ...known, begin: Math.min(begin, known.begin) })
  }
  return [...byOperation.values()]
}

export const nameOf = ({ id, kind }: RecordRef): string => `${kind} ${id}`

/** A version of a record and the set that wrote it. */
export interface WrittenVersion {
  readonly record: AnyStored
  readonly by: AppliedSet
  readonly erasesHistory: boolean
}

type NewVersion = Pick<WrittenVersion, "by" | "erasesHistory"> & Pick<ChangeSet["updates"][number], "data">

/** All versions of all records by name, the first at index 0. */
export const versionsIn = (
  applied: ReadonlyArray<AppliedSet>,
): ReadonlyMap<string, readonly [WrittenVersion, ...ReadonlyArray<WrittenVersion>]> => {
  const updates = new Map<string, Map<number, NewVersion>>()
  for (const by of applied) {
    for (const { data, erasesHistory = false, version, ...ref } of by.set.updates) {
      const name = nameOf(ref)
      const known = updates.get(name) ?? new Map<number, NewVersion>()
      if (known.has(version)) throw new BrokenLaw("of two updates of one version, one is a conflict", name)
      updates.set(name, known.set(version, { by, data, erasesHistory }))
    }
  }
  const all = new Map<string, readonly [WrittenVersion, ...ReadonlyArray<WrittenVersion>]>()
  for (const by of applied) {
    for (const { customerId, data, id, kind, platformId } of by.set.inserts) {
      const name = nameOf({ kind, id })
      if (all.has(name)) throw new BrokenLaw("of two inserts of one record, one is a conflict", name)
      const stamps = { version: 1, createdAt: by.set.at, updatedAt: by.set.at }
      const first: WrittenVersion = {
        record: { kind, id, platformId, customerId, ...stamps, data } as AnyStored,
        by,
        erasesHistory: false,
      }
      const later: Array<WrittenVersion> = []
      const own = updates.get(name)
      for (let version = 1, update = own?.get(1); update !== undefined; version++, update = own?.get(version)) {
        const changed = { version: version + 1, updatedAt: update.by.set.at, data: update.data }
        later.push({ ...update, record: { ...first.record, ...changed } as AnyStored })
      }
      const count = own?.size ?? 0
      if (later.length < count) throw new BrokenLaw("an update of an outdated version is a conflict", name)
      updates.delete(name)
      all.set(name, [first, ...later])
    }
  }
  for (const name of updates.keys())
    throw new BrokenLaw("an update of a record that does not exist is a conflict", name)
  return all
}

export const platformsIn = (applied: ReadonlyArray<AppliedSet>): ReadonlyArray<string> => [
  ...new Set(applied.map(({ caller }) => caller.platformId)),
]
