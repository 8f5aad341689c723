/**
 * The balances and counter values that only the commit knows, as the database stores them: numbers separated by commas. Which accounts
 * and counters they belong to is stored beside them only for readers that do not know the change set.
 * Source: ports/ChangeSet.ts (Facts).
 */
import type { CommitFacts, Template } from "@countersign/core/store"

/** What the sums belong to, in their order: balance and sequence of each account, then the value of each counter. */
export interface SumNames {
  readonly balances: ReadonlyArray<string>
  readonly counters: ReadonlyArray<string>
}

/** The names to store beside a body; `null` for a body without placeholders, which needs no sums. */
export const encodeSumNames = (names: SumNames, { placeholders }: Template): string | null =>
  placeholders.length === 0 ? null : JSON.stringify(names)

/** The numbers of facts in the order of their names, as a row stores them. */
export const encodeFacts = ({ balances, counters }: SumNames, facts: CommitFacts): string =>
  [
    ...balances.flatMap((account) => {
      const { balance, sequence } = facts.balances[account] ?? { balance: 0, sequence: 0 }
      return [balance, sequence]
    }),
    ...counters.map((key) => facts.counters[key] ?? 0),
  ].join(",")

const factsOf = ({ balances, counters }: SumNames, sums: string): CommitFacts => {
  const numbers = sums === "" ? [] : sums.split(",").map(Number)
  const at = (index: number): number => {
    const number = numbers[index]
    if (number === undefined) throw new Error("the stored sums have fewer numbers than the change set names")
    return number
  }
  return {
    balances: Object.fromEntries(
      balances.map((account, index) => [account, { balance: at(2 * index), sequence: at(2 * index + 1) }]),
    ),
    counters: Object.fromEntries(counters.map((key, index) => [key, at(2 * balances.length + index)])),
  }
}

/** What a row stores for the placeholders of its body. */
export interface StoredSums {
  readonly shown: SumNames | null
  readonly sums: string | null
}

export const decodeFacts = ({ shown, sums }: StoredSums): CommitFacts =>
  shown === null || sums === null ? { balances: {}, counters: {} } : factsOf(shown, sums)
