/**
 * What a batch adds to ledger accounts and counters: per account and counter the total of all sets, and for each set what the sets after
 * it add.
 * Source: `Batch.ts`; `sql/functions/commit_group.sql`.
 */
import { amountMax } from "@countersign/core/models"
import { customerOf, type EncodedChangeSet, upperBound } from "./EncodedChangeSet.ts"

/** What the batch adds to one account or counter. */
export class BalanceDelta {
  readonly name: string
  readonly platform: string
  readonly id: string
  /** Its place in the order of names, from 1: rows are locked in one order. */
  number = 0
  total = 0
  /** The sum of all negative amounts, and of all positive ones. */
  decrease = 0
  increase = 0
  count = 0
  /** Of an account; `null` if sets name several currencies, which no account has. */
  currency: string | null | undefined
  /**
   * The customer who must own an account, because its agent moves it; `""`, which is no customer, if agents of several customers do. The
   * owner of a counter.
   */
  customer: string | null = null
  /** The smallest upper bound of a counter. */
  upperBound = amountMax
  /** Sum and number of the amounts after the set or entry that is being written. */
  laterTotal = 0
  laterCount = 0

  constructor(name: string, platform: string, id: string) {
    this.name = name
    this.platform = platform
    this.id = id
  }

  add(amount: number): void {
    this.total += amount
    this.count += 1
    if (amount < 0) this.decrease += amount
    else this.increase += amount
  }

  /** Steps back over an amount, from the last of the batch to the first. */
  stepBack(amount: number): void {
    this.laterTotal += amount
    this.laterCount += 1
  }
}

export class BalanceDeltas {
  readonly #byName = new Map<string, BalanceDelta>()

  of(platform: string, id: string): BalanceDelta {
    const name = `${platform} ${id}`
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const delta = new BalanceDelta(name, platform, id)
    this.#byName.set(name, delta)
    return delta
  }

  /** Numbers them all: those that move before those that are only observed. */
  numbered(): ReadonlyArray<BalanceDelta> {
    const all = [...this.#byName.values()].sort((a, b) =>
      a.count > 0 === b.count > 0 ? (a.name < b.name ? -1 : 1) : b.count - a.count,
    )
    for (const [index, delta] of all.entries()) delta.number = index + 1
    return all
  }

  /** Whether a number represents all their sums exactly. */
  get isExact(): boolean {
    return [...this.#byName.values()].every(({ decrease, increase }) => -decrease <= amountMax && increase <= amountMax)
  }
}

/** The accounts and counters of one set, by the names in the set, in the order of its facts. */
export interface SetDeltas {
  readonly accounts: ReadonlyMap<string, BalanceDelta>
  readonly counters: ReadonlyMap<string, BalanceDelta>
}

/** How the value of an account or counter after one set follows from its value after the batch. */
export interface SumOffset {
  readonly name: string
  /** The place of the value in the answer of the commit function. */
  readonly index: number
  readonly laterTotal: number
  readonly laterCount: number
}

export const sumOffsets = (deltas: ReadonlyMap<string, BalanceDelta>): ReadonlyArray<SumOffset> =>
  Array.from(deltas, ([name, { laterCount, laterTotal, number }]) => ({
    name,
    index: number - 1,
    laterTotal,
    laterCount,
  }))

/** Adds the amounts of a set to those of the batch and returns its accounts and counters. */
export const addSet = (
  accounts: BalanceDeltas,
  counters: BalanceDeltas,
  { caller, set, sumNames }: EncodedChangeSet,
): SetDeltas => {
  const { platformId } = caller
  const agentCustomer = customerOf(caller)
  const accountDeltas = new Map(sumNames.balances.map((id) => [id, accounts.of(platformId, id)]))
  const move = (id: string, amount: number, currency: string) => {
    const account = accountDeltas.get(id)
    if (account === undefined) return
    account.add(amount)
    account.currency = account.currency === undefined || account.currency === currency ? currency : null
    if (agentCustomer !== null)
      account.customer = account.customer === null || account.customer === agentCustomer ? agentCustomer : ""
  }
  for (const { amount, currency, from, to } of set.transfers) {
    move(from, -amount, currency)
    move(to, amount, currency)
  }
  const counterDeltas = new Map(sumNames.counters.map((key) => [key, counters.of(platformId, key)]))
  for (const change of set.counters) {
    const counter = counterDeltas.get(change.key)
    if (counter === undefined) continue
    counter.add(change.delta)
    counter.upperBound = Math.min(counter.upperBound, upperBound(change))
    counter.customer = change.customerId ?? null
  }
  return { accounts: accountDeltas, counters: counterDeltas }
}
