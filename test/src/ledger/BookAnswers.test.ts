/** The books as their callers see them: sums, meanings of roles, and members that depend on the account. Source: D-454. */
import type { BalanceTotal, Posting } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  toAccountList,
  toEntryList,
  toTransfers,
  toTrialBalance,
} from "../../../packages/core/src/decision/ledger/BookAnswers.ts"

const at = Date.parse("2026-03-02T08:00:00Z")
const timestamp = "2026-03-02T08:00:00Z"
const USD = expect.objectContaining({ code: "USD", decimals: 2 })

const total = (role: string, debitBalance: bigint, creditBalance: bigint): BalanceTotal => ({
  role,
  currency: "USD",
  accounts: 2,
  entries: 3,
  debitBalance,
  creditBalance,
})

describe("the trial balance of a platform", () => {
  it("sums both sides of each currency, beyond what a number carries exactly", () => {
    const large = 2n ** 60n
    const totals = [
      total("outside", large, 0n),
      { ...total("held", 0n, 5n), currency: "EUR" as const },
      total("available", 0n, large - 1n),
      total("held", 0n, 1n),
    ]
    expect(toTrialBalance(totals, at)).toMatchObject({
      asOf: timestamp,
      data: [
        {
          currency: USD,
          debitBalance: String(large),
          creditBalance: String(large),
          isBalanced: true,
          lines: [{ role: "outside" }, { role: "available" }, { role: "held" }],
        },
        { currency: { code: "EUR" }, debitBalance: "0", creditBalance: "5", isBalanced: false, lines: [{}] },
      ],
    })
  })

  it("explains the role of each line, also of one that it does not know", () => {
    const { data } = toTrialBalance([total("available", 1n, 2n), total("later", 0n, 0n)], at)
    expect(data[0]?.lines).toEqual([
      {
        role: "available",
        meaning: "What the owner of an internal account can spend.",
        accounts: 2,
        entries: 3,
        debitBalance: "1",
        creditBalance: "2",
      },
      { ...data[0]?.lines[1], role: "later", meaning: "Another ledger account." },
    ])
  })
})

const balance = { account: "held:1", customerId: null, currency: "USD", balance: 7, sequence: 2 } as const
const shown = { ledgerAccount: "held:1", role: "held", currency: USD, balance: 7 }

describe("a list of ledger accounts", () => {
  it("names the customer of an account that has one, and the cursor of the next page", () => {
    const accounts = [balance, { ...balance, customerId: "Customer:1" }]
    expect(toAccountList({ accounts, hasMore: true }, "next")).toEqual({
      data: [
        { ...shown, entries: 2 },
        { ...shown, entries: 2, customerId: "Customer:1" },
      ],
      hasMore: true,
      nextCursor: "next",
    })
    expect(toAccountList({ accounts: [], hasMore: false }, undefined)).toEqual({ data: [], hasMore: false })
  })
})

describe("a list of entries", () => {
  it("has the entries without their operations, and the number of all", () => {
    const entry = { sequence: 2, amount: -3, balanceAfter: 7, reference: "Transaction:1", counterAccount: "outside:1" }
    const page = { ...balance, entries: [{ ...entry, operationId: "Operation:1", at }], hasMore: false }
    const expected = { ...shown, data: [{ ...entry, at: timestamp }], hasMore: false, totalCount: 2 }
    expect(toEntryList(page, undefined)).toEqual(expected)
    expect(toEntryList({ ...page, customerId: "Customer:1", hasMore: true }, "next")).toEqual({
      ...expected,
      customerId: "Customer:1",
      hasMore: true,
      nextCursor: "next",
    })
  })
})

describe("the transfers of a transaction", () => {
  it("have both sides with their balances, in the order of their commits", () => {
    const posting = (sequence: number): Posting => ({
      operationId: `Operation:${sequence}`,
      at,
      amount: 3,
      currency: "USD",
      from: { account: "held:1", sequence, balanceAfter: 7 - sequence },
      to: { account: "outside:1", sequence, balanceAfter: sequence },
    })
    const { data, reference } = toTransfers("Transaction:1", [posting(2), posting(1)])
    expect(reference).toBe("Transaction:1")
    expect(data).toEqual(
      [1, 2].map((sequence) => ({
        amount: 3,
        currency: USD,
        from: { ledgerAccount: "held:1", role: "held", sequence, balanceAfter: 7 - sequence },
        to: { ledgerAccount: "outside:1", role: "outside", sequence, balanceAfter: sequence },
        at: timestamp,
        operationId: `Operation:${sequence}`,
      })),
    )
  })
})
