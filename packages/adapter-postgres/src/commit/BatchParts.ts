/**
 * Adds the parts of change sets to the rows of a batch.
 * Source: `schema/BatchColumns.ts`, which describes each column.
 */
import { type Kind, receiptRetentionMillis } from "@countersign/core/store"
import type { BatchRows, RowOf } from "../schema/BatchColumns.ts"
import { fieldValues, kindTable } from "../schema/KindTables.ts"
import { encodeTemplate } from "../schema/StoredTemplate.ts"
import type { BalanceDeltas, SetDeltas } from "./BalanceDeltas.ts"
import { customerOf, type EncodedChangeSet, guardsOf, insertedBy, ownerOf, scopeOf } from "./EncodedChangeSet.ts"
import { RowsByKey } from "./RowsByKey.ts"
import { encodeSumNames } from "./StoredSums.ts"

type Sets = ReadonlyArray<EncodedChangeSet>

const json = JSON.stringify

/** Adds each lock once: exclusively if any set needs it so. */
export const addLocks = (rows: BatchRows, sets: Sets): void => {
  const locks = new Map<string, boolean>()
  for (const { exclusiveLocks, shared } of sets) {
    for (const name of shared) if (!locks.has(name)) locks.set(name, false)
    for (const name of exclusiveLocks) locks.set(name, true)
  }
  for (const [name, exclusive] of locks) rows.add("lock", { name, exclusive })
}

/** Numbers the accounts and counters and adds them. */
export const addDeltas = (rows: BatchRows, accounts: BalanceDeltas, counters: BalanceDeltas): void => {
  for (const delta of accounts.numbered()) {
    const { count: entry_count, currency = null, customer, decrease, id, increase, platform, total } = delta
    if (entry_count > 0)
      rows.add("account", { platform, id, total, decrease, increase, entry_count, currency, customer })
    else rows.add("observed", { platform, id })
  }
  for (const { customer, decrease, id, increase, platform, total, upperBound: upper_bound } of counters.numbered()) {
    rows.add("counter", { platform, key: id, customer, total, decrease, increase, upper_bound })
  }
}

/** Collects the rows of a part by kind; `end` adds them, kind after kind, with the ends of their ranges. */
const byKind = <P extends "guard" | "updated" | "inserted">(
  rows: BatchRows,
  part: P,
  range: "guard_range" | "updated_range" | "inserted_range",
) => {
  const kinds = new RowsByKey<RowOf<P>>()
  return {
    add: (kind: Kind, row: RowOf<P>) => kinds.add(kindTable(kind).number, row),
    end: () => {
      for (const [kind, all] of Object.entries(kinds.rows)) {
        for (const row of all) rows.add(part, row)
        rows.add(range, { kind: Number(kind), last: rows.count(part) })
      }
    },
  }
}

/** Adds the guards, updates and inserts of all sets. */
export const addRecords = (rows: BatchRows, sets: Sets): void => {
  const guards = byKind(rows, "guard", "guard_range")
  const updates = byKind(rows, "updated", "updated_range")
  const inserts = byKind(rows, "inserted", "inserted_range")
  for (const [index, { set }] of sets.entries()) {
    const set_number = index + 1
    for (const { id, kind, version } of guardsOf(set)) guards.add(kind, { set_number, id, version })
    for (const { data, id, kind, version } of set.updates) {
      const fields = json(fieldValues(kindTable(kind), data))
      updates.add(kind, { set_number, id, version, fields, data: json(data) })
    }
    for (const { customerId, data, id, kind } of set.inserts) {
      const fields = json(fieldValues(kindTable(kind), data))
      inserts.add(kind, { set_number, id, customer: customerId, fields, data: json(data) })
    }
  }
  for (const part of [guards, updates, inserts]) part.end()
}

