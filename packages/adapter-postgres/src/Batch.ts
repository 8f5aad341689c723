/**
 * Many change sets as the set-based commit reads them: the rows of each part of all of them together, each with its set's number
 * first, those of records by the number of their kind. What several sets move is summed here: per account and counter what the whole
 * batch does to it, and per set what the sets after it do, so that the database has nothing to add up.
 * Source: `functions/CommitGroup.ts`; `ChangeSetCode.ts` for the rows.
 */
import { amountMax, type Facts, type Queue } from "@countersign/core"
import type { Coded, Row } from "./ChangeSetCode.ts"
import { Parts } from "./Parts.ts"

type Rows = Array<Row>
type Cell = Row[number] | undefined

export interface Batch {
  /** For the function. */
  readonly parts: object
  /** The queues that it adds jobs to. */
  readonly queues: ReadonlyArray<Queue>
  /** What each set is told of the sums that the function answers. */
  readonly facts: (answer: Sums) => ReadonlyArray<Facts>
}

/** What stands when all of a batch is committed: of accounts and counters by their numbers, less one. */
export interface Sums {
  readonly balances: ReadonlyArray<number>
  readonly sequences: ReadonlyArray<number>
  readonly counters: ReadonlyArray<number>
  /** Whose the accounts are; empty where every agent moves what it is told of, and so owns it. */
  readonly owners: ReadonlyArray<string | null>
}

const byKind = ["i", "m", "g"]
const asTheyAre = ["f", "k", "e"]

/** An account or a counter that sets of the batch name, and what the batch does to it. */
interface Moved {
  readonly name: string
  readonly row: Row
  /** Its place among them by name, from 1: rows are taken in one order. */
  number: number
  total: number
  /** The sum of what leaves it, and of what enters it. */
  low: number
  high: number
  count: number
  /** Of an account: `null` where sets tell several, which none has. */
  currency: string | null | undefined
  /** Whose an account must be, as agents move it; the empty name, which nobody has, where those are of several. */
  customerId: string | null
  /** The smallest bound of a counter. */
  most: number
  /** What the sets after the one that is looked at move. */
  laterTotal: number
  laterCount: number
}

class Moves {
  readonly #byName = new Map<string, Moved>()

  of(name: string, row: () => Row): Moved {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const sums = { total: 0, low: 0, high: 0, count: 0, most: amountMax, laterTotal: 0, laterCount: 0 }
    const moved: Moved = { name, row: row(), number: 0, currency: undefined, customerId: null, ...sums }
    this.#byName.set(name, moved)
    return moved
  }

  /** All of them, numbered: what moves before what does not. */
  numbered(): ReadonlyArray<Moved> {
    const all = [...this.#byName.values()].sort((a, b) =>
      a.count > 0 === b.count > 0 ? (a.name < b.name ? -1 : 1) : b.count - a.count,
    )
    for (const [index, moved] of all.entries()) moved.number = index + 1
    return all
  }

