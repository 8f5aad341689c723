/**
 * Checks a ledger: each currency balances, each balance is the sum of its entries, and no bounded account is negative.
 * Spec: General conventions; architecture, "The Store port" (ledger).
 */
import type { Book } from "@countersign/adapter-memory"

/** Sums exactly: a partial sum of entries may exceed the safe integers, although no balance does. */
const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + BigInt(number), 0n)

/** Returns a sentence for each law of the ledger that the books break; an empty list for a sound ledger. */
export const bookProblems = (books: ReadonlyArray<Book>): ReadonlyArray<string> => [
  ...[...Map.groupBy(books, ({ currency }) => currency)].flatMap(([currency, accounts]) => {
    const total = sum(accounts.map(({ balance }) => balance))
    return total === 0n ? [] : [`the ledger of ${currency} sums to ${total}`]
  }),
  ...books.flatMap(({ balance, entries, floor, id }) => [
    ...(BigInt(balance) === sum(entries.map(({ amount }) => amount)) ? [] : [`${id} is not the sum of its entries`]),
    ...(floor === 0 && balance < 0 ? [`${id} is below zero`] : []),
  ]),
]
