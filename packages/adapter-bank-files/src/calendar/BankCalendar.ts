/**
 * When a bank takes files: its business days, its time zone, and the time of day at which a batch closes.
 * Source: D-530.
 */
import { DateTime, Option } from "effect"

export interface BankCalendar {
  /** Of the bank, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** The local time at which the batch of a day closes, such as `15:30`. */
  readonly cutOff: string
  /** The days of a year on which the bank is closed, as `2026-12-25`, besides Saturdays and Sundays. */
  readonly holidays: (year: number) => ReadonlyArray<string>
}

/** A business day and the instant (ms) at which its batch closes. */
export interface CutOff {
  readonly date: string
  readonly at: number
}

const dayMillis = 24 * 60 * 60 * 1000

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMillis).toISOString().slice(0, 10)

/** An instant as the clock of the bank shows it, such as `2026-01-31T15:30:00`. */
export const localTime = ({ timeZone }: BankCalendar, at: number): string =>
  Option.match(DateTime.makeZoned(at, { timeZone }), {
    onNone: () => {
      throw new RangeError(`${timeZone} is not a time zone`)
    },
    onSome: (zoned) => DateTime.formatIsoOffset(zoned).slice(0, 19),
  })

/** The day at the bank at an instant. */
export const localDate = (calendar: BankCalendar, at: number): string => localTime(calendar, at).slice(0, 10)

/** The instant of a local time of a day. A time that a change of the clock leaves out is the one after the change. */
export const instantOf = ({ timeZone }: BankCalendar, date: string, time: string): number => {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number)
  const [hour = 0, minute = 0] = time.split(":").map(Number)
  const zoned = DateTime.makeZoned({ year, month, day, hour, minute }, { timeZone, adjustForTimeZone: true })
  if (Option.isNone(zoned)) throw new RangeError(`${date} ${time} is not a time in ${timeZone}`)
  return DateTime.toEpochMillis(zoned.value)
}

const isBusinessDay = ({ holidays }: BankCalendar, date: string): boolean => {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidays(Number(date.slice(0, 4))).includes(date)
}

/** A bank is never closed so long; it bounds the search in a calendar that is always closed. */
const closedDaysMax = 366

const stepTo = (calendar: BankCalendar, from: string, step: 1 | -1): string => {
  let date = from
  for (let n = 0; n < closedDaysMax; n++) {
    if (isBusinessDay(calendar, date)) return date
    date = addDays(date, step)
  }
  throw new RangeError("the calendar has no business day in a year")
}

/** The business day that is a number of business days after a day; 0: the day itself, or the next one if the bank is closed. */
export const businessDayAfter = (calendar: BankCalendar, date: string, days: number): string => {
  let at = stepTo(calendar, date, 1)
  for (let n = 0; n < days; n++) at = stepTo(calendar, addDays(at, 1), 1)
  return at
}

const cutOffOn = (calendar: BankCalendar, date: string): CutOff => ({
  date,
  at: instantOf(calendar, date, calendar.cutOff),
})

/** The last cut-off that has passed. */
export const lastCutOff = (calendar: BankCalendar, now: number): CutOff => {
  const today = cutOffOn(calendar, stepTo(calendar, localDate(calendar, now), -1))
  return today.at <= now ? today : cutOffOn(calendar, stepTo(calendar, addDays(today.date, -1), -1))
}

/** The first cut-off after an instant. */
export const nextCutOff = (calendar: BankCalendar, now: number): CutOff => {
  const today = cutOffOn(calendar, stepTo(calendar, localDate(calendar, now), 1))
  return today.at > now ? today : cutOffOn(calendar, stepTo(calendar, addDays(today.date, 1), 1))
}

/** Returns what is wrong with a calendar. */
export const problemOfCalendar = (calendar: BankCalendar): string | undefined => {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/u.test(calendar.cutOff)) return "`cutOff` must be a time of day, such as 15:30."
  const isZone = Option.isSome(DateTime.makeZoned(0, { timeZone: calendar.timeZone }))
  return isZone ? undefined : "`timeZone` must be a name of the time zone database, such as Europe/Berlin."
}
