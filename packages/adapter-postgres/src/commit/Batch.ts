/**
 * Many change sets as the set-based commit reads them: the rows of each part of all of them together. What several sets move is summed
 * here: per account and counter what the whole batch does to it, and per set what the sets after it do, so that the database has nothing
 * to add up.
 * Source: `BatchParts.ts`; `functions/CommitGroup.ts`.
 */
import type { CommitFacts, Kind, Queue } from "@countersign/core/store"
import { type RowOf, Rows } from "../schema/BatchParts.ts"
import { fieldValues, kindTable } from "../schema/KindTables.ts"
import {
  type ChangeSetCode,
  customerOf,
  guardsOf,
  insertedBy,
  operationMillis,
  ownerOf,
  scopeOf,
} from "./ChangeSetCode.ts"
import { type Moved, Moves, movesOf, type Showing, showing } from "./Moves.ts"
import { Parts } from "./Parts.ts"
import { shownBy } from "./Sums.ts"

export interface Batch {
  /** For the function, in the order of its arguments. */
  readonly parameters: ReadonlyArray<string | ReadonlyArray<string | null>>
  /** The queues that it adds jobs to. */
  readonly queues: ReadonlyArray<Queue>
  /** What each set is told of the sums that the function answers. */
  readonly facts: (answer: Sums) => ReadonlyArray<CommitFacts>
  /** The sets that move accounts and counters with these numbers, by number. */
  readonly setsOf: (
    moved: { readonly [what in "accounts" | "counters"]?: ReadonlyArray<number> },
  ) => ReadonlySet<number>
}

/** What stands when all of a batch is committed: of accounts and counters by their numbers, less one. */
export interface Sums {
  readonly balances: ReadonlyArray<number>
  readonly sequences: ReadonlyArray<number>
  readonly counters: ReadonlyArray<number>
  /** Whose the accounts are; empty where every agent moves what it is told of, and so owns it. */
  readonly owners: ReadonlyArray<string | null>
}

/** Sums that no number tells exactly: such sets are committed one by one. */
export const inexact = Symbol("inexact")

/** Whether its sums are kept beside it: for the holes of a body, or as the receipt of an operation without a key. */
const keepsSums = ({ set: { events, replay } }: ChangeSetCode): boolean =>
  replay === undefined ||
  replay.answer.placeholders.length > 0 ||
  events.some(({ data }) => data.placeholders.length > 0)

const json = JSON.stringify

/** Rows of the parts that stand by kinds. */
const byKind = <P extends "guard" | "change" | "record">(
  rows: Rows,
  part: P,
  ends: "guarded" | "changed" | "recorded",
) => {
  const kinds = new Parts<RowOf<P>>()
  return {
    add: (kind: Kind, row: RowOf<P>) => kinds.add(kindTable(kind).number, row),
    end: () => {
      for (const [kind, all] of Object.entries(kinds.rows)) {
        for (const row of all) rows.add(part, row)
        rows.add(ends, { kind: Number(kind), last: rows.count(part) })
      }
    },
  }
}

/** Each lock once: for itself, if any set wants it for itself. */
const addLocks = (rows: Rows, sets: ReadonlyArray<ChangeSetCode>): void => {
  const locks = new Map<string, boolean>()
  for (const { alone, shared } of sets) {
    for (const name of shared) if (!locks.has(name)) locks.set(name, false)
    for (const name of alone) locks.set(name, true)
  }
  for (const [name, alone] of locks) rows.add("lock", { name, alone })
}

const addAccounts = (rows: Rows, accounts: Moves, counters: Moves): void => {
  for (const { count, currency = null, customer, high, id, low, platform, total } of accounts.numbered()) {
    if (count > 0) rows.add("account", { platform, id, total, low, high, count, currency, customer })
    else rows.add("observed", { platform, id })
  }
  for (const { customer, high, id, low, most, platform, total } of counters.numbered()) {
    rows.add("counter", { platform, key: id, customer, total, low, high, most })
  }
}

