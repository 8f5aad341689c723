/**
 * The changes of a decision, in parts that combine into one change set.
 * Source: architecture, "A change set is the only way to write".
 */

import type { CodeSend } from "../model/limit/CodeSend.ts"
import type { Claim, Owner } from "../model/record/Record.ts"
import type { AnyStored, ChangeSet, NewJob, RecordInsert, ReplayRecord, Stored } from "./ChangeSet.ts"
import type { CustomerTie } from "./KindRow.ts"
import { type DataOf, deletionBlockerCounter, dependentCounter, type Kind, Kinds } from "./Kinds.ts"
import { type StateTransition, stateTransitions } from "./StateTransitions.ts"

/** Facts that accompany a change set and that the store does not receive. */
export interface UncommittedFacts {
  /** Metrics count them. */
  readonly transitions: ReadonlyArray<StateTransition>
  /** Codes that are sent after the commit. The operation counts them towards the limits, in the commit. */
  readonly codeSends: ReadonlyArray<CodeSend>
}

/** Any part of a change set except its envelope. */
export type Changes = Partial<Omit<ChangeSet, "operationId" | "at" | "replay"> & UncommittedFacts>

type Lists = Omit<ChangeSet, "operationId" | "at" | "replay" | "validUntil"> & UncommittedFacts

const claimsOf = <K extends Kind>(kind: K, data: DataOf<K>, owner: Owner): ReadonlyArray<Claim> => {
  const row = Kinds.get(kind) as { readonly claims: (data: DataOf<K>, owner: Owner) => ReadonlyArray<Claim> }
  return row.claims(data, owner)
}

/** How records of a kind depend on their customer. */
export const customerTieOf = <K extends Kind>(kind: K): CustomerTie<DataOf<K>> => {
  const row: { readonly customerTie: CustomerTie<never, unknown> } = Kinds.get(kind)
  return row.customerTie as CustomerTie<DataOf<K>>
}

/** The counters of one customer. */
const tieCountersOf = <Data>(
  customerId: string,
  { blocksDeletion, onCustomerDeleted }: CustomerTie<Data>,
  before: Data | undefined,
  after: Data,
): Lists["counters"] => {
  const step = (holds: (data: Data) => boolean) => Number(holds(after)) - Number(before !== undefined && holds(before))
  const blockers = blocksDeletion === undefined ? 0 : step(blocksDeletion)
  // Only ever grows: a record that ends and another one that begins must not bring back the value that a deletion has read.
  const dependents =
    onCustomerDeleted === undefined ? 0 : Math.abs(step((data) => onCustomerDeleted(data) !== undefined))
  return [
    ...(blockers === 0 ? [] : [{ key: deletionBlockerCounter(customerId), customerId, delta: blockers }]),
    ...(dependents === 0 ? [] : [{ key: dependentCounter(customerId), customerId, delta: dependents }]),
  ]
}

/**
 * Counts the records that block a customer's deletion, and how often records begin or cease to end with it, so that the deletion can depend
 * on both. Source: D-081.
 */
const tieCounters = <K extends Kind>(
  kind: K,
  { customerId }: Owner,
  before: DataOf<K> | undefined,
  after: DataOf<K>,
): Lists["counters"] => {
  const tie = customerTieOf(kind)
  if (tie.customers !== undefined)
    return tie.customers(after).flatMap((tied) => tieCountersOf(tied, tie, before, after))
  return customerId === null ? [] : tieCountersOf(customerId, tie, before, after)
}

/** Inserts a record and claims its unique keys. */
export const insert = <K extends Kind>(kind: K, id: string, owner: Owner, data: DataOf<K>): Changes => {
  const { customerId, platformId } = owner
  const record = { kind, id, platformId, customerId, data } as Lists["inserts"][number]
  return {
    inserts: [record],
    claims: claimsOf(kind, data, owner).map((claim) => ({ ...claim, record: { kind, id } })),
    counters: tieCounters(kind, owner, undefined, data),
    transitions: stateTransitions(kind, undefined, data),
  }
}

/** Updates a record's data; claims and releases its unique keys. */
export const update = <K extends Kind>(stored: Stored<K>, data: DataOf<K>): Changes => {
  const { id, kind, version } = stored
  const before = claimsOf(kind, stored.data, stored)
  const after = claimsOf(kind, data, stored)
  const without = (claims: ReadonlyArray<Claim>, others: ReadonlyArray<Claim>) =>
    claims
      .filter((claim) => !others.some((other) => other.scope === claim.scope && other.key === claim.key))
      .map((claim) => ({ ...claim, record: { kind, id } }))
  return {
    updates: [{ kind, id, version, data } as Lists["updates"][number]],
    claims: without(after, before),
    releases: without(before, after),
    counters: tieCounters(kind, stored, stored.data, data),
    transitions: stateTransitions(kind, stored.data, data),
  }
}

