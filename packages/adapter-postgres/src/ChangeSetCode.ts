/**
 * A change set as the commit functions read it: one JSON object of short names and arrays, with all sums made. What is empty is left
 * out. Bodies that are stored as they are travel as text.
 * Source: ports/ChangeSet.ts; the functions in `functions/`.
 */
import {
  amountMax,
  assertValid,
  type Caller,
  type ChangeSet,
  type ClaimChange,
  type CounterChange,
  type Kind,
  type ListedValue,
  type ReplayRecord,
} from "@countersign/core"
import { type Shown, shownBy } from "./Sums.ts"
import { fieldValues, kindTable } from "./schema/KindTables.ts"

type Cell = string | number | boolean | null | ReadonlyArray<ListedValue> | object
export type Row = ReadonlyArray<Cell>

/** The letters of the parts: what each stands for is told where it is made. */
type Parts = { readonly [part: string]: ReadonlyArray<Row> }

export interface Coded {
  /** Platform, customer of an agent, operation. */
  readonly p: string
  readonly u: string | null
  readonly o: string
  /** The owner under whom the operation is remembered: its customer where it has one, else the platform. */
  readonly h: string
  /** Business time of the decision, wall time, wall time until which the operation is remembered. */
  readonly t: number
  readonly w: number
  readonly x: number
  /** Ledger accounts whose balances the facts show. */
  readonly ob: ReadonlyArray<string>
  /** The answer to remember. */
  readonly y?: Row
  /** What is not empty of everything else. */
  readonly parts: Parts
}

export interface ChangeSetCode {
  readonly coded: Coded
  /** Of what the sums are that its commit tells. */
  readonly shown: Shown
  /** What the set holds for itself until it is committed, and what it shares with others who hold it. */
  readonly exclusive: ReadonlyArray<string>
  readonly shared: ReadonlyArray<string>
  /** Whether the set-based path knows all of its parts. */
  readonly isPlain: boolean
}

/** Longer than anybody goes on sending a change set whose outcome is not known. */
const operationMillis = 8 * 24 * 60 * 60 * 1000

const never = -1

const recordName = (platformId: string, kind: Kind, id: string): string => `record ${platformId} ${kind} ${id}`

const records = (set: ChangeSet) => {
  const inserted = new Set(set.inserts.map(({ id, kind }) => `${kind} ${id}`))
  const updated = new Map(set.updates.map(({ id, kind, version }) => [`${kind} ${id}`, version]))
  const guards: Array<Row> = []
  for (const { id, kind, version } of set.guards) {
    const name = `${kind} ${id}`
    // A guard is judged on what stood before the set: an update of the same version says the same.
    if (!inserted.has(name) && updated.get(name) === version) continue
    const holds = inserted.has(name) || updated.has(name) ? never : version
    guards.push([kindTable(kind).number, id, holds])
  }
  return {
    i: set.inserts.map(({ customerId, data, id, kind }): Row => {
      const table = kindTable(kind)
      return [table.number, id, customerId, fieldValues(table, data), data]
    }),
    m: set.updates.map(({ data, erasesHistory, id, kind, version }): Row => {
      const table = kindTable(kind)
      const row = [table.number, id, version, fieldValues(table, data), data]
      return erasesHistory === true ? [...row, true] : row
    }),
    g: guards,
  }
}

const keys = (set: ChangeSet, changes: ReadonlyArray<ClaimChange>, platformId: string): ReadonlyArray<Row> =>
  changes.map(({ key, record, scope }) => {
    const inserted = set.inserts.find(({ id, kind }) => id === record.id && kind === record.kind)
    const kindNumber = kindTable(record.kind).number
    const owner = [inserted !== undefined, inserted?.customerId ?? null]
    return [key, scope === "global" ? "" : platformId, record.kind, kindNumber, record.id, ...owner]
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

const most = ({ delta, max }: CounterChange): number =>
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

const withoutEmpty = (parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part.length > 0))

/** The same set has the same owner each time it is sent. */
const ownerOf = (set: ChangeSet, { platformId }: Caller): string => {
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
  set.claims.every(({ record }) => set.inserts.some(({ id, kind }) => id === record.id && kind === record.kind))

const answerOf = ({ answer, expiresAt, fingerprint, key, status }: ReplayRecord, shown: Shown): Row => [
  key,
  fingerprint,
  status,
  JSON.stringify(answer),
  expiresAt,
  shownBy(shown, answer),
]

/** Encodes a set; throws where no decision may make it. `wallNow`: for the lives of receipts and the holds of lanes. */
export const encode = (set: ChangeSet, caller: Caller, wallNow: number): ChangeSetCode => {
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
  const shown = shownOf(set)
  const shared = set.guards.map(({ id, kind }) => recordName(platformId, kind, id))
  const parts = withoutEmpty({
    l: [...[...exclusive, ...lanes].map((name) => [name, true]), ...shared.map((name) => [name, false])],
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
      JSON.stringify(data),
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
    coded: {
      p: platformId,
      u: caller._tag === "Agent" ? caller.customerId : null,
      o: set.operationId,
      h: ownerOf(set, caller),
      t: set.at,
      w: wallNow,
      x: wallNow + operationMillis,
      ob: shown.balances,
      ...(replay === undefined ? {} : { y: answerOf(replay, shown) }),
      parts,
    },
    shown,
    // One set may end a job whose id another begins anew: which comes first would not be told by a batch.
    exclusive: [...exclusive, ...[...set.finishes, ...set.returns, ...set.jobs].map(({ id }) => `job ${id}`)],
    shared,
    isPlain: isPlain(set),
  }
}
