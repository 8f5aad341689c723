/** Business days, local times and cut-offs of a bank, and the holidays of two clearing systems. */
import { describe, expect, it } from "vitest"
import {
  businessDayAfter,
  instantOf,
  lastCutOff,
  localDate,
  localTime,
  nextCutOff,
  problemOfCalendar,
} from "../../../../packages/adapter-bank-files/src/calendar/BankCalendar.ts"
import {
  federalReserveHolidays,
  targetHolidays,
} from "../../../../packages/adapter-bank-files/src/calendar/Holidays.ts"
import { berlin, newYork } from "../BankWorld.ts"

/** Easter Sunday as the number of the day in March, by the algorithm of Meeus, Jones and Butcher. */
const easterInMarch = (year: number): number => {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const month = Math.floor((h + l - 7 * m + 90) / 25)
  const day = (h + l - 7 * m + 33 * month + 19) % 32
  return month === 3 ? day : day + 31
}
const march = (year: number, day: number) => new Date(Date.UTC(year, 2, day)).toISOString().slice(0, 10)

describe("the holidays of TARGET", () => {
  it("are six days, two of them around Easter, in each of 400 years", () => {
    for (let year = 1900; year < 2300; year++) {
      const easter = easterInMarch(year)
      expect(targetHolidays(year)).toEqual([
        `${year}-01-01`,
        march(year, easter - 2),
        march(year, easter + 1),
        `${year}-05-01`,
        `${year}-12-25`,
        `${year}-12-26`,
      ])
    }
  })
})

it.each([
  [2022, "01-01 01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26"],
  [2023, "01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-11 11-23 12-25"],
  [2024, "01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25"],
  [2025, "01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25"],
  [2027, "01-01 01-18 02-15 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25"],
  [2029, "01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25"],
])("the holidays of the Federal Reserve Banks in %i are as they publish them", (year, days) => {
  expect(federalReserveHolidays(year)).toEqual(days.split(" ").map((day) => `${year}-${day}`))
})

describe("a time at the bank", () => {
  it("is the local one, in winter and in summer", () => {
    const winter = Date.parse("2026-01-31T23:30:15Z")
    expect([localTime(berlin, winter), localDate(berlin, winter), localDate(newYork, winter)]).toEqual([
      "2026-02-01T00:30:15",
      "2026-02-01",
      "2026-01-31",
    ])
    expect(localTime(newYork, Date.parse("2026-07-01T00:00:00Z"))).toBe("2026-06-30T20:00:00")
  })

  it("is an instant, also where a change of the clock leaves it out or repeats it", () => {
    const at = (date: string, time: string) => new Date(instantOf(berlin, date, time)).toISOString()
    expect([at("2026-01-02", "15:30"), at("2026-07-02", "15:30"), at("2026-03-29", "02:30")]).toEqual([
      "2026-01-02T14:30:00.000Z",
      "2026-07-02T13:30:00.000Z",
      "2026-03-29T01:30:00.000Z",
    ])
  })

  it("does not exist in a zone that does not exist", () => {
    const nowhere = { ...berlin, timeZone: "Mars/Olympus" }
    expect(() => localTime(nowhere, 0)).toThrow(new RangeError("Mars/Olympus is not a time zone"))
    expect(() => instantOf(nowhere, "2026-01-02", "15:30")).toThrow(
      new RangeError("2026-01-02 15:30 is not a time in Mars/Olympus"),
    )
  })
})

describe("a business day", () => {
  it("is neither a Saturday, nor a Sunday, nor a holiday of its year", () => {
    const calendar = { ...berlin, holidays: (year: number) => [`${year}-01-01`, "2027-01-04"] }
    const days = ["2026-12-31", "2027-01-01", "2027-01-02", "2027-01-03", "2027-01-04", "2027-01-05"]
    expect(days.map((day) => businessDayAfter(calendar, day, 0))).toEqual([
      "2026-12-31",
      ...Array.from({ length: 5 }, () => "2027-01-05"),
    ])
    expect([1, 2, 5].map((count) => businessDayAfter(calendar, "2026-12-31", count))).toEqual([
      "2027-01-05",
      "2027-01-06",
      "2027-01-11",
    ])
    expect(businessDayAfter(calendar, "2027-01-02", 1)).toBe("2027-01-06")
  })

  it("is found in a calendar that is closed for 365 days, and in none that is closed for longer", () => {
    const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
    const closed = (count: number) => {
      const days = Array.from({ length: count }, (_, n) => day(n))
      return { ...berlin, holidays: () => days }
    }
    // The first of January of 2027 is a Friday.
    expect(businessDayAfter(closed(365), day(0), 0)).toBe("2027-01-01")
    expect(() => businessDayAfter(closed(366), day(0), 0)).toThrow(
      new RangeError("the calendar has no business day in a year"),
    )
  })
})

describe("a cut-off", () => {
  it("has passed at its instant, and is not the next one any more", () => {
    const at = Date.parse("2026-03-04T14:00:00Z")
    const before = { date: "2026-03-03", at: at - 24 * 3_600_000 }
    const after = { date: "2026-03-05", at: at + 24 * 3_600_000 }
    const own = { date: "2026-03-04", at }
    expect([lastCutOff(berlin, at - 1), nextCutOff(berlin, at - 1)]).toEqual([before, own])
    expect([lastCutOff(berlin, at), nextCutOff(berlin, at)]).toEqual([own, after])
  })

  it("of a day on which the bank is closed is that of a business day before or after", () => {
    const sunday = Date.parse("2026-03-08T20:00:00Z")
    expect([lastCutOff(berlin, sunday).date, nextCutOff(berlin, sunday).date]).toEqual(["2026-03-06", "2026-03-09"])
    const mondayMorning = Date.parse("2026-03-09T08:00:00Z")
    expect(lastCutOff(berlin, mondayMorning).date).toBe("2026-03-06")
    const fridayEvening = Date.parse("2026-03-06T20:00:00Z")
    expect(nextCutOff(berlin, fridayEvening).date).toBe("2026-03-09")
  })
})

describe("a calendar", () => {
  it.each(["00:00", "09:59", "19:00", "20:30", "23:59"])("may close at %s", (cutOff) => {
    expect(problemOfCalendar({ ...berlin, cutOff })).toBeUndefined()
  })

  it.each(["24:00", "9:00", "15:60", "15:5", "15:300", "x15:30", "", "15.30", "29:00"])(
    "cannot close at %j",
    (cutOff) => {
      expect(problemOfCalendar({ ...berlin, cutOff })).toBe("`cutOff` must be a time of day, such as 15:30.")
    },
  )

  it("has a time zone that exists", () => {
    expect(problemOfCalendar({ ...berlin, timeZone: "Mars/Olympus" })).toBe(
      "`timeZone` must be a name of the time zone database, such as Europe/Berlin.",
    )
    expect(problemOfCalendar({ ...berlin, timeZone: "Asia/Kolkata" })).toBeUndefined()
  })
})
