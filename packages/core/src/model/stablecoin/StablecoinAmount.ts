/**
 * Amounts of mints and burns: integers in the token's smallest unit, as text, of whole cents of the currency that backs it.
 * Source: wire contract areas 1.6.4.
 */
import { amountMax } from "../../foundation/money/Amount.ts"

/** The decimals of a cent. */
const centDecimals = 2

/** Returns the amount without leading zeros. */
export const canonicalAmount = (amount: string): string => String(BigInt(amount))

/** Returns the cents of an amount of digits; `undefined` for zero, a part of a cent, and more than 53 bits of cents. */
export const centsOf = (amount: string, decimals: number): number | undefined => {
  const units = BigInt(amount)
  const scale = 10n ** BigInt(Math.abs(decimals - centDecimals))
  const isWhole = decimals < centDecimals || units % scale === 0n
  const cents = decimals < centDecimals ? units * scale : units / scale
  return isWhole && cents > 0n && cents <= BigInt(amountMax) ? Number(cents) : undefined
}
