/**
 * A change set on its way to the database: the locks that it needs, the names of its sums, and which commit function can take it.
 * Source: ports/ChangeSet.ts. `SerialChangeSet.ts` and `Batch.ts` make the arguments of the two commit functions.
 */
import type { Caller } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import {
  assertValid,
  type ChangeSet,
  type ClaimChange,
  type CounterChange,
  type Guard,
  type Kind,
} from "@countersign/core/store"
import type { SumNames } from "./StoredSums.ts"

export interface EncodedChangeSet {
  readonly set: ChangeSet
  readonly caller: Caller
  /** Wall time in Unix milliseconds. */
  readonly wallNow: number
  /** What the sums of its commit belong to. */
  readonly sumNames: SumNames
  /** The advisory locks that it takes exclusively. */
  readonly exclusiveLocks: ReadonlyArray<string>
  /** The names that no other set in flight may have, exclusively or shared, until this one is committed. */
  readonly exclusive: ReadonlyArray<string>
  /** The locks that it shares: other sets that share them may be in flight at the same time. */
  readonly shared: ReadonlyArray<string>
  /** Whether the set-based commit supports all its parts. */
  readonly isBatchable: boolean
  /** Of a set that is a part of another one. */
  readonly part?: PartOptions
}

/** What a part of a change set takes from the whole. */
export interface PartOptions {
  /** The numbers of its transfers in the whole set. */
  readonly transferNumbers?: ReadonlyArray<number>
  /** The customers of records whose keys it has without them, by kind and id; `null` for any other owner. */
  readonly ownersElsewhere?: ReadonlyMap<string, string | null>
  /** The sums of the whole set, which its bodies show. */
  readonly sums?: { readonly names: SumNames; readonly text: string }
}

/** A version that no record has. */
const never = -1

const recordLock = (platformId: string, kind: Kind, id: string): string => `record ${platformId} ${kind} ${id}`

/** The guards that the commit must check. */
export const guardsOf = ({ guards, inserts, updates }: ChangeSet): ReadonlyArray<Guard> => {
  if (guards.length === 0) return guards
  const inserted = new Set(inserts.map(({ id, kind }) => `${kind} ${id}`))
  const updated = new Map(updates.map(({ id, kind, version }) => [`${kind} ${id}`, version]))
  return guards.flatMap((guard) => {
    const name = `${guard.kind} ${guard.id}`
    // A guard refers to the state before the set: an update of the same version checks the same.
    if (!inserted.has(name) && updated.get(name) === guard.version) return []
    return inserted.has(name) || updated.has(name) ? [{ ...guard, version: never }] : [guard]
  })
}

/** The scope of a unique key, as its table stores it. */
export const scopeOf = (scope: ClaimChange["scope"], platformId: string): string =>
  scope === "global" ? "" : platformId

/** The set's own insert of a record. */
export const insertedBy = (
  { inserts }: ChangeSet,
  record: ClaimChange["record"],
): ChangeSet["inserts"][number] | undefined => inserts.find(({ id, kind }) => id === record.id && kind === record.kind)

export const sumNamesOf = (set: ChangeSet): SumNames => ({
  balances: [...new Set([...set.transfers.flatMap(({ from, to }) => [from, to]), ...set.observes])],
  counters: [...new Set(set.counters.map(({ key }) => key))],
})

/** The largest value that a change allows its counter. */
export const upperBound = ({ delta, max }: CounterChange): number =>
  delta > 0 && max !== undefined ? Math.min(max, amountMax) : amountMax

/**
 * The owner of the operation's receipt: the only customer of the set, otherwise the platform. The same set has the same owner each time
 * it is sent.
 */
export const ownerOf = (set: ChangeSet, { platformId }: Caller): string => {
  const customers = new Set([...set.inserts, ...set.events, ...set.jobs].map(({ customerId }) => customerId))
  const [only] = customers
  return customers.size === 1 && only !== null && only !== undefined ? only : platformId
}

const isBatchable = (set: ChangeSet): boolean =>
  set.releases.length === 0 &&
  set.returns.length === 0 &&
  set.ledgerAccounts.length === 0 &&
  set.assertions.length === 0 &&
  set.updates.every(({ erasesHistory }) => erasesHistory === undefined) &&
  set.counters.every(({ expected }) => expected === undefined) &&
  set.claims.every(({ record }) => insertedBy(set, record) !== undefined)

/** The customer of an agent, which changes nothing of others; `null` for other callers. */
export const customerOf = (caller: Caller): string | null => (caller._tag === "Agent" ? caller.customerId : null)

/** Throws for a set that no decision may make. `wallNow` starts the lifetimes of receipts and lane holds. */
export const make = (set: ChangeSet, caller: Caller, wallNow: number, part?: PartOptions): EncodedChangeSet => {
  assertValid(set, caller)
  const { platformId } = caller
  const { replay } = set
  const exclusive = [
    // Two copies of one operation exclude each other before anything is read: the second finds the response of the first.
    replay === undefined ? `operation ${platformId} ${set.operationId}` : `replay ${platformId} ${replay.key}`,
    ...set.updates.map(({ id, kind }) => recordLock(platformId, kind, id)),
    // Attempts of one event are numbered one after another.
    ...set.attempts.map(({ eventId }) => `attempts ${platformId} ${eventId}`),
  ]
  const lanes = set.jobs.flatMap(({ lane, opensLane, queue }) =>
    lane === undefined || opensLane === true ? [] : [`lane ${queue} ${platformId} ${lane}`],
  )
  const shared = set.guards.map(({ id, kind }) => recordLock(platformId, kind, id))
  return {
    set,
    caller,
    wallNow,
    sumNames: part?.sums?.names ?? sumNamesOf(set),
    exclusiveLocks: lanes.length === 0 ? exclusive : [...exclusive, ...lanes],
    // One set may finish a job whose id another adds again. A batch has no order between the two, so they do not share one.
    exclusive: [...exclusive, ...[...set.finishes, ...set.returns, ...set.jobs].map(({ id }) => `job ${id}`)],
    shared,
    isBatchable: isBatchable(set),
    ...(part === undefined ? {} : { part }),
  }
}
