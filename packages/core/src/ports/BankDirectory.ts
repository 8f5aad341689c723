/**
 * The banks and operators that can be discovered. A deployment knows those of `BankTable` unless it says otherwise:
 * `directoryOf([...banks, ...more])` adds to them, and a directory of one's own may ask elsewhere.
 * Spec: Discovery entry; wire contract 2.8.
 */
import { Context, Effect } from "effect"
import { type Bank, banks } from "../model/account/BankTable.ts"

/** Absent: any. */
export interface BankFilter {
  readonly country?: string
  readonly currency?: string
}

export interface BankDirectory {
  readonly find: (filter: BankFilter) => Effect.Effect<ReadonlyArray<Bank>>
}

/** A directory of exactly these banks, in their order. */
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
