/**
 * Makes the rate of a pair from a table: exact, with the spread against the customer.
 * Source: D-529; ports/ExchangeRates.ts (major units of `from` for one major unit of `to`).
 */
import type { CurrencyCode } from "@countersign/core/models"
import type { OfferedRate } from "@countersign/core/ports"
import { type Fraction, inverse, times } from "./Fractions.ts"
import type { RateOptions } from "./RateOptions.ts"
import type { RateTable } from "./RateTable.ts"

const bpsMax = 10_000

/** The customer pays more of `from`, whichever way the pair is asked: a way there and back loses the spread twice. */
const withSpread = (rate: Fraction, bps: number): Fraction =>
  times(rate, { numerator: BigInt(bpsMax + bps), denominator: BigInt(bpsMax) })

export const offeredRate = (
  { day, prices }: RateTable,
  from: CurrencyCode,
  to: CurrencyCode,
  options: RateOptions,
  now: number,
): OfferedRate | undefined => {
  const { fee, pegs = {}, spreadBps = 0, spreadOf = () => spreadBps } = options
  const [sold, bought] = [prices.get(pegs[from] ?? from), prices.get(pegs[to] ?? to)]
  if (sold === undefined || bought === undefined) return undefined
  const updatedAt = Math.min(day, now)
  if (from === to) return { from, to, numerator: 1n, denominator: 1n, updatedAt }
  const bps = spreadOf(from, to)
  // A spread that is not valid could favour the customer.
  if (!(Number.isInteger(bps) && bps >= 0 && bps < bpsMax)) return undefined
  return {
    from,
    to,
    ...withSpread(times(sold, inverse(bought)), bps),
    updatedAt,
    ...(fee === undefined ? {} : { fee }),
  }
}
