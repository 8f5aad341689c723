/**
 * Masks an identification number of a person or a company: only its last characters are stored and shown.
 * Source: D-080.
 */
import { Redacted } from "effect"

const shownLength = 4
/** The last characters of a shorter number would reveal too much of it. */
const lengthMin = 8
const mask = "****"

/** Returns `****6789`; a number of fewer than eight characters is masked completely. */
export const masked = (number: Redacted.Redacted): string => {
  // Whole characters: half of a surrogate pair could not be stored.
  const characters = Array.from(Redacted.value(number))
  return characters.length < lengthMin ? mask : `${mask}${characters.slice(-shownLength).join("")}`
}

/** Returns the mask to store for a submitted number. The stored mask itself, submitted again, changes nothing. */
export const maskToStore = (submitted: string, stored: string | undefined): string =>
  submitted === stored ? submitted : masked(Redacted.make(submitted))
