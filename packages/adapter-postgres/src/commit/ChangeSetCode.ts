/**
 * A change set that is to be committed: what it holds until then, and how the serial commit reads it, which is one JSON object of short
 * names and arrays, with all sums made. What is empty is left out. Bodies that are stored as they are travel as text.
 * Source: ports/ChangeSet.ts; `functions/CommitSerial.ts`. `Batch.ts` makes of many sets what the set-based commit reads.
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
  type ListedValue,
  type ReplayRecord,
} from "@countersign/core/store"
import { fieldValues, kindTable } from "../schema/KindTables.ts"
import { encodeTemplate } from "../schema/StoredTemplate.ts"
import { type Shown, shownBy } from "./Sums.ts"

type Cell = string | number | boolean | null | ReadonlyArray<ListedValue> | object
type Row = ReadonlyArray<Cell>

export interface ChangeSetCode {
  readonly set: ChangeSet
  readonly caller: Caller
  /** Wall time. */
  readonly wallNow: number
  /** Of what the sums are that its commit tells. */
  readonly shown: Shown
  /** The locks that it takes for itself. */
  readonly alone: ReadonlyArray<string>
  /** What no other set on its way may have until this one is committed. */
  readonly exclusive: ReadonlyArray<string>
  /** The locks that it shares with others who share them, and so may have while it is on its way. */
  readonly shared: ReadonlyArray<string>
  /** Whether the set-based path knows all of its parts. */
  readonly isPlain: boolean
}

/** Longer than anybody goes on sending a change set whose outcome is not known. */
export const operationMillis = 8 * 24 * 60 * 60 * 1000

const never = -1

const recordName = (platformId: string, kind: Kind, id: string): string => `record ${platformId} ${kind} ${id}`

/** The guards that are to be looked at. */
export const guardsOf = ({ guards, inserts, updates }: ChangeSet): ReadonlyArray<Guard> => {
  if (guards.length === 0) return guards
  const inserted = new Set(inserts.map(({ id, kind }) => `${kind} ${id}`))
  const updated = new Map(updates.map(({ id, kind, version }) => [`${kind} ${id}`, version]))
  return guards.flatMap((guard) => {
    const name = `${guard.kind} ${guard.id}`
    // A guard is judged on what stood before the set: an update of the same version says the same.
    if (!inserted.has(name) && updated.get(name) === guard.version) return []
    return inserted.has(name) || updated.has(name) ? [{ ...guard, version: never }] : [guard]
  })
}

const records = (set: ChangeSet) => ({
  i: set.inserts.map(({ customerId, data, id, kind }): Row => {
    const table = kindTable(kind)
    return [table.number, id, customerId, fieldValues(table, data), JSON.stringify(data)]
  }),
  m: set.updates.map(({ data, erasesHistory, id, kind, version }): Row => {
    const table = kindTable(kind)
    const row = [table.number, id, version, fieldValues(table, data), JSON.stringify(data)]
    return erasesHistory === true ? [...row, true] : row
  }),
  g: guardsOf(set).map(({ id, kind, version }): Row => [kindTable(kind).number, id, version]),
})

/** The scope of a unique key, as its table has it. */
export const scopeOf = (scope: ClaimChange["scope"], platformId: string): string =>
  scope === "global" ? "" : platformId

/** A record as the set itself inserts it. */
export const insertedBy = (
  { inserts }: ChangeSet,
  record: ClaimChange["record"],
): ChangeSet["inserts"][number] | undefined => inserts.find(({ id, kind }) => id === record.id && kind === record.kind)

const keys = (set: ChangeSet, changes: ReadonlyArray<ClaimChange>, platformId: string): ReadonlyArray<Row> =>
  changes.map(({ key, record, scope }) => {
    const inserted = insertedBy(set, record)
    const kindNumber = kindTable(record.kind).number
    const owner = [inserted !== undefined, inserted?.customerId ?? null]
    return [key, scopeOf(scope, platformId), record.kind, kindNumber, record.id, ...owner]
  })

interface Touched {
  total: bigint
  count: number
  /** `null`: several, which no account has. */
  currency: string | null
}

const ledger = (set: ChangeSet) => {
  const touched = new Map<string, Touched>()
  const legs: Array<{
    account: string
    amount: number
    prefix: bigint
    ordinal: number
    reference: string
    transfer: number
  }> = []
  for (const [transfer, { amount, currency, from, reference, to }] of set.transfers.entries()) {
    for (const [account, signed] of [[from, -amount] as const, [to, amount] as const]) {
      const at = touched.get(account) ?? { total: 0n, count: 0, currency }
      at.total += BigInt(signed)
      at.count += 1
      if (at.currency !== currency) at.currency = null
      touched.set(account, at)
      legs.push({ account, amount: signed, prefix: at.total, ordinal: at.count, reference, transfer })
    }
  }
  return {
    la: set.ledgerAccounts.map(({ currency, customerId, floor, id }): Row => [id, currency, floor, customerId]),
    // Each account with the sum and the number of its legs, in the order of the first ones.
    ta: [...touched].map(([id, { count, currency, total }]): Row => [id, String(total), count, currency]),
    // Each leg with what comes after it on its account: sum and number.
    lt: legs.map(({ account, amount, ordinal, prefix, reference, transfer }): Row => {
      const { count, total } = touched.get(account) ?? { count: ordinal, total: prefix }
      return [account, amount, String(total - prefix), count - ordinal, reference, transfer]
    }),
    as: set.assertions.map(({ account, sequence }): Row => [account, sequence]),
  }
}

