/**
 * What the sets of a batch move: per account and counter what all of them do to it, and at each set what the ones after it do.
 * Source: `Batch.ts`; `functions/CommitGroup.ts`.
 */
import { amountMax } from "@countersign/core/models"
import { type ChangeSetCode, customerOf, most } from "./ChangeSetCode.ts"

/** An account or a counter that sets of the batch name, and what the batch does to it. */
export class Moved {
  readonly name: string
  readonly platform: string
  readonly id: string
  /** Its place among them by name, from 1: rows are taken in one order. */
  number = 0
  total = 0
  /** The sum of what leaves it, and of what enters it. */
  low = 0
  high = 0
  count = 0
  /** Of an account: `null` where sets tell several, which none has. */
  currency: string | null | undefined
  /** Whose an account must be, as agents move it: the empty name, which nobody has, where those are of several. Whose a counter is. */
  customer: string | null = null
  /** The smallest bound of a counter. */
  most = amountMax
  /** What the sets and entries after the one that is looked at move. */
  laterTotal = 0
  laterCount = 0

  constructor(name: string, platform: string, id: string) {
    this.name = name
    this.platform = platform
    this.id = id
  }

  add(delta: number): void {
    this.total += delta
    this.count += 1
    if (delta < 0) this.low += delta
    else this.high += delta
  }

  /** Goes back to before this. */
  back(delta: number): void {
    this.laterTotal += delta
    this.laterCount += 1
  }
}

export class Moves {
  readonly #byName = new Map<string, Moved>()

  of(platform: string, id: string): Moved {
    const name = `${platform} ${id}`
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const moved = new Moved(name, platform, id)
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

/** What a set names, in the order in which it is told of them, by the names that the set has for them. */
export interface SetMoves {
  readonly accounts: ReadonlyMap<string, Moved>
  readonly counters: ReadonlyMap<string, Moved>
}

/** What stood after a set, of one of the accounts and counters that it names. */
export interface Showing {
  readonly name: string
  readonly index: number
  readonly laterTotal: number
  readonly laterCount: number
}

export const showing = (moves: ReadonlyMap<string, Moved>): ReadonlyArray<Showing> =>
  Array.from(moves, ([name, { laterCount, laterTotal, number }]) => ({
    name,
    index: number - 1,
    laterTotal,
    laterCount,
  }))

/** What a set moves, added to what the batch moves. */
export const movesOf = (accounts: Moves, counters: Moves, { caller, set, shown }: ChangeSetCode): SetMoves => {
  const { platformId } = caller
  const agentOf = customerOf(caller)
  const own = new Map(shown.balances.map((id) => [id, accounts.of(platformId, id)]))
  const move = (id: string, delta: number, currency: string) => {
    const account = own.get(id)
    if (account === undefined) return
    account.add(delta)
    account.currency = account.currency === undefined || account.currency === currency ? currency : null
    if (agentOf !== null) account.customer = account.customer === null || account.customer === agentOf ? agentOf : ""
  }
  for (const { amount, currency, from, to } of set.transfers) {
    move(from, -amount, currency)
    move(to, amount, currency)
  }
  const counted = new Map(shown.counters.map((key) => [key, counters.of(platformId, key)]))
  for (const change of set.counters) {
    const counter = counted.get(change.key)
    if (counter === undefined) continue
    counter.add(change.delta)
    counter.most = Math.min(counter.most, most(change))
    counter.customer = change.customerId ?? null
  }
  return { accounts: own, counters: counted }
}
