/**
 * The change sets that wait for a lock that another session holds. They wait here and not in the database: no lane, no connection and no lock of
 * their own is held meanwhile, so a locked row blocks those sets only that need it. Later sets of this process that need it wait behind
 * them. One trip per interval looks whether the locks are free; then the sets are sent again, in their order.
 * Source: D-318, D-319.
 */
import { StoreUnavailable } from "@countersign/core/store"
import { type LockName, lockNamesOf } from "./LockNames.ts"
import type { PendingCommit, Result } from "./PendingCommit.ts"

/** How many sets may wait, of one platform and in all. Further ones are answered that the store is unavailable. */
const waitingPerPlatformMax = 256
const waitingMax = 2048

/** A lock was not free within the wait for locks. Nothing was applied. */
class LockBusy extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = "LockBusy"
  }
}

const busy = (reason: string): Result => ({
  _tag: "Unavailable",
  error: new StoreUnavailable({ unknown: false, cause: new LockBusy(reason) }),
})

/** The locks that are not free, each with what changes when another transaction takes it; `undefined`: it could not be found out. */
export type FindLocked = (names: ReadonlyArray<LockName>) => Promise<ReadonlyMap<LockName, string> | undefined>

export interface LockWaitsOptions {
  readonly findLocked: FindLocked
  /** Sends sets again, before those that have arrived later. */
  readonly release: (sets: ReadonlyArray<PendingCommit>) => void
  /** Sends one set outside the lanes; `false`: it still waits for a lock. */
  readonly sendAlone: (set: PendingCommit) => Promise<boolean>
  /** Calls back after an interval. */
  readonly startInterval: (onElapsed: () => void) => void
  /** The number of intervals that a set waits before it is answered that the store is unavailable. */
  readonly intervalsMax: number
}

export interface LockWaits {
  /** Takes the set, if it needs a lock that is known to be taken. */
  readonly hold: (set: PendingCommit) => boolean
  /** Finds the taken locks that these sets need, takes the sets that need one, and returns the others. */
  readonly holdBlocked: (sets: ReadonlyArray<PendingCommit>) => Promise<ReadonlyArray<PendingCommit>>
  /** Takes a set that waited although all its locks were found free. */
  readonly holdUnnamed: (set: PendingCommit) => void
  /** Removes a waiting set; `false` if it does not wait here. */
  readonly withdraw: (set: PendingCommit) => boolean
  /** Answers all waiting sets and takes no more. */
  readonly close: () => void
}

/** The names that block a set which needs this lock. */
const blockersOf = ({ name, part, row: [lock, isExclusive] }: LockName): ReadonlyArray<string> =>
  part === "locks" && isExclusive === true ? [name, `${part}  ${lock} false`] : [name]

const count = (counts: Map<string, number>, name: string, added: number): void => {
  const value = (counts.get(name) ?? 0) + added
  if (value > 0) counts.set(name, value)
  else counts.delete(name)
}