/** Updates a record's data and deletes its earlier versions. */
export const erase = <K extends Kind>(stored: Stored<K>, data: DataOf<K>): Changes => {
  const changes = update(stored, data)
  return { ...changes, updates: (changes.updates ?? []).map((change) => ({ ...change, erasesHistory: true as const })) }
}

/** Guards records that the decision depends on without writing them. */
export const guard = (...stored: ReadonlyArray<AnyStored | Stored<Kind>>): Changes => ({
  guards: stored.map(({ id, kind, version }) => ({ kind, id, version })),
})

/** The record after an update of this operation, for the answer. */
export const after = <K extends Kind>(stored: Stored<K>, data: DataOf<K>, at: number): Stored<K> => ({
  ...stored,
  data,
  version: stored.version + 1,
  updatedAt: at,
})

/** The record after its insert, for the answer. */
export const insertedRecord = <K extends Kind>(
  kind: K,
  id: string,
  owner: Owner,
  data: DataOf<K>,
  at: number,
): Stored<K> => ({
  kind,
  id,
  platformId: owner.platformId,
  customerId: owner.customerId,
  version: 1,
  createdAt: at,
  updatedAt: at,
  data,
})

/** Concatenates one list of all parts. Unrolled for speed: every decision merges many parts, most of whose lists are empty. */
const listOf = <K extends keyof Lists>(parts: ReadonlyArray<Changes>, name: K): ReadonlyArray<Lists[K][number]> => {
  let joined: ReadonlyArray<Lists[K][number]> | undefined
  for (const part of parts) {
    const list: ReadonlyArray<Lists[K][number]> | undefined = part[name]
    if (list === undefined || list.length === 0) continue
    joined = joined === undefined ? list : [...joined, ...list]
  }
  return joined ?? []
}

const join = (parts: ReadonlyArray<Changes>): Lists => ({
  inserts: listOf(parts, "inserts"),
  updates: listOf(parts, "updates"),
  guards: listOf(parts, "guards"),
  claims: listOf(parts, "claims"),
  releases: listOf(parts, "releases"),
  ledgerAccounts: listOf(parts, "ledgerAccounts"),
  transfers: listOf(parts, "transfers"),
  assertions: listOf(parts, "assertions"),
  observes: listOf(parts, "observes"),
  counters: listOf(parts, "counters"),
  events: listOf(parts, "events"),
  attempts: listOf(parts, "attempts"),
  jobs: listOf(parts, "jobs"),
  finishes: listOf(parts, "finishes"),
  returns: listOf(parts, "returns"),
  transitions: listOf(parts, "transitions"),
  codeSends: listOf(parts, "codeSends"),
})

/** Merges parts into one; the earliest `validUntil` applies. */
export const combine = (...parts: ReadonlyArray<Changes | undefined>): Lists & { readonly validUntil?: number } => {
  const present = parts.filter((part) => part !== undefined)
  const ends = present.flatMap((part) => (part.validUntil === undefined ? [] : [part.validUntil]))
  return ends.length === 0 ? join(present) : { ...join(present), validUntil: Math.min(...ends) }
}

/** Whether the changes write nothing; guards and observed balances are not writes. */
export const isEmpty = (changes: Changes): boolean => {
  const { guards: _guards, observes: _observes, ...writes } = join([changes])
  return Object.values(writes).every((list) => list.length === 0)
}

/** Marks the lanes of records that this change set inserts: a lane's name ends with its record's id. */
const withOpenedLanes = (jobs: ReadonlyArray<NewJob>, inserts: ReadonlyArray<RecordInsert>): ReadonlyArray<NewJob> =>
  jobs.map((job) =>
    job.lane !== undefined && inserts.some(({ id }) => job.lane?.endsWith(`:${id}`))
      ? { ...job, opensLane: true }
      : job,
  )

/** Builds the change set of one operation. A written record needs no guard. */
export const toChangeSet = (
  changes: Changes,
  envelope: { readonly operationId: string; readonly at: number; readonly replay?: ReplayRecord },
): ChangeSet => {
  const { codeSends: _codeSends, transitions: _transitions, ...parts } = combine(changes)
  const written = new Set(parts.updates.map(({ id, kind }) => `${kind} ${id}`))
  return {
    ...parts,
    ...envelope,
    jobs: withOpenedLanes(parts.jobs, parts.inserts),
    guards: parts.guards.filter(
      ({ id, kind }, index, all) =>
        !written.has(`${kind} ${id}`) && all.findIndex((other) => other.kind === kind && other.id === id) === index,
    ),
  }
}
