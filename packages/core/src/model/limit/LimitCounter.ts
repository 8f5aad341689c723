/**
 * The counters of use limits. Each counts one window of one subject; its key begins with the end of the window, so that stores can delete it
 * afterwards. Windows begin at multiples of their length in UTC.
 * Source: D-335.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { type UseLimitName, UseLimits } from "./UseLimits.ts"

/** The first part of the keys. */
export const limitPrefix = "limit:"

/** How long (ms) a counter is kept after the end of its window, so that no commit that still counts loses it. */
export const limitRetentionMillis = 60 * 60 * 1000

/** Digits of a time in milliseconds until the year 2286, so that keys sort by time. */
const timeDigits = 13

/** Returns when the window of `now` ends (ms). */
export const endOfWindow = (name: UseLimitName, now: number): number => {
  const millis = UseLimits.get(name).windowSeconds * 1000
  return now - (now % millis) + millis
}

/** Returns the smallest key of windows that end after `now` (ms). */
export const liveLimitsFrom = (now: number): string => `${limitPrefix}${String(now + 1).padStart(timeDigits, "0")}`

/** Returns the key of a counter whose window ends at `endsAt` (ms). */
export const limitCounterKey = (endsAt: number, name: string, subject: string): string =>
  `${liveLimitsFrom(endsAt - 1)}:${name}:${subject}`

/** Returns the key of the window of `now` (ms). `subject` must contain no personal data. */
export const limitKey = (name: UseLimitName, subject: string, now: number): string =>
  limitCounterKey(endOfWindow(name, now), name, subject)

/** Returns the refusal of one more attempt: what is limited, and when the next one is possible. */
export const limitRefusal = (
  name: UseLimitName,
  { availableAt, count, now }: { readonly availableAt: number; readonly count: number; readonly now: number },
): Refusal => ({
  code: "RATE_LIMITED",
  message: UseLimits.get(name).message,
  details: {
    reason: name,
    limit: count,
    windowSeconds: UseLimits.get(name).windowSeconds,
    retryAfterSeconds: Math.max(1, Math.ceil((availableAt - now) / 1000)),
  },
})

/** The limit and the end (ms) of a counter's window; `undefined` for a counter of another kind. */
export const limitOfKey = (key: string): { readonly name: UseLimitName; readonly availableAt: number } | undefined => {
  if (!key.startsWith(limitPrefix)) return undefined
  const [, end = "", name = ""] = key.split(":")
  return UseLimits.has(name) ? { name, availableAt: Number(end) } : undefined
}
