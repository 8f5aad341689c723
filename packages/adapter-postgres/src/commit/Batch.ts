/**
 * Many change sets as the arguments of the set-based commit. The sums are made here, so that the database has nothing to add up: what the
 * batch adds to each account and counter, and for each set what the sets after it add.
 * Source: `schema/BatchColumns.ts`; `sql/functions/commit_group.sql`.
 */
import type { CommitFacts, Queue } from "@countersign/core/store"
import { BatchRows } from "../schema/BatchColumns.ts"
import { addSet, type BalanceDelta, BalanceDeltas, type SumOffset, sumOffsets } from "./BalanceDeltas.ts"
import * as BatchParts from "./BatchParts.ts"
import { customerOf, type EncodedChangeSet } from "./EncodedChangeSet.ts"

export interface Batch {
  /** The arguments of the function after `diagnose_conflicts`, in their order. */
  readonly parameters: ReadonlyArray<string | ReadonlyArray<string | null>>
  /** The queues to which it adds jobs. */
  readonly queues: ReadonlyArray<Queue>
  /** The facts of each set, from the sums that the function returns. */
  readonly facts: (sums: BatchSums) => ReadonlyArray<CommitFacts>
  /** The numbers of the sets that move the accounts and counters with these numbers. */
  readonly setsOf: (
    moved: { readonly [what in "accounts" | "counters"]?: ReadonlyArray<number> },
  ) => ReadonlySet<number>
}

/** The values of accounts and counters after the batch, at their numbers minus one. */
export interface BatchSums {
  readonly balances: ReadonlyArray<number>
  readonly sequences: ReadonlyArray<number>
  readonly counters: ReadonlyArray<number>
  /** The customers of the accounts; empty if no agent observes an account that it does not move, and so may not own. */
  readonly owners: ReadonlyArray<string | null>
}

/** The answer for sets whose sums a number cannot represent exactly: they are committed one by one. */
export const inexact = Symbol("inexact")

interface SetOffsets {
  readonly accounts: ReadonlyArray<SumOffset>
  readonly counters: ReadonlyArray<SumOffset>
}

const factsOf = (offsets: SetOffsets, agentCustomer: string | null, sums: BatchSums): CommitFacts => {
  const { balances, counters, owners, sequences } = sums
  const isVisible = (account: number) =>
    agentCustomer === null || owners.length === 0 || owners[account] === agentCustomer
  return {
    balances: Object.fromEntries(
      offsets.accounts.map(({ index, laterCount, laterTotal, name }) => [
        name,
        isVisible(index)
          ? { balance: (balances[index] ?? 0) - laterTotal, sequence: (sequences[index] ?? 0) - laterCount }
          : { balance: 0, sequence: 0 },
      ]),
    ),
    counters: Object.fromEntries(
      offsets.counters.map(({ index, laterTotal, name }) => [name, (counters[index] ?? 0) - laterTotal]),
    ),
  }
}

export const batchOf = (sets: ReadonlyArray<EncodedChangeSet>): Batch | typeof inexact => {
  const accounts = new BalanceDeltas()
  const counters = new BalanceDeltas()
  const deltas = sets.map((code) => ({ code, ...addSet(accounts, counters, code) }))
  if (!accounts.isExact || !counters.isExact) return inexact

  const rows = new BatchRows()
  BatchParts.addLocks(rows, sets)
  BatchParts.addDeltas(rows, accounts, counters)
  BatchParts.addSets(rows, sets)
  BatchParts.addRecords(rows, sets)
  BatchParts.addJobs(rows, sets)
  BatchParts.addMessages(rows, sets)
  const offsets: Array<SetOffsets> = []
  for (const [index, own] of [...deltas.entries()].reverse()) {
    offsets[index] = { accounts: sumOffsets(own.accounts), counters: sumOffsets(own.counters) }
    BatchParts.addSums(rows, index + 1, own.code, own)
  }

  const facts: Batch["facts"] = (sums) =>
    sets.map(({ caller }, index) => factsOf(offsets[index] ?? { accounts: [], counters: [] }, customerOf(caller), sums))

  const setsOf: Batch["setsOf"] = ({ accounts: accountNumbers = [], counters: counterNumbers = [] }) => {
    const isOneOf = (numbers: ReadonlyArray<number>, delta: BalanceDelta | undefined) =>
      delta !== undefined && numbers.includes(delta.number)
    const found = deltas.flatMap(({ accounts: moved, code: { set }, counters: counted }, index) => {
      const names =
        set.transfers.some(({ from, to }) => [from, to].some((id) => isOneOf(accountNumbers, moved.get(id)))) ||
        set.counters.some(({ key }) => isOneOf(counterNumbers, counted.get(key)))
      return names ? [index + 1] : []
    })
    return new Set(found)
  }
  // Then the function must return whose the accounts are.
  const isObserving = sets.some(({ caller, set }) => customerOf(caller) !== null && set.observes.length > 0)
  const queues = new Set(sets.flatMap(({ set }) => set.jobs.map(({ queue }) => queue)))
  return { parameters: [String(isObserving), ...rows.parameters], queues: [...queues], facts, setsOf }
}