  /** Whether all its sums are told exactly by a number. */
  get isExact(): boolean {
    return [...this.#byName.values()].every(({ high, low }) => -low <= amountMax && high <= amountMax)
  }
}

const add = (moved: Moved, delta: number, count: number): void => {
  moved.total += delta
  moved.count += count
  if (delta < 0) moved.low += delta
  else moved.high += delta
}

/** Sums that no number tells exactly: such sets are committed one by one. */
export const inexact = Symbol("inexact")

interface SetMoves {
  readonly accounts: ReadonlyMap<string, Moved>
  readonly counters: ReadonlyMap<string, Moved>
}

/** What stood after a set, of one of the accounts and counters that it names. */
interface Showing {
  readonly name: string
  readonly index: number
  readonly laterTotal: number
  readonly laterCount: number
}

const showing = (moves: ReadonlyMap<string, Moved>): ReadonlyArray<Showing> =>
  [...moves].map(([name, { laterCount, laterTotal, number }]) => ({ name, index: number - 1, laterTotal, laterCount }))

/** Whether its sums are kept beside it: for the holes of a body, or as the receipt of an operation without a key. */
const keepsSums = ({ parts, y }: Coded): boolean =>
  y === undefined || y[5] !== null || (parts["e"] ?? []).some((row) => row[5] !== null)

export const batchOf = (sets: ReadonlyArray<Coded>): Batch | typeof inexact => {
  const accounts = new Moves()
  const counters = new Moves()
  const moves = sets.map(({ ob, p, parts, u }): SetMoves => {
    const own = new Map(ob.map((id) => [id, accounts.of(`${p} ${id}`, () => [p, id])]))
    for (const [id, total, count, currency] of parts["ta"] ?? []) {
      const moved = own.get(String(id))
      if (moved === undefined) continue
      add(moved, Number(total), Number(count))
      const told = currency === null ? null : String(currency)
      moved.currency = moved.currency === undefined || moved.currency === told ? told : null
      if (u !== null) moved.customerId = moved.customerId === null || moved.customerId === u ? u : ""
    }
    const counted = new Map<string, Moved>()
    for (const [cell, , owner = null] of parts["ct"] ?? []) {
      const key = String(cell)
      counted.set(
        key,
        counters.of(`${p} ${key}`, () => [p, key, owner]),
      )
    }
    for (const [key, , most, , delta] of parts["c"] ?? []) {
      const moved = counted.get(String(key))
      if (moved === undefined) continue
      add(moved, Number(delta), 1)
      moved.most = Math.min(moved.most, Number(most))
    }
    return { accounts: own, counters: counted }
  })
  if (!accounts.isExact || !counters.isExact) return inexact

  const all = new Parts<Row>()
  for (const { count, currency, customerId, high, low, row, total } of accounts.numbered()) {
    if (count > 0) {
      all.add("accounts", [...row, total, low, high, count, currency ?? null, customerId])
    } else all.add("observed", row)
  }
  for (const { high, low, most, row, total } of counters.numbered())
    all.add("counters", [...row, total, low, high, most])

  const kinds = new Map(byKind.map((part) => [part, new Parts<Row>()]))
  const queues = new Set<Queue>()
  const lanes = new Set<string>()
  for (const [index, set] of sets.entries()) {
    const number = index + 1
    for (const [part, rows] of kinds) {
      for (const [kind, ...row] of set.parts[part] ?? []) rows.add(String(kind), [number, ...row])
    }
    for (const part of asTheyAre) for (const row of set.parts[part] ?? []) all.add(part, [number, ...row])
    for (const row of set.parts["j"] ?? []) {
      const [, queue, , , lane] = row
      queues.add(queue as Queue)
      const name = `${set.p} ${String(queue)} ${String(lane)}`
      // Of a lane's jobs in the batch only the first can be let through at once.
      all.add("j", [number, ...row, lane === null || !lanes.has(name)])
      lanes.add(name)
    }
    // An agent that observes what it does not move: is it its own?
    if (set.u !== null && set.ob.length > (set.parts["ta"] ?? []).length) all.add("looks", [number])
    if (set.y === undefined) all.add("o", [number])
    else all.add("y", [number, ...set.y])
  }

  const shown: Array<readonly [accounts: ReadonlyArray<Showing>, counters: ReadonlyArray<Showing>]> = []
  // From the last set to the first, so that each knows what comes after it.
  for (const [index, { accounts: own, counters: counted }] of [...moves.entries()].reverse()) {
    const set = sets[index]
    if (set === undefined) continue
    const number = index + 1
    const touched = set.parts["ta"] ?? []
    for (const [id, amount = 0, within, withinCount, reference = "", transfer = 0] of set.parts["lt"] ?? []) {
      const moved = own.get(String(id))
      if (moved === undefined) continue
      const after = moved.laterTotal + Number(within)
      all.add("lt", [number, moved.number, amount, after, moved.laterCount + Number(withinCount), reference, transfer])
    }
    shown[index] = [showing(own), showing(counted)]
    if (keepsSums(set)) {
      for (const moved of own.values()) all.add("keeps", [number, moved.number, moved.laterTotal, moved.laterCount])
      for (const moved of counted.values()) all.add("keeps", [number, moved.number, moved.laterTotal, null])
    }
    for (const [id, total, count] of touched) {
      const moved = own.get(String(id))
      if (moved === undefined) continue
      all.add("ta", [number, moved.number])
      moved.laterTotal += Number(total)
      moved.laterCount += Number(count)
    }
    for (const [key, total] of set.parts["ct"] ?? []) {
      const moved = counted.get(String(key))
      if (moved === undefined) continue
      all.add("ct", [number, moved.number])
      moved.laterTotal += Number(total)
    }
  }
  const records = Object.fromEntries([...kinds].map(([part, { rows }]) => [part, Object.entries(rows)]))
  const facts: Batch["facts"] = ({ balances, counters: values, owners, sequences }) =>
    sets.map(({ u }, index) => {
      const [ofAccounts = [], ofCounters = []] = shown[index] ?? []
      const isSeen = (account: number) => u === null || owners.length === 0 || owners[account] === u
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
  return { parts: { ...all.rows, ...records, l: locksOf(sets) }, queues: [...queues], facts }
}

/** Each lock once: for itself, if any set wants it for itself. */
const locksOf = (sets: ReadonlyArray<Coded>): Rows => {
  const locks = new Map<Cell, boolean>()
  for (const { parts } of sets) {
    for (const [name, exclusive] of parts["l"] ?? []) locks.set(name, exclusive === true || locks.get(name) === true)
  }
  return [...locks].map(([name = "", exclusive]) => [name, exclusive])
}
