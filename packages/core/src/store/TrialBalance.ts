/**
 * The trial balance: the totals of each currency, which double entry requires to be zero.
 * Source: D-110.
 */
import { amountText } from "../foundation/money/AmountText.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { TrialBalanceLine } from "./Books.ts"

/** The totals of all roles in one currency. */
export interface TrialBalanceTotal {
  readonly currency: CurrencyCode
  readonly debit: bigint
  readonly credit: bigint
  readonly balance: bigint
}

/** Returns one total for each currency, in the order of the lines. */
export const totals = (lines: ReadonlyArray<TrialBalanceLine>): ReadonlyArray<TrialBalanceTotal> =>
  [...Map.groupBy(lines, ({ currency }) => currency)].map(([currency, own]) => {
    const sum = (part: "debit" | "credit" | "balance") => own.reduce((total, line) => total + line[part], 0n)
    return { currency, debit: sum("debit"), credit: sum("credit"), balance: sum("balance") }
  })

/** Returns why the books do not balance; empty if they do. */
export const problems = (lines: ReadonlyArray<TrialBalanceLine>): ReadonlyArray<string> => [
  ...totals(lines).flatMap(({ balance, credit, currency, debit }) => {
    if (balance !== 0n) return [`the balances of ${currency} add up to ${amountText(balance, currency)}, not to zero`]
    return debit === credit
      ? []
      : [
          `the entries of ${currency} add up to ${amountText(debit, currency)} debit and ${amountText(credit, currency)} credit`,
        ]
  }),
  ...lines.flatMap(({ accounts, currency, differing, role }) =>
    differing === 0
      ? []
      : [`${differing} of ${accounts} balances of ${role} ${currency} are not the sum of their entries`],
  ),
]
