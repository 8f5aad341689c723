/**
 * A change set as the serial commit takes it: a JSON object whose parts are arrays of rows, with all sums made. Empty parts are left
 * out. Bodies that are stored unchanged travel as text.
 * Source: ports/ChangeSet.ts; `sql/functions/commit_serial.sql`, which documents each part.
 */
import {
  type ChangeSet,
  type ClaimChange,
  isParkedJobDecision,
  type ListedValue,
  type ReplayRecord,
  receiptRetentionMillis,
} from "@countersign/core/store"
import { fieldValues, kindTable } from "../schema/KindTables.ts"
import { encodeTemplate } from "../schema/StoredTemplate.ts"
import {
  customerOf,
  type EncodedChangeSet,
  guardsOf,
  insertedBy,
  ownerOf,
  scopeOf,
  upperBound,
} from "./EncodedChangeSet.ts"
import { encodeSumNames } from "./StoredSums.ts"

type Cell = string | number | boolean | null | ReadonlyArray<ListedValue> | object
type Row = ReadonlyArray<Cell>

const records = (set: ChangeSet) => ({
  inserts: set.inserts.map(({ customerId, data, id, kind }): Row => {
    const table = kindTable(kind)
    return [table.number, id, customerId, fieldValues(table, data), JSON.stringify(data)]
  }),
  updates: set.updates.map(({ data, erasesHistory, id, kind, version }): Row => {
    const table = kindTable(kind)
    const row = [table.number, id, version, fieldValues(table, data), JSON.stringify(data)]
    return erasesHistory === true ? [...row, true] : row
  }),
  guards: guardsOf(set).map(({ id, kind, version }): Row => [kindTable(kind).number, id, version]),
})

const uniqueKeys = (
  { caller: { platformId }, part, set }: EncodedChangeSet,
  changes: ReadonlyArray<ClaimChange>,
): ReadonlyArray<Row> =>
  changes.map(({ key, record, scope }) => {
    const inserted = insertedBy(set, record)
    const elsewhere = part?.ownersElsewhere?.get(`${record.kind} ${record.id}`)
    const kindNumber = kindTable(record.kind).number
    const owner = [inserted !== undefined || elsewhere !== undefined, inserted?.customerId ?? elsewhere ?? null]
    return [key, scopeOf(scope, platformId), record.kind, kindNumber, record.id, ...owner]
  })

interface AccountTotal {
  total: bigint
  count: number
  /** `null`: several, which no account has. */
  currency: string | null
}

interface Entry {
  readonly account: string
  readonly amount: number
  /** The sum of the account's entries up to this one, and its number among them, from 1. */
  readonly runningTotal: bigint
  readonly ordinal: number
  readonly reference: string
  readonly transfer: number
}

const ledger = ({ part, set }: EncodedChangeSet) => {
  const totals = new Map<string, AccountTotal>()
  const entries: Array<Entry> = []
  for (const [index, { amount, currency, from, reference, to }] of set.transfers.entries()) {
    const transfer = part?.transferNumbers?.[index] ?? index
    for (const [account, signed] of [[from, -amount] as const, [to, amount] as const]) {
      const at = totals.get(account) ?? { total: 0n, count: 0, currency }
      at.total += BigInt(signed)
      at.count += 1
      if (at.currency !== currency) at.currency = null
      totals.set(account, at)
      entries.push({ account, amount: signed, runningTotal: at.total, ordinal: at.count, reference, transfer })
    }
  }
  return {
    ledgerAccounts: set.ledgerAccounts.map(
      ({ currency, customerId, floor, id }): Row => [id, currency, floor, customerId],
    ),
    // In the order of their first entries.
    balanceDeltas: [...totals].map(([id, { count, currency, total }]): Row => [id, String(total), count, currency]),
    entries: entries.map(({ account, amount, ordinal, reference, runningTotal, transfer }): Row => {
      const { count, total } = totals.get(account) ?? { count: ordinal, total: runningTotal }
      return [account, amount, String(total - runningTotal), count - ordinal, reference, transfer]
    }),
    assertions: set.assertions.map(({ account, sequence }): Row => [account, sequence]),
  }
}

const counters = (set: ChangeSet) => {
  const totals = new Map<string, bigint>()
  const owners = new Map(set.counters.map(({ customerId, key }) => [key, customerId ?? null]))
  const counterChanges = set.counters.map((change): Row => {
    const { delta, expected, key } = change
    const runningTotal = (totals.get(key) ?? 0n) + BigInt(delta)
    totals.set(key, runningTotal)
    return [key, String(runningTotal), upperBound(change), expected ?? null, delta]
  })
  const counterDeltas = [...totals].map(([key, total]): Row => [key, String(total), owners.get(key) ?? null])
  return { counterChanges, counterDeltas }
}

const jobs = (set: ChangeSet) => ({
  finishes: set.finishes.map(({ attempt, id }): Row => [id, attempt]),
  returns: set.returns.map((change): Row => {
    const { attempt, id, outcome } = change
    if (isParkedJobDecision(change)) return [id, attempt, outcome]
    const { error, notBefore, payload } = change
    const state = outcome === "parked" ? "parked" : "waiting"
    return [id, attempt, state, notBefore, error, payload === undefined ? null : JSON.stringify(payload)]
  }),
  jobs: set.jobs.map(
    ({ customerId, dueAt, id, kind, lane, laneHoldMillis, opensLane = false, payload, queue }): Row => [
      id,
      queue,
      kind,
      customerId,
      lane ?? null,
      laneHoldMillis ?? null,
      dueAt,
      JSON.stringify(payload),
      opensLane,
    ],
  ),
})

const replayOf = (
  { answer, expiresAt, fingerprint, key, status }: ReplayRecord,
  { part, sumNames }: EncodedChangeSet,
): Row => [
  key,
  fingerprint,
  status,
  encodeTemplate(answer),
  expiresAt,
  encodeSumNames(sumNames, answer),
  part?.sums?.text ?? null,
]

const withoutEmpty = (parts: { readonly [part: string]: ReadonlyArray<Row> }) =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part.length > 0))

/** `isLate`: whether the decision has expired, so that the set must not be committed unless it already was. */
export const serialChangeSet = (encoded: EncodedChangeSet, isLate: boolean): object => {
  const { caller, exclusiveLocks, part, set, shared, sumNames, wallNow } = encoded
  const { platformId } = caller
  return {
    platform: platformId,
    agentCustomer: customerOf(caller),
    operation: set.operationId,
    operationOwner: ownerOf(set, caller),
    decidedAt: set.at,
    wallNow,
    receiptExpiresAt: wallNow + receiptRetentionMillis,
    observed: part?.sums === undefined ? sumNames.balances : [],
    ...(set.replay === undefined ? {} : { replay: replayOf(set.replay, encoded) }),
    ...(isLate ? { isLate } : {}),
    ...withoutEmpty({
      locks: [...exclusiveLocks.map((name) => [name, true]), ...shared.map((name) => [name, false])],
      ...records(set),
      ...jobs(set),
      releases: uniqueKeys(encoded, set.releases),
      claims: uniqueKeys(encoded, set.claims),
      ...ledger(encoded),
      ...counters(set),
      events: set.events.map(({ customerId, data, id, subject, type }) => [
        id,
        type,
        customerId,
        subject,
        encodeTemplate(data),
        encodeSumNames(sumNames, data),
        part?.sums?.text ?? null,
      ]),
      attempts: set.attempts.map(({ attempt, eventId }) => [eventId, JSON.stringify(attempt)]),
    }),
  }
}
