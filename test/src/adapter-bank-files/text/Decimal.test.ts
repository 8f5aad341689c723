/** Amounts and identifiers as files have them. */
import { expect, it } from "vitest"
import { decimalOf, minorOf } from "../../../../packages/adapter-bank-files/src/text/Decimal.ts"
import { endToEndIdOf, individualIdOf } from "../../../../packages/adapter-bank-files/src/text/Identifiers.ts"

it.each([
  [0, 0, "0"],
  [12, 0, "12"],
  [0, 2, "0.00"],
  [5, 2, "0.05"],
  [50, 2, "0.50"],
  [100, 2, "1.00"],
  [5, 3, "0.005"],
  [Number.MAX_SAFE_INTEGER, 2, "90071992547409.91"],
])("writes %i with %i decimals as %s", (amount, decimals, text) => {
  expect(decimalOf(amount, decimals)).toBe(text)
})

it.each([-1, 1.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN])("writes no amount %d", (amount) => {
  expect(() => decimalOf(amount, 2)).toThrow(new RangeError("an amount is an integer from 0 on"))
})

it.each([
  ["12.34", 2, 1234],
  ["+12.34", 2, 1234],
  ["12.3", 2, 1230],
  ["12.", 2, 1200],
  ["12", 0, 12],
  ["12.00", 0, 12],
  ["12.50", 0, undefined],
  ["0.001", 2, undefined],
  ["000000000000000001", 0, 1],
  ["0000000000000000001", 0, undefined],
  ["90071992547409.91", 2, Number.MAX_SAFE_INTEGER],
  ["90071992547409.92", 2, undefined],
  [`1.${"0".repeat(17)}`, 2, 100],
  [`1.${"0".repeat(18)}`, 2, undefined],
  ["x1", 0, undefined],
  ["1x", 0, undefined],
  ["--1", 0, undefined],
  [".5", 2, undefined],
])("reads %s with %i decimals as %d", (text, decimals, amount) => {
  expect(minorOf(text, decimals)).toBe(amount)
})

it("derives the ids of an order from its reference, and they never change", () => {
  const reference = "Transaction:019dd51b-07a5-7000-8000-0123456789ab"
  expect([endToEndIdOf(reference), individualIdOf(reference)]).toEqual([
    "019dd51b07a5700080000123456789ab",
    "4QS54WADLBAKTGF",
  ])
  expect([endToEndIdOf("an invoice"), individualIdOf("an invoice")]).toEqual([
    "827810f656d84df0f4cb8d29ea7529fe",
    "QJ4BB5SW3BG7B5G",
  ])
  // More than a UUID is not one.
  expect(endToEndIdOf(`${reference}0`)).not.toContain("019dd51b07a5700080000123456789ab")
})