/** Adds the sets themselves, their unique keys and the jobs that they finish. */
export const addSets = (rows: BatchRows, sets: Sets): void => {
  for (const [index, { caller, set, wallNow }] of sets.entries()) {
    const { platformId } = caller
    const set_number = index + 1
    rows.add("set", {
      platform: platformId,
      agent_customer: customerOf(caller),
      operation: set.operationId,
      owner: ownerOf(set, caller),
      decided_at: set.at,
      receipt_expires_at: wallNow + receiptRetentionMillis,
    })
    for (const { attempt, id } of set.finishes) rows.add("finished", { set_number, id, attempt })
    for (const { key, record, scope } of set.claims) {
      const { id, kind } = record
      const customer = insertedBy(set, record)?.customerId ?? null
      rows.add("claim", { set_number, key, scope: scopeOf(scope, platformId), kind, id, customer })
    }
  }
}

/** Adds the new jobs. Only the first job of each lane in the batch can be open at once. */
export const addJobs = (rows: BatchRows, sets: Sets): void => {
  const lanes = new Set<string>()
  for (const [index, { caller, set }] of sets.entries()) {
    for (const { lane = null, ...job } of set.jobs) {
      const name = `${caller.platformId} ${job.queue} ${lane}`
      rows.add("job", {
        set_number: index + 1,
        id: job.id,
        queue: job.queue,
        kind: job.kind,
        customer: job.customerId,
        lane,
        lane_hold_millis: job.laneHoldMillis ?? null,
        due_at: job.dueAt,
        payload: json(job.payload),
        opens_lane: job.opensLane === true,
        is_first: lane === null || !lanes.has(name),
      })
      if (lane !== null) lanes.add(name)
    }
  }
}

/** Adds the events, the attempts to deliver them, and the response under the idempotency key or else the receipt. */
export const addMessages = (rows: BatchRows, sets: Sets): void => {
  for (const [index, { set, sumNames }] of sets.entries()) {
    const set_number = index + 1
    for (const { customerId: customer, data, id, subject, type } of set.events) {
      const shown = encodeSumNames(sumNames, data)
      rows.add("event", { set_number, id, type, customer, subject, data: encodeTemplate(data), shown })
    }
    for (const { attempt, eventId: event } of set.attempts) {
      rows.add("attempt", { set_number, event, data: json(attempt) })
    }
    const { replay } = set
    if (replay === undefined) {
      rows.add("receipt", { set_number })
      continue
    }
    const { expiresAt: expires_at, fingerprint, key, status } = replay
    const shown = encodeSumNames(sumNames, replay.answer)
    const answer = encodeTemplate(replay.answer)
    rows.add("replay", { set_number, key, fingerprint, status, answer, expires_at, shown })
  }
}

/** Whether a set's sums are stored: for the placeholders of a body, or as the receipt of an operation without a key. */
const storesSums = ({ set: { events, replay } }: EncodedChangeSet): boolean =>
  replay === undefined ||
  replay.answer.placeholders.length > 0 ||
  events.some(({ data }) => data.placeholders.length > 0)

/**
 * Adds the stored sums and the ledger entries of a set and steps its deltas back over it. Call it from the last set to the first, so
 * that each set sees what comes after it.
 */
export const addSums = (rows: BatchRows, set_number: number, code: EncodedChangeSet, deltas: SetDeltas): void => {
  const { accounts, counters } = deltas
  if (storesSums(code)) {
    for (const { laterCount: later_count, laterTotal: later_total, number } of accounts.values()) {
      rows.add("stored_sum", { set_number, number, later_total, later_count })
    }
    for (const { laterTotal: later_total, number } of counters.values()) {
      rows.add("stored_sum", { set_number, number, later_total, later_count: null })
    }
  }
  for (const [transfer, { amount: sent, from, reference, to }] of [...code.set.transfers.entries()].reverse()) {
    for (const [id, amount] of [[to, sent] as const, [from, -sent] as const]) {
      const account = accounts.get(id)
      if (account === undefined) continue
      const { laterCount: later_count, laterTotal: later_total, number } = account
      rows.add("entry", { set_number, account: number, amount, later_total, later_count, reference, transfer })
      account.stepBack(amount)
    }
  }
  for (const { delta, key } of code.set.counters) counters.get(key)?.stepBack(delta)
}
