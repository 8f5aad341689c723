/**
 * The days on which two clearing systems are closed, besides weekends. A bank may be closed on more days: give those as well.
 * Source: the calendars that the European Central Bank (TARGET) and the Federal Reserve Banks publish; the Gregorian computation of Easter.
 */

const iso = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

const weekdayOf = (year: number, month: number, day: number): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay()

/** Easter Sunday as the number of days after 1 March, from 1. */
const easterOf = (year: number): number => {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const epact = (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30
  const moon =
    epact -
    Math.floor(epact / 28) *
      (1 - Math.floor(epact / 28) * Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7
  return 28 + moon - weekday
}

/** The closing days of TARGET. */
export const targetHolidays = (year: number): ReadonlyArray<string> => {
  const easter = easterOf(year)
  return [
    iso(year, 1, 1),
    iso(year, 3, easter - 2),
    iso(year, 3, easter + 1),
    iso(year, 5, 1),
    iso(year, 12, 25),
    iso(year, 12, 26),
  ]
}

/** The nth such weekday of a month; the last one if `n` is 0. */
const nth = (year: number, month: number, weekday: number, n: number): string => {
  if (n === 0) {
    const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
    return iso(year, month, last - ((weekdayOf(year, month, last) - weekday + 7) % 7))
  }
  return iso(year, month, 1 + ((weekday - weekdayOf(year, month, 1) + 7) % 7) + 7 * (n - 1))
}

/** A fixed day that is a Sunday is observed on Monday; on a Saturday the banks are open the day before. */
const fixed = (year: number, month: number, day: number): string =>
  weekdayOf(year, month, day) === 0 ? iso(year, month, day + 1) : iso(year, month, day)

/** The holidays of the Federal Reserve Banks. */
export const federalReserveHolidays = (year: number): ReadonlyArray<string> => [
  fixed(year, 1, 1),
  nth(year, 1, 1, 3),
  nth(year, 2, 1, 3),
  nth(year, 5, 1, 0),
  fixed(year, 6, 19),
  fixed(year, 7, 4),
  nth(year, 9, 1, 1),
  nth(year, 10, 1, 2),
  fixed(year, 11, 11),
  nth(year, 11, 4, 4),
  fixed(year, 12, 25),
]
