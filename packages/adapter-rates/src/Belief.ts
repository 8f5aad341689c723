/**
 * Decides whether a table that was read replaces the one before.
 * Source: D-529: no rate is better than a wrong one, and the table before is better than no rate.
 */
import { differsByMore } from "./Fractions.ts"
import { calendarOf, jumpPercentDefault, type RateOptions, workingDaysDefault } from "./RateOptions.ts"
import { type RateTable, refused, type TableRefused } from "./RateTable.ts"
import { dayMillis, staleAt } from "./WorkingDays.ts"

export const isStale = ({ day }: RateTable, now: number, options: RateOptions): boolean =>
  now >= staleAt(day, options.workingDaysMax ?? workingDaysDefault, calendarOf(options))

const dayText = (day: number): string => new Date(day).toISOString().slice(0, 10)

/** Returns why the table is not used, or `undefined`. A table is compared with the one before it however old that is. */
export const disbelief = (
  next: RateTable,
  before: RateTable | undefined,
  now: number,
  options: RateOptions,
): TableRefused | undefined => {
  const { jumpPercentMax = jumpPercentDefault } = options
  // Where the table is made, the next day may have begun.
  if (next.day > now + dayMillis) return refused(`the table is of ${dayText(next.day)}, which is in the future`)
  if (isStale(next, now, options)) return refused(`the table is of ${dayText(next.day)}, which is too old`)
  if (before === undefined) return undefined
  if (next.base !== before.base) return refused(`the base is ${next.base} and was ${before.base}`)
  if (next.day < before.day) return refused(`the table is of ${dayText(next.day)}, before the one that is used`)
  for (const [currency, price] of next.prices) {
    const known = before.prices.get(currency)
    if (known !== undefined && differsByMore(known, price, Math.round(jumpPercentMax * 100))) {
      return refused(`the rate of ${currency} differs by more than ${jumpPercentMax} percent from the table before`)
    }
  }
  return undefined
}