export const make = (options: LockWaitsOptions): LockWaits => {
  const { findLocked, intervalsMax, release, sendAlone, startInterval } = options
  /** The locks that were found taken, with their holders. */
  const taken = new Map<string, { readonly lock: LockName; readonly holder: string }>()
  /** The waiting sets in the order of their arrival, with the taken locks that they need. */
  const waiting = new Map<PendingCommit, ReadonlyArray<string>>()
  /** The sets that wait for something that was not found, and how many of them have each name that excludes others. */
  const unnamed = new Set<PendingCommit>()
  const unnamedNames = new Map<string, number>()
  const perPlatform = new Map<string, number>()
  /** How often a set was returned although it had waited, and how many intervals it has waited in all. */
  const returns = new WeakMap<PendingCommit, number>()
  const intervals = new WeakMap<PendingCommit, number>()
  let isClosed = false
  let isWatching = false

  const isFull = ({ caller: { platformId } }: PendingCommit): boolean =>
    (perPlatform.get(platformId) ?? 0) >= waitingPerPlatformMax || waiting.size + unnamed.size >= waitingMax

  const add = (set: PendingCommit, names: ReadonlyArray<string>): void => {
    const refusal = isClosed ? "the store is closed" : isFull(set) ? "too many commits wait for locks" : undefined
    if (refusal !== undefined) {
      set.settle(busy(refusal))
      return
    }
    count(perPlatform, set.caller.platformId, 1)
    if (names.length > 0) waiting.set(set, names)
    else {
      unnamed.add(set)
      for (const name of set.exclusive) count(unnamedNames, name, 1)
    }
    watch()
  }

  const remove = (set: PendingCommit): boolean => {
    if (unnamed.delete(set)) for (const name of set.exclusive) count(unnamedNames, name, -1)
    else if (!waiting.delete(set)) return false
    count(perPlatform, set.caller.platformId, -1)
    return true
  }

  const hold = (set: PendingCommit): boolean => {
    if (taken.size === 0 && unnamed.size === 0) return false
    const names = lockNamesOf(set).flatMap((lock) => blockersOf(lock).filter((name) => taken.has(name)))
    if (names.length === 0 && !set.exclusive.some((name) => unnamedNames.has(name))) return false
    add(set, names)
    return true
  }

  const holdBlocked: LockWaits["holdBlocked"] = async (sets) => {
    const locks = new Map(sets.flatMap(lockNamesOf).map((lock) => [lock.name, lock]))
    for (const [lock, holder] of (await findLocked([...locks.values()])) ?? []) taken.set(lock.name, { lock, holder })
    return sets.filter((set) => !hold(set))
  }

  const holdUnnamed = (set: PendingCommit): void => {
    const returned = returns.get(set) ?? 0
    returns.set(set, returned + 1)
    // The lock may have been released before it was found.
    if (returned === 0) release([set])
    else add(set, [])
  }

  const expire = (): void => {
    for (const set of [...waiting.keys(), ...unnamed]) {
      const waited = (intervals.get(set) ?? 0) + 1
      intervals.set(set, waited)
      if (waited > intervalsMax && remove(set)) set.settle(busy("a lock that the commit needs stays taken"))
    }
  }

  /** Sends the sets again whose locks are free now. A lock with another holder is contended, not stuck: the database queues for it. */
  const releaseFree = async (): Promise<void> => {
    const needed = new Set([...waiting.values()].flat())
    for (const name of taken.keys()) if (!needed.has(name)) taken.delete(name)
    const looked = [...taken.values()]
    if (looked.length === 0) return
    const still = await findLocked(looked.map(({ lock }) => lock))
    if (still === undefined) return
    for (const { holder, lock } of looked) {
      if (still.get(lock) !== holder) taken.delete(lock.name)
    }
    const free = [...waiting].filter(([, names]) => !names.some((name) => taken.has(name))).map(([set]) => set)
    for (const set of free) remove(set)
    if (free.length > 0) release(free)
  }

  /** Sends the other sets one after another until one still waits, which then goes to the end. */
  const sendUnnamed = async (): Promise<void> => {
    for (const set of [...unnamed]) {
      if (!remove(set)) continue
      if (await sendAlone(set)) continue
      add(set, [])
      return
    }
  }

  const watch = (): void => {
    if (isWatching || isClosed) return
    isWatching = true
    startInterval(() => {
      expire()
      void Promise.all([releaseFree(), sendUnnamed()]).finally(() => {
        isWatching = false
        if (waiting.size + unnamed.size > 0) watch()
        else taken.clear()
      })
    })
  }

  return {
    hold,
    holdBlocked,
    holdUnnamed,
    withdraw: remove,
    close: () => {
      isClosed = true
      for (const set of [...waiting.keys(), ...unnamed]) if (remove(set)) set.settle(busy("the store is closed"))
    },
  }
}
