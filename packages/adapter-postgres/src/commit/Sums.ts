/**
 * What only a commit knows, as the database keeps it: the numbers alone, separated by commas. Of what they are stands beside them only
 * where somebody asks who does not know it.
 * Source: ports/ChangeSet.ts (Facts).
 */
import type { CommitFacts, Template } from "@countersign/core/store"

/** Of what sums are, in their order: a balance and a sequence of each account, then the value of each counter. */
export interface Shown {
  readonly balances: ReadonlyArray<string>
  readonly counters: ReadonlyArray<string>
}

/** Beside a body without placeholders nothing is kept. */
export const shownBy = (shown: Shown, { placeholders }: Template): string | null =>
  placeholders.length === 0 ? null : JSON.stringify(shown)

const factsOf = ({ balances, counters }: Shown, sums: string): CommitFacts => {
  const numbers = sums === "" ? [] : sums.split(",").map(Number)
  const at = (index: number): number => {
    const number = numbers[index]
    if (number === undefined) throw new Error("a commit told fewer sums than it shows")
    return number
  }
  return {
    balances: Object.fromEntries(
      balances.map((account, index) => [account, { balance: at(2 * index), sequence: at(2 * index + 1) }]),
    ),
    counters: Object.fromEntries(counters.map((key, index) => [key, at(2 * balances.length + index)])),
  }
}

/** What a row keeps for the placeholders of its body. */
export interface KeptSums {
  readonly shown: Shown | null
  readonly sums: string | null
}

export const keptFacts = ({ shown, sums }: KeptSums): CommitFacts =>
  shown === null || sums === null ? { balances: {}, counters: {} } : factsOf(shown, sums)
