/**
 * What a decision wants written, in parts that combine into one change set.
 * Source: architecture, "A change set is the one way to write".
 */

import type { Claim, Owner } from "../model/record/Record.ts"
import type { AnyStored, ChangeSet, NewJob, RecordInsert, ReplayRecord, Stored } from "./ChangeSet.ts"
import { type CustomerTie, type DataOf, deletionBlockerCounter, dependentCounter, type Kind, Kinds } from "./Kinds.ts"
import { type StateTransition, stateTransitions } from "./StateTransitions.ts"

/** The states that it moves are told beside a change set: they are counted, and not stored. */
export interface UncommittedFacts {
  readonly transitions: ReadonlyArray<StateTransition>
}

/** Any part of a change set but its envelope. */
export type Changes = Partial<Omit<ChangeSet, "operationId" | "at" | "replay"> & UncommittedFacts>

type Lists = Omit<ChangeSet, "operationId" | "at" | "replay" | "validUntil"> & UncommittedFacts

const claimsOf = <K extends Kind>(kind: K, data: DataOf<K>, owner: Owner): ReadonlyArray<Claim> => {
  const row = Kinds.get(kind) as { readonly claims: (data: DataOf<K>, owner: Owner) => ReadonlyArray<Claim> }
  return row.claims(data, owner)
}

/** How records of a kind tie their customer. */
export const customerTieOf = <K extends Kind>(kind: K): CustomerTie<DataOf<K>> => {
  const row: { readonly customerTie: CustomerTie<never, unknown> } = Kinds.get(kind)
  return row.customerTie as CustomerTie<DataOf<K>>
}

/** Counts what ties a customer, so that deleting it can rest on there being nothing, or nothing new. Source: D-081. */
const counted = <K extends Kind>(
  kind: K,
  { customerId }: Owner,
  before: DataOf<K> | undefined,
  updatedRecord: DataOf<K>,
): Lists["counters"] => {
  if (customerId === null) return []
  const { onCustomerDeleted, blocksDeletion } = customerTieOf(kind)
  const step = (key: string, holds: (data: DataOf<K>) => boolean) => {
    const delta = Number(holds(updatedRecord)) - Number(before !== undefined && holds(before))
    return delta === 0 ? [] : [{ key, customerId, delta }]
  }
  return [
    ...(blocksDeletion === undefined ? [] : step(deletionBlockerCounter(customerId), blocksDeletion)),
    ...(onCustomerDeleted === undefined
      ? []
      : step(dependentCounter(customerId), (data) => onCustomerDeleted(data) !== undefined)),
  ]
}

/** A new record, with the unique keys that it takes. */
export const insert = <K extends Kind>(kind: K, id: string, owner: Owner, data: DataOf<K>): Changes => {
  const { customerId, platformId } = owner
  const record = { kind, id, platformId, customerId, data } as Lists["inserts"][number]
  return {
    inserts: [record],
    claims: claimsOf(kind, data, owner).map((claim) => ({ ...claim, record: { kind, id } })),
    counters: counted(kind, owner, undefined, data),
    transitions: stateTransitions(kind, undefined, data),
  }
}

/** A record's new data, with the unique keys that it takes and gives back. */
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
    counters: counted(kind, stored, stored.data, data),
    transitions: stateTransitions(kind, stored.data, data),
  }
}

/** A record's new data, and the end of all that it held before. */
export const erase = <K extends Kind>(stored: Stored<K>, data: DataOf<K>): Changes => {
  const changes = update(stored, data)
  return { ...changes, updates: (changes.updates ?? []).map((change) => ({ ...change, erasesHistory: true as const })) }
}

/** Records that the decision rests on without writing them. */
export const guard = (...stored: ReadonlyArray<AnyStored | Stored<Kind>>): Changes => ({
  guards: stored.map(({ id, kind, version }) => ({ kind, id, version })),
})

/** The record as it stands after an insert or update of this operation, for the answer. */
export const after = <K extends Kind>(stored: Stored<K>, data: DataOf<K>, at: number): Stored<K> => ({
  ...stored,
  data,
  version: stored.version + 1,
  updatedAt: at,
})

/** The record as it stands after its insert, for the answer. */
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

/** Each list of all parts in one; told apart by hand since every decision joins many parts, most of whose lists are empty. */
const listOf = <K extends keyof Lists>(parts: ReadonlyArray<Changes>, name: K): ReadonlyArray<Lists[K][number]> => {
  let found: ReadonlyArray<Lists[K][number]> | undefined
  for (const part of parts) {
    const list: ReadonlyArray<Lists[K][number]> | undefined = part[name]
    if (list === undefined || list.length === 0) continue
    found = found === undefined ? list : [...found, ...list]
  }
  return found ?? []
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
  jobs: listOf(parts, "jobs"),
  finishes: listOf(parts, "finishes"),
  returns: listOf(parts, "returns"),
  transitions: listOf(parts, "transitions"),
})

/** Several parts as one; the earliest end of validity counts. */
export const combine = (...parts: ReadonlyArray<Changes | undefined>): Lists & { readonly validUntil?: number } => {
  const given = parts.filter((part) => part !== undefined)
  const ends = given.flatMap((part) => (part.validUntil === undefined ? [] : [part.validUntil]))
  return ends.length === 0 ? join(given) : { ...join(given), validUntil: Math.min(...ends) }
}

/** Whether nothing would be written: what is only guarded or observed changes nothing. */
export const isEmpty = (changes: Changes): boolean => {
  const { guards: _guards, observes: _observes, ...writes } = join([changes])
  return Object.values(writes).every((list) => list.length === 0)
}

/** A lane is named by what it is for and the record that it is of: of one that is just inserted nobody else knows. */
const opened = (jobs: ReadonlyArray<NewJob>, inserts: ReadonlyArray<RecordInsert>): ReadonlyArray<NewJob> =>
  jobs.map((job) =>
    job.lane !== undefined && inserts.some(({ id }) => job.lane?.endsWith(`:${id}`))
      ? { ...job, opensLane: true }
      : job,
  )

/** The change set of one operation. A record that is written needs no guard beside. */
export const toChangeSet = (
  changes: Changes,
  envelope: { readonly operationId: string; readonly at: number; readonly replay?: ReplayRecord },
): ChangeSet => {
  const { transitions: _transitions, ...whole } = combine(changes)
  const written = new Set(whole.updates.map(({ id, kind }) => `${kind} ${id}`))
  return {
    ...whole,
    ...envelope,
    jobs: opened(whole.jobs, whole.inserts),
    guards: whole.guards.filter(
      ({ id, kind }, index, all) =>
        !written.has(`${kind} ${id}`) && all.findIndex((other) => other.kind === kind && other.id === id) === index,
    ),
  }
}
