/**
 * The unique keys and stored answers that a history's sets are expected to have left.
 * Source: D-518; ports/ChangeSet.ts (ClaimChange, ReplayRecord).
 */
import type { Caller } from "@countersign/core"
import { Placeholders, type StoredAnswer } from "@countersign/core/store"
import { never } from "../Law.ts"
import { type AppliedSet, nameOf } from "./Applied.ts"

/** The records that hold a global key now: one at most, unless a record released the key and claimed it again. */
interface HeldKey {
  readonly key: string
  readonly holder: string | undefined
}

/** The global keys whose holder is certain; `undefined`: the key is free. */
export const heldKeysIn = (applied: ReadonlyArray<AppliedSet>): ReadonlyArray<HeldKey> => {
  const claims = applied.flatMap(({ caller, set }) =>
    [...set.claims, ...set.releases].map(({ key, record, scope }, index) => ({
      key,
      name: scope === "global" ? `global ${key}` : `${caller.platformId} ${key}`,
      isGlobal: scope === "global",
      holder: nameOf(record),
      isRelease: index >= set.claims.length,
    })),
  )
  return [...Map.groupBy(claims, ({ name }) => name)].flatMap(([name, all]) => {
    const claimed = new Set(all.filter(({ isRelease }) => !isRelease).map(({ holder }) => holder))
    const released = new Set(all.filter(({ isRelease }) => isRelease).map(({ holder }) => holder))
    const holders = [...claimed].filter((holder) => !released.has(holder))
    never("a unique key has one holder", holders.length > 1 ? [[name, ...holders]] : [])
    const [first] = all
    const isCertain = ![...claimed].some((holder) => released.has(holder)) || holders.length === 1
    return first?.isGlobal === true && isCertain ? [{ key: first.key, holder: holders[0] }] : []
  })
}

/** An answer and the caller that may look for it: its key is a hash that has the caller. */
interface KeptAnswer {
  readonly key: string
  readonly caller: Caller
  readonly stored: StoredAnswer
}

/** The answers that are stored at this wall time (ms). */
export const answersIn = (applied: ReadonlyArray<AppliedSet>, wallNow: number): ReadonlyArray<KeptAnswer> => {
  const answers = applied.flatMap(({ caller, facts, set: { replay } }) => {
    if (replay === undefined) return []
    const { answer, expiresAt, fingerprint, key, status } = replay
    const stored = { fingerprint, status, answer, facts: Placeholders.factsToStore(answer, facts) }
    return [{ key, caller, expiresAt, stored }]
  })
  const live = answers.filter(({ expiresAt }) => expiresAt > wallNow)
  const byKey = [...Map.groupBy(live, ({ caller, key }) => `${caller.platformId} ${key}`).values()]
  const twice = byKey.filter((all) => all.length > 1).map(([first]) => first?.key)
  never("of the sets with one idempotency key one is applied", twice)
  return byKey.flat()
}
