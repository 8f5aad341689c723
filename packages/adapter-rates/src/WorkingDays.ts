/**
 * Until when a table of a day is used: a number of working days later, so that a table lives over a weekend and no longer in the week.
 * Source: D-529.
 */

export const dayMillis = 86_400_000

export interface Calendar {
  /** Days of the week without tables, 0 is Sunday. */
  readonly weekend: ReadonlySet<number>
  /** Days without tables (beginning, ms). */
  readonly holidays: ReadonlySet<number>
}

/** A calendar that has no working day would never end. */
const daysMax = 400

/** Returns the time (ms) at which a table of this day is no longer used: the end of the last working day on which it is. */
export const staleAt = (day: number, workingDays: number, { holidays, weekend }: Calendar): number => {
  let at = day
  for (let left = workingDays, days = 0; left > 0 && days < daysMax; days++) {
    at += dayMillis
    if (!weekend.has(new Date(at).getUTCDay()) && !holidays.has(at)) left -= 1
  }
  return at + dayMillis
}
