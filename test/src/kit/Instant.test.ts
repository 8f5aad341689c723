/** Instants and calendar dates on the wire: accepted texts, their meaning and their format. */

import { Option, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Time from "../../../packages/core/src/foundation/kit/Instant.ts"

const { CalendarDate, Instant, InstantMillis, iso, millisOf } = Time
const isInstant = Schema.is(Instant)
const isDate = Schema.is(CalendarDate)
const decode = Schema.decodeUnknownOption(InstantMillis)
const encode = Schema.encodeSync(InstantMillis)

/** Generates moments of the years 0001 to 9999. */
const moments = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
})

describe("an instant", () => {
  // Proves: CONV-04
  it("is written in UTC and parses back to the same moment", () => {
    fc.assert(
      fc.property(moments, (moment) => {
        const text = iso(moment.getTime())
        expect(isInstant(text)).toBe(true)
        expect(text.endsWith("Z")).toBe(true)
        expect(millisOf(text)).toBe(moment.getTime())
        expect(decode(text)).toEqual(Option.some(moment.getTime()))
        expect(encode(moment.getTime())).toBe(text)
      }),
    )
  })

  it("is written with milliseconds only if there are any", () => {
    expect(iso(0)).toBe("1970-01-01T00:00:00Z")
    expect(iso(1)).toBe("1970-01-01T00:00:00.001Z")
    expect(iso(60_000)).toBe("1970-01-01T00:01:00Z")
  })

  it("is the same moment in any time zone", () => {
    const expected = Date.UTC(2025, 6, 21, 17, 32, 28)
    for (const text of [
      "2025-07-21T17:32:28Z",
      "2025-07-21T19:32:28+02:00",
      "2025-07-21T14:02:28-03:30",
      "2025-07-21T17:32:28.000Z",
    ]) {
      expect(decode(text)).toEqual(Option.some(expected))
    }
  })

  it("truncates fractions of a second to milliseconds", () => {
    expect(decode("2025-07-21T17:32:28.123456789Z")).toEqual(Option.some(Date.UTC(2025, 6, 21, 17, 32, 28, 123)))
  })

  it.each([
    "2025",
    "2025-07-21",
    "2025-07-21T17:32:28",
    "2025-07-21 17:32:28Z",
    "2025-07-21t17:32:28z",
    "2025-07-21T24:00:00Z",
    "2025-07-21T17:60:00Z",
    "2025-07-21T17:32:60Z",
    "2025-13-01T00:00:00Z",
    "2025-00-01T00:00:00Z",
    "2025-07-21T17:32:28.Z",
    "2025-07-21T17:32:28+24:00",
    "+12025-07-21T17:32:28Z",
    "Mon, 21 Jul 2025 17:32:28 GMT",
    "",
  ])("rejects %j as an instant", (text) => {
    expect(isInstant(text)).toBe(false)
    expect(decode(text)).toEqual(Option.none())
  })
})

describe("a calendar date", () => {
  it("must exist, alone and in an instant", () => {
    const parts = fc.tuple(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 31 }),
    )
    fc.assert(
      fc.property(parts, ([year, month, day]) => {
        const text = [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join(
          "-",
        )
        const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
        const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
        expect(isDate(text)).toBe(day <= days)
        expect(isInstant(`${text}T00:00:00Z`)).toBe(day <= days)
      }),
    )
  })

  it.each([
    "2025-02-29",
    "1900-02-29",
    "2025-04-31",
    "2025-1-1",
    "25-01-01",
    "2025-01-00",
    "2025-01-01T00:00:00Z",
    " 2025-01-01",
  ])("rejects %j as a calendar date", (text) => {
    expect(isDate(text)).toBe(false)
  })
})
