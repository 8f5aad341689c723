/** The payments of the day by their amounts, which are all different: what the banks do with each, and how it ends. */
import type { Fate } from "@countersign/adapter-bank-files/simulator"

/** Amounts in cents. */
export const paid = {
  booked: 1_111,
  rejected: 1_204,
  returned: 1_305,
  returnedLate: 1_406,
  batchedTwice: 2_222,
  notReported: 3_333,
  statementLost: 4_444,
  converted: 10_000,
} as const

export const pulled = { first: 50_000, second: 50_001, third: 50_002, dollars: 8_000, bounced: 8_800 } as const

const book: Fate = { _tag: "Book" }
const fates: Readonly<Record<number, Fate>> = {
  [paid.rejected]: { _tag: "Reject", code: "AC04" },
  [paid.returned]: { _tag: "Return", code: "AC04", days: 0 },
  [paid.returnedLate]: { _tag: "Return", code: "MD06", days: 2 },
  [pulled.bounced]: { _tag: "Return", code: "R01", days: 1 },
}

export const fateOf = ({ amount }: { readonly amount: number }): Fate => fates[amount] ?? book

const failing: ReadonlySet<number> = new Set(Object.keys(fates).map(Number))

/** How the transaction of a payment ends. */
export const endOf = (amount: number): "COMPLETED" | "FAILED" => (failing.has(amount) ? "FAILED" : "COMPLETED")