const shownOf = (set: ChangeSet): Shown => ({
  balances: [...new Set([...set.transfers.flatMap(({ from, to }) => [from, to]), ...set.observes])],
  counters: [...new Set(set.counters.map(({ key }) => key))],
})

/** The largest value that a change lets its counter have. */
export const most = ({ delta, max }: CounterChange): number =>
  delta > 0 && max !== undefined ? Math.min(max, amountMax) : amountMax

const counters = (set: ChangeSet) => {
  const totals = new Map<string, bigint>()
  const owners = new Map(set.counters.map(({ customerId, key }) => [key, customerId ?? null]))
  const changes = set.counters.map((change): Row => {
    const { delta, expected, key } = change
    const prefix = (totals.get(key) ?? 0n) + BigInt(delta)
    totals.set(key, prefix)
    return [key, String(prefix), most(change), expected ?? null, delta]
  })
  return { c: changes, ct: [...totals].map(([key, total]): Row => [key, String(total), owners.get(key) ?? null]) }
}

/** The letters of the parts: what each stands for is told where it is made. */
type Parts = { readonly [part: string]: ReadonlyArray<Row> }

const withoutEmpty = (parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part.length > 0))

/**
 * The owner under whom the operation is remembered: its customer where it has one, else the platform. The same set has the same owner
 * each time it is sent.
 */
export const ownerOf = (set: ChangeSet, { platformId }: Caller): string => {
  const customers = new Set([...set.inserts, ...set.events, ...set.jobs].map(({ customerId }) => customerId))
  const [only] = customers
  return customers.size === 1 && only !== null && only !== undefined ? only : platformId
}

/** Whether the set-based path knows all of its parts. */
const isPlain = (set: ChangeSet): boolean =>
  set.releases.length === 0 &&
  set.returns.length === 0 &&
  set.ledgerAccounts.length === 0 &&
  set.assertions.length === 0 &&
  set.updates.every(({ erasesHistory }) => erasesHistory === undefined) &&
  set.counters.every(({ expected }) => expected === undefined) &&
  set.claims.every(({ record }) => insertedBy(set, record) !== undefined)

const answerOf = ({ answer, expiresAt, fingerprint, key, status }: ReplayRecord, shown: Shown): Row => [
  key,
  fingerprint,
  status,
  encodeTemplate(answer),
  expiresAt,
  shownBy(shown, answer),
]

/** The customer of an agent, who changes nothing of others. */
export const customerOf = (caller: Caller): string | null => (caller._tag === "Agent" ? caller.customerId : null)

/** Throws where no decision may make the set. `wallNow`: for the lives of receipts and the holds of lanes. */
export const make = (set: ChangeSet, caller: Caller, wallNow: number): ChangeSetCode => {
  assertValid(set, caller)
  const { platformId } = caller
  const { replay } = set
  const exclusive = [
    // Twins wait for each other before they look at anything: the second one finds the first one's answer.
    replay === undefined ? `operation ${platformId} ${set.operationId}` : `replay ${platformId} ${replay.key}`,
    ...set.updates.map(({ id, kind }) => recordName(platformId, kind, id)),
  ]
  const lanes = set.jobs.flatMap(({ lane, opensLane, queue }) =>
    lane === undefined || opensLane === true ? [] : [`lane ${queue} ${platformId} ${lane}`],
  )
  const shared = set.guards.map(({ id, kind }) => recordName(platformId, kind, id))
  return {
    set,
    caller,
    wallNow,
    shown: shownOf(set),
    alone: lanes.length === 0 ? exclusive : [...exclusive, ...lanes],
    // One set may end a job whose id another begins anew: which comes first would not be told by a batch.
    exclusive: [...exclusive, ...[...set.finishes, ...set.returns, ...set.jobs].map(({ id }) => `job ${id}`)],
    shared,
    isPlain: isPlain(set),
  }
}

/** A set as the serial commit reads it. */
export const serialOf = ({ alone, caller, set, shared, shown, wallNow }: ChangeSetCode): object => {
  const { platformId } = caller
  const parts = withoutEmpty({
    l: [...alone.map((name) => [name, true]), ...shared.map((name) => [name, false])],
    ...records(set),
    f: set.finishes.map(({ attempt, id }) => [id, attempt]),
    b: set.returns.map(({ attempt, error, id, notBefore, outcome, payload }) => [
      id,
      attempt,
      outcome === "parked" ? "parked" : "waiting",
      notBefore,
      error,
      payload === undefined ? null : JSON.stringify(payload),
    ]),
    r: keys(set, set.releases, platformId),
    k: keys(set, set.claims, platformId),
    ...ledger(set),
    ...counters(set),
    e: set.events.map(({ customerId, data, id, subject, type }) => [
      id,
      type,
      customerId,
      subject,
      encodeTemplate(data),
      shownBy(shown, data),
    ]),
    j: set.jobs.map(({ customerId, dueAt, id, kind, lane, laneHoldMillis, opensLane = false, payload, queue }) => [
      id,
      queue,
      kind,
      customerId,
      lane ?? null,
      laneHoldMillis ?? null,
      dueAt,
      JSON.stringify(payload),
      opensLane,
    ]),
  })
  return {
    // Platform, agent's customer, operation, its owner, time of the decision, wall time, wall time until which it is remembered.
    p: platformId,
    u: customerOf(caller),
    o: set.operationId,
    h: ownerOf(set, caller),
    t: set.at,
    w: wallNow,
    x: wallNow + operationMillis,
    // Ledger accounts whose balances the facts show.
    ob: shown.balances,
    ...(set.replay === undefined ? {} : { y: answerOf(set.replay, shown) }),
    ...parts,
  }
}
