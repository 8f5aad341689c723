/**
 * The banks and operators that clients can discover: by default those of `BankTable`. `directoryOf([...banks, ...more])` adds to
 * them; an own directory can query another source.
 * Spec: Discovery entry; wire contract 2.8.
 */
import { Context, Effect } from "effect"
import { type Bank, banks } from "../model/account/BankTable.ts"

/** An absent member matches every bank. */
export interface BankFilter {
  readonly country?: string
  readonly currency?: string
}

export interface BankDirectory {
  readonly find: (filter: BankFilter) => Effect.Effect<ReadonlyArray<Bank>>
}

/** Returns a directory of exactly these banks, in their order. */
export const directoryOf = (known: ReadonlyArray<Bank>): BankDirectory => ({
  find: ({ country, currency }) =>
    Effect.succeed(
      known.filter(
        (bank) =>
          (country === undefined || bank.country === country) && (currency === undefined || bank.currency === currency),
      ),
    ),
})

export const BankDirectory = Context.Reference<BankDirectory>("@countersign/core/BankDirectory", {
  defaultValue: () => directoryOf(banks),
})
