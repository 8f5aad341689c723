/**
 * Formats an amount for people: with the decimals of its currency, and its code.
 * Spec: General conventions (2), Currency.
 */
import { type CurrencyCode, currencyOf } from "./Currencies.ts"

/** Returns `-12.34` for `-1234` with two decimals. */
export const decimalText = (amount: number | bigint, decimals: number): string => {
  const digits = String(amount)
    .replace("-", "")
    .padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const part = decimals === 0 ? "" : `.${digits.slice(-decimals)}`
  return `${amount < 0 ? "-" : ""}${whole}${part}`
}

/** Returns `-12.34 USD` for `-1234` of USD. */
export const amountText = (amount: number | bigint, code: CurrencyCode): string =>
  `${decimalText(amount, currencyOf(code).decimals)} ${code}`
