/**
 * A number that names a person or a company to an authority, as it may be kept and shown: only its end.
 * Source: D-080.
 */
import { Redacted } from "effect"

const shownMax = 4
/** Of a shorter number its end would give away too much. */
const lengthMin = 8
const stars = "****"

/** `****6789`; of a number of fewer than eight characters nothing is left. */
export const masked = (number: Redacted.Redacted): string => {
  const text = Redacted.value(number)
  return text.length < lengthMin ? stars : `${stars}${text.slice(-shownMax)}`
}

/** What is kept of a number that was sent; its own mask, sent back, says nothing new. */
export const kept = (sent: string, before: string | undefined): string =>
  sent === before ? sent : masked(Redacted.make(sent))