export const batchOf = (sets: ReadonlyArray<ChangeSetCode>): Batch | typeof inexact => {
  const accounts = new Moves()
  const counters = new Moves()
  const moves = sets.map((code) => movesOf(accounts, counters, code))
  if (!accounts.isExact || !counters.isExact) return inexact

  const rows = new Rows()
  addLocks(rows, sets)
  addAccounts(rows, accounts, counters)

  const guards = byKind(rows, "guard", "guarded")
  const changes = byKind(rows, "change", "changed")
  const records = byKind(rows, "record", "recorded")
  const queues = new Set<Queue>()
  const lanes = new Set<string>()
  for (const [index, code] of sets.entries()) {
    const { caller, set, shown, wallNow } = code
    const { platformId } = caller
    const nr = index + 1
    rows.add("set", {
      platform: platformId,
      caller: customerOf(caller),
      operation: set.operationId,
      owner: ownerOf(set, caller),
      at: set.at,
      until: wallNow + operationMillis,
    })
    for (const { id, kind, version } of guardsOf(set)) guards.add(kind, { nr, id, version })
    for (const { data, id, kind, version } of set.updates) {
      changes.add(kind, { nr, id, version, fields: json(fieldValues(kindTable(kind), data)), data: json(data) })
    }
    for (const { customerId, data, id, kind } of set.inserts) {
      const fields = json(fieldValues(kindTable(kind), data))
      records.add(kind, { nr, id, customer: customerId, fields, data: json(data) })
    }
    for (const { attempt, id } of set.finishes) rows.add("finish", { nr, id, attempt })
    for (const { key, record, scope } of set.claims) {
      const customer = insertedBy(set, record)?.customerId ?? null
      rows.add("claim", { nr, key, scope: scopeOf(scope, platformId), kind: record.kind, id: record.id, customer })
    }
    for (const {
      customerId,
      dueAt,
      id,
      kind,
      lane = null,
      laneHoldMillis = null,
      opensLane,
      payload,
      queue,
    } of set.jobs) {
      queues.add(queue)
      const name = `${platformId} ${queue} ${lane}`
      rows.add("job", {
        nr,
        id,
        queue,
        kind,
        customer: customerId,
        lane,
        hold: laneHoldMillis,
        due: dueAt,
        payload: json(payload),
        opens: opensLane === true,
        // Of a lane's jobs in the batch only the first can be let through at once.
        first: lane === null || !lanes.has(name),
      })
      if (lane !== null) lanes.add(name)
    }
    for (const { customerId, data, id, subject, type } of set.events) {
      const shownFor = shownBy(shown, data)
      rows.add("event", { nr, id, type, customer: customerId, subject, data: json(data), shown: shownFor })
    }
    const { replay } = set
    if (replay === undefined) rows.add("receipt", { nr })
    else {
      const { answer, expiresAt: until, fingerprint, key, status } = replay
      rows.add("answer", { nr, key, fingerprint, status, body: json(answer), until, shown: shownBy(shown, answer) })
    }
  }
  for (const part of [guards, changes, records]) part.end()

  const shown: Array<readonly [accounts: ReadonlyArray<Showing>, counters: ReadonlyArray<Showing>]> = []
  // From the last set to the first, so that each knows what comes after it.
  for (let index = sets.length - 1; index >= 0; index--) {
    const code = sets[index]
    const own = moves[index]
    if (code === undefined || own === undefined) continue
    const nr = index + 1
    shown[index] = [showing(own.accounts), showing(own.counters)]
    if (keepsSums(code)) {
      for (const { laterCount, laterTotal, number } of own.accounts.values()) {
        rows.add("keep", { nr, number, later: laterTotal, later_count: laterCount })
      }
      for (const { laterTotal, number } of own.counters.values()) {
        rows.add("keep", { nr, number, later: laterTotal, later_count: null })
      }
    }
    const { counters: changes, transfers } = code.set
    for (let transfer = transfers.length - 1; transfer >= 0; transfer--) {
      const made = transfers[transfer]
      if (made === undefined) continue
      for (const [id, amount] of [[made.to, made.amount] as const, [made.from, -made.amount] as const]) {
        const account = own.accounts.get(id)
        if (account === undefined) continue
        const { laterCount: later_count, laterTotal: later, number } = account
        rows.add("entry", { nr, account: number, amount, later, later_count, reference: made.reference, transfer })
        account.back(amount)
      }
    }
    for (const { delta, key } of changes) own.counters.get(key)?.back(delta)
  }

  const facts: Batch["facts"] = ({ balances, counters: values, owners, sequences }) =>
    sets.map(({ caller }, index) => {
      const agentOf = customerOf(caller)
      const [ofAccounts = [], ofCounters = []] = shown[index] ?? []
      const isSeen = (account: number) => agentOf === null || owners.length === 0 || owners[account] === agentOf
      return {
        balances: Object.fromEntries(
          ofAccounts.map(({ index: at, laterCount, laterTotal, name }) => [
            name,
            isSeen(at)
              ? { balance: (balances[at] ?? 0) - laterTotal, sequence: (sequences[at] ?? 0) - laterCount }
              : { balance: 0, sequence: 0 },
          ]),
        ),
        counters: Object.fromEntries(
          ofCounters.map(({ index: at, laterTotal, name }) => [name, (values[at] ?? 0) - laterTotal]),
        ),
      }
    })

  const setsOf: Batch["setsOf"] = ({ accounts: inDanger = [], counters: narrow = [] }) => {
    const isOneOf = (numbers: ReadonlyArray<number>, one: Moved | undefined) =>
      one !== undefined && numbers.includes(one.number)
    const found = sets.flatMap(({ set }, index) => {
      const own = moves[index]
      const isMoved =
        set.transfers.some(({ from, to }) => [from, to].some((id) => isOneOf(inDanger, own?.accounts.get(id)))) ||
        set.counters.some(({ key }) => isOneOf(narrow, own?.counters.get(key)))
      return isMoved ? [index + 1] : []
    })
    return new Set(found)
  }
  // An agent that observes what it does not move: is it its own?
  const isObserving = sets.some(({ caller, set }) => customerOf(caller) !== null && set.observes.length > 0)
  return { parameters: [String(isObserving), ...rows.parameters], queues: [...queues], facts, setsOf }
}
