/**
 * Amounts: integers in the smallest unit of a currency, within ±(2^53-1) so that JSON carries them exactly.
 * Spec: General conventions (2); wire contract 10 (46) and 11 (57).
 */
import { Schema } from "effect"
import { Currency, type CurrencyCode, currencyOf } from "./Currencies.ts"

/** The largest amount of any currency, in its smallest unit: 2^53-1. */
export const amountMax = Number.MAX_SAFE_INTEGER

/** A transferred amount: at least one smallest unit. */
export const PositiveAmount = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({
  description: "Integer in the smallest unit of the currency, at least 1.",
})

/** A limit or balance: zero or more. */
export const NonNegativeAmount = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
  description: "Integer in the smallest unit of the currency, 0 or more.",
})

/** An amount with its currency, as the wire shows it. */
export const CurrencyAmount = Schema.Struct({ amount: Schema.Int, currency: Currency }).annotate({
  identifier: "CurrencyAmount",
})

export const currencyAmount = (amount: number, code: CurrencyCode): typeof CurrencyAmount.Type => ({
  amount,
  currency: currencyOf(code),
})

/** Whether a sum is within the range of exact integers. */
export const inRange = (amount: number): boolean => Math.abs(amount) <= amountMax
