/** The checks of the trial balance: totals, and each kind of imbalance. Source: D-110. */
import { amountText } from "@countersign/core/models"
import { TrialBalance, type TrialBalanceLine } from "@countersign/core/store"
import { describe, expect, it } from "vitest"

const line = (role: string, debit: bigint, credit: bigint, more: Partial<TrialBalanceLine> = {}): TrialBalanceLine => ({
  role,
  currency: "USD",
  accounts: 2,
  debit,
  credit,
  balance: credit - debit,
  differing: 0,
  ...more,
})

const sound = [line("available", 10n, 70n), line("outside", 70n, 10n), line("held", 0n, 0n, { currency: "BTC" })]

describe("the trial balance", () => {
  it("has a total for each currency", () => {
    expect(TrialBalance.totals(sound)).toEqual([
      { currency: "USD", debit: 80n, credit: 80n, balance: 0n },
      { currency: "BTC", debit: 0n, credit: 0n, balance: 0n },
    ])
    expect(TrialBalance.problems(sound)).toEqual([])
    expect(TrialBalance.problems([])).toEqual([])
  })

  it.each<[string, ReadonlyArray<TrialBalanceLine>, ReadonlyArray<string>]>([
    [
      "balances that do not add up to zero",
      [line("available", 0n, 1234n)],
      ["the balances of USD add up to 12.34 USD, not to zero"],
    ],
    [
      "unequal debit and credit entries with equal balances",
      [line("available", 0n, 5n, { balance: 0n })],
      ["the entries of USD add up to 0.00 USD debit and 0.05 USD credit"],
    ],
    [
      "balances that are not the sum of their entries",
      [line("available", 1n, 1n, { differing: 1 })],
      ["1 of 2 balances of available USD are not the sum of their entries"],
    ],
    [
      "an imbalance in one of two currencies",
      [...sound, line("held", 3n, 0n, { currency: "BTC" })],
      ["the balances of BTC add up to -0.00000003 BTC, not to zero"],
    ],
  ])("reports %s", (_title, lines, expected) => {
    expect(TrialBalance.problems(lines)).toEqual(expected)
  })
})

it.each([
  [0, "USD", "0.00 USD"],
  [-5, "USD", "-0.05 USD"],
  [123_456, "USD", "1234.56 USD"],
  [-1200, "RWF", "-1200 RWF"],
  [1, "BTC", "0.00000001 BTC"],
  [2n ** 60n, "USDC", "1152921504606.846976 USDC"],
] as const)("%d of %s is written as %s", (amount, currency, text) => {
  expect(amountText(amount, currency)).toBe(text)
})
