/** The check of a ledger reports each kind of inconsistency, and nothing for a consistent ledger. */
import type { Book } from "@countersign/adapter-memory"
import { expect, it } from "vitest"
import { bookProblems } from "../../../packages/test/src/model/Books.ts"

const book = (id: string, floor: 0 | null, ...amounts: ReadonlyArray<number>): Book => ({
  id,
  platformId: "PlatformConfig:1",
  customerId: null,
  currency: "USD",
  floor,
  balance: amounts.reduce((total, amount) => total + amount, 0),
  sequence: amounts.length,
  entries: amounts.map((amount, index) => ({
    amount,
    sequence: index + 1,
    balanceAfter: 0,
    reference: "Transaction:1",
    operationId: "1",
    transfer: 0,
    at: 0,
  })),
})

it("reports no problem of a ledger that balances", () => {
  expect(bookProblems([book("available:a", 0, 5, -2), book("outside:a", null, -5, 2)])).toEqual([])
})

it("reports no problem if a partial sum of entries exceeds the safe integers", () => {
  const most = Number.MAX_SAFE_INTEGER
  const outside = { ...book("outside:a", null, -5000, -1, -most, most, -1), balance: -5002 }
  expect(bookProblems([outside, book("available:a", 0, 5002)])).toEqual([])
})

it.each([
  ["the ledger of USD sums to 1", [book("available:a", 0, 1)]],
  ["available:a is below zero", [book("available:a", 0, -1), book("outside:a", null, 1)]],
  [
    "available:a is not the sum of its entries",
    [{ ...book("available:a", 0, 1), balance: 2 }, book("outside:a", null, -2)],
  ],
] as const)("reports: %s", (problem, books) => {
  expect(bookProblems(books)).toEqual([problem])
})
