/**
 * Exchange rates as exact fractions of integers: a conversion rounds once, at its end.
 * Source: wire contract 1.4 (amounts are compared after conversion, rounded up) and 11 (14, recast limits round down).
 */
import { amountMax } from "./Amount.ts"
import { Currencies, type CurrencyCode } from "./Currencies.ts"

/**
 * `numerator / denominator` major units of `from` for one major unit of `to`.
 * Spec: Quote, exchangeRate (sending-currency units per receiving-currency unit).
 */
export interface Rate {
  readonly from: CurrencyCode
  readonly to: CurrencyCode
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Restores a rate from its stored fraction. */
export const rateOf = (
  fraction: { readonly numerator: string; readonly denominator: string },
  from: CurrencyCode,
  to: CurrencyCode,
): Rate => ({ from, to, numerator: BigInt(fraction.numerator), denominator: BigInt(fraction.denominator) })

/** Significant decimal digits that a JSON number represents exactly. */
const significantDigits = 15

/** Returns the rate as a number for display, rounded half up. Source: wire contract 11 (39). */
export const displayed = ({ denominator, numerator }: Pick<Rate, "numerator" | "denominator">): number => {
  const shift = significantDigits - (String(numerator).length - String(denominator).length)
  const top = shift > 0 ? numerator * 10n ** BigInt(shift) : numerator
  const bottom = shift < 0 ? denominator * 10n ** BigInt(-shift) : denominator
  return Number(`${(2n * top + bottom) / (2n * bottom)}e${-shift}`)
}

export type Rounding = "up" | "down"

/** The rate of a currency to itself. */
export const identity = (code: CurrencyCode): Rate => ({ from: code, to: code, numerator: 1n, denominator: 1n })

/**
 * Converts a non-negative amount in smallest units. A result beyond the largest exact amount is returned as that amount plus one,
 * which exceeds every limit.
 */
export const convert = (amount: number, rate: Rate, rounding: Rounding): number => {
  const scale = BigInt(Currencies.get(rate.to).decimals) - BigInt(Currencies.get(rate.from).decimals)
  const top = BigInt(amount) * rate.denominator * (scale > 0n ? 10n ** scale : 1n)
  const bottom = rate.numerator * (scale < 0n ? 10n ** -scale : 1n)
  const floor = top / bottom
  const exact = rounding === "up" && floor * bottom !== top ? floor + 1n : floor
  return exact > BigInt(amountMax) ? amountMax + 1 : Number(exact)
}

/** The fee of the service for an exchange. */
export interface ServiceFee {
  /** Smallest unit of the sending currency. */
  readonly fixed: number
  /** Basis points (hundredths of a percent) of the amount sent. */
  readonly variableBps: number
}

/** A rate without the fee, and the fee. */
export interface OfferedRate extends Rate {
  /** Absent: no fee. */
  readonly fee?: ServiceFee
  /** Unix milliseconds since when the rate is valid; absent: since it was requested. */
  readonly updatedAt?: number
}
