/**
 * `countersign ledger`: the trial balance of the whole deployment, or the postings of one transaction. It only reads.
 * Source: D-110.
 */
import { amountText, iso } from "@countersign/core/models"
import { Operator, type Posting, Store, TrialBalance } from "@countersign/core/store"
import { Console, Effect, Option } from "effect"
import type { CheckedValues } from "./CheckedFlags.ts"
import { negativeAnswer } from "./CommandError.ts"
import { checkedOptions } from "./CommandOptions.ts"
import { asJson } from "./output/Print.ts"
import { onStore } from "./StoreCommand.ts"
import type { StoreOptions } from "./StoreOption.ts"
import * as TextTable from "./TextTable.ts"

export interface LedgerOptions extends StoreOptions {
  readonly json: boolean
}

const printTrialBalance = Effect.fnUntraced(function* (json: boolean) {
  const { trialBalance } = yield* Store
  const lines = yield* trialBalance
  const totals = TrialBalance.totals(lines)
  const problems = TrialBalance.problems(lines)
  if (json) yield* Console.log(asJson({ isBalanced: problems.length === 0, problems, lines, totals }))
  else {
    // Currencies without postings are only counted.
    const used = totals.filter(({ credit, debit }) => credit !== 0n || debit !== 0n)
    const rows = used.flatMap((total) => {
      const { currency } = total
      const sums = ({ balance, credit, debit }: Pick<typeof total, "balance" | "credit" | "debit">) =>
        [debit, credit, balance].map((sum) => amountText(sum, currency))
      return [
        ...lines.flatMap((line) =>
          line.currency === currency ? [[line.role, String(line.accounts), ...sums(line)]] : [],
        ),
        ["total", "", ...sums(total)],
      ]
    })
    const head = ["kind of account", "accounts", "debit", "credit", "balance"]
    if (rows.length > 0) yield* Console.log(TextTable.make(head, rows, 1))
    const unused = totals.length - used.length
    if (unused > 0) yield* Console.log(`no postings in ${unused} ${unused === 1 ? "currency" : "currencies"}`)
    if (problems.length === 0) yield* Console.log("the books balance")
  }
  if (problems.length > 0) return yield* negativeAnswer(`the books do not balance: ${problems.join("; ")}`)
})

const row = ({ amount, at, currency, from, to }: Posting, index: number) => [
  String(index + 1),
  iso(at),
  amountText(amount, currency),
  `${from.account} (${from.sequence})`,
  `${to.account} (${to.sequence})`,
]

const printTransaction = Effect.fnUntraced(function* (transaction: string, json: boolean) {
  const { postings } = yield* Store
  const entries = yield* postings(transaction)
  if (entries.length === 0) return yield* negativeAnswer(`the books have no entries of ${transaction}`)
  if (json) {
    const transfers = entries.map(({ amount, at, from, to, ...posting }) => ({
      ...posting,
      at: iso(at),
      amount: String(amount),
      from: { ...from, balanceAfter: String(from.balanceAfter) },
      to: { ...to, balanceAfter: String(to.balanceAfter) },
    }))
    return yield* Console.log(asJson({ transaction, transfers }))
  }
  yield* Console.log(TextTable.make(["", "when", "amount", "from (entry)", "to (entry)"], entries.map(row), 5))
})

export const run = Effect.fnUntraced(function* ({
  transaction,
  ...values
}: CheckedValues<LedgerOptions> & { readonly transaction: Option.Option<string> }) {
  const options = yield* checkedOptions<LedgerOptions>(values)
  const { json } = options
  const print = Option.match(transaction, {
    onNone: () => printTrialBalance(json),
    onSome: (id) => printTransaction(id, json),
  })
  return yield* onStore(options, Effect.provideService(print, Operator, { _tag: "Operator" }))
})
