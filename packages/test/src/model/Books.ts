/**
 * What is wrong with books, whatever happened: every currency balances by itself, balances are the sums of their entries, and what is bounded
 * is not below zero.
 * Spec: General conventions; architecture, "The Store port" (ledger).
 */
import type { Book } from "@countersign/adapter-memory"

/** Exact: entries of one commit may leave the safe integers on the way, though no balance does. */
const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + BigInt(number), 0n)

export const bookProblems = (books: ReadonlyArray<Book>): ReadonlyArray<string> => [
  ...[...Map.groupBy(books, ({ currency }) => currency)].flatMap(([currency, accounts]) => {
    const total = sum(accounts.map(({ balance }) => balance))
    return total === 0n ? [] : [`the books of ${currency} sum to ${total}`]
  }),
  ...books.flatMap(({ balance, entries, floor, id }) => [
    ...(BigInt(balance) === sum(entries.map(({ amount }) => amount)) ? [] : [`${id} is not the sum of its entries`]),
    ...(floor === 0 && balance < 0 ? [`${id} is below zero`] : []),
  ]),
]
