/**
 * Date-times and dates on the wire: ISO 8601 in UTC, with milliseconds only when they are not zero.
 * Spec: General conventions (3); wire contract 0.2 (dates) and 11 (35).
 */

import { DateTime, Option, Schema, SchemaGetter } from "effect"
import { atMost } from "./Lengths.ts"

/** The wire form of Unix milliseconds. */
export const iso = (millis: number): string => new Date(millis).toISOString().replace(".000Z", "Z")

const rfc3339 =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/u
const calendarDay = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/u

/** Returns the Unix milliseconds of a date-time that `Instant` accepts; `NaN` for any other text. */
export const millisOf = (text: string): number =>
  Option.match(DateTime.make(text), { onNone: () => Number.NaN, onSome: DateTime.toEpochMillis })

/** Whether the day of the month exists: February has no 30th. */
const isRealDay = (text: string): boolean => {
  const day = text.slice(0, 10)
  const midnight = millisOf(`${day}T00:00:00Z`)
  return Number.isFinite(midnight) && iso(midnight).slice(0, 10) === day
}

const realDay = Schema.makeFilter((text: string) => isRealDay(text) || "must be a day that exists")

/** A date-time in a response. */
export const Timestamp = Schema.String.annotate({ format: "date-time" })

/** A date-time in a request. */
export const Instant = Schema.String.annotate({ format: "date-time" }).check(
  atMost("code"),
  Schema.isPattern(rfc3339, {
    expected: "an ISO 8601 date-time with a time zone, such as 2025-07-21T17:32:28Z",
  }).abort(),
  realDay,
)

/** A date-time that callers send, decoded to Unix milliseconds: for query filters. */
export const InstantMillis = Instant.pipe(
  Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(millisOf), encode: SchemaGetter.transform(iso) }),
)

/** A calendar day of the wire. */
export const CalendarDate = Schema.String.annotate({ format: "date" }).check(
  atMost("code"),
  Schema.isPattern(calendarDay, { expected: "a date of the form YYYY-MM-DD" }).abort(),
  realDay,
)
