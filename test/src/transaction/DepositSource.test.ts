/** The source of a deposit, as its transaction shows it. Source: wire contract areas 2.8. */
import { expect, it } from "vitest"
import { masked } from "../../../packages/core/src/model/account/Deposit.ts"

it("shows the last four characters of an account, none of them by half", () => {
  expect(["123456789", "\u{10000} \u{10000}", "ab"].map(masked)).toEqual([
    "****6789",
    "****\u{10000} \u{10000}",
    "****ab",
  ])
})
