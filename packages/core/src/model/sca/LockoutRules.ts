/**
 * Lockout of a customer after failed attempts.
 * Source: wire contract 5.12 (lockout).
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import * as Table from "../../foundation/kit/Table.ts"
import type { ScaProfile } from "./ScaProfile.ts"

const minute = 60_000

/** Lockout in milliseconds by number of failures. `null` suspends the customer, as does any higher number. */
export const Lockouts = Table.make("Lockouts", {
  "5": 15 * minute,
  "6": 30 * minute,
  "7": 60 * minute,
  "8": 24 * 60 * minute,
  "9": null,
} satisfies { readonly [failures: string]: number | null })

/** Returns the profile after one more failed attempt. */
export const withFailedAttempt = (profile: ScaProfile, now: number): ScaProfile => {
  const failedAttempts = profile.failedAttempts + 1
  const millis = Lockouts.find(String(failedAttempts))
  if (millis === null) return { ...profile, failedAttempts, suspended: true }
  return millis === undefined
    ? { ...profile, failedAttempts }
    : { ...profile, failedAttempts, lockedUntil: now + millis }
}

/** Returns the profile after a successful login or a new password: failures, lock and challenge are removed. */
export const withoutFailures = (profile: ScaProfile): ScaProfile => {
  const { challenge: _challenge, lockedUntil: _lockedUntil, ...rest } = profile
  return { ...rest, failedAttempts: 0 }
}

/** Returns the profile after the right answer to another challenge than that of a login, which continues if it is in progress. */
export const afterRightAnswer = (profile: ScaProfile): ScaProfile => ({
  ...withoutFailures(profile),
  ...(profile.challenge === undefined ? {} : { challenge: profile.challenge }),
})

/** Returns the refusal of a locked or suspended customer. */
export const lockoutRefusal = (
  { failedAttempts, lockedUntil, suspended }: ScaProfile,
  now: number,
): Refusal | undefined => {
  const isLocked = lockedUntil !== undefined && now < lockedUntil
  if (!suspended && !isLocked) return undefined
  return {
    code: "ACCOUNT_LOCKED",
    message: suspended
      ? "The customer is suspended after too many failures."
      : "The customer is locked out for a while.",
    details: { lockedUntil: isLocked ? iso(lockedUntil) : null, failedAttempts, suspended },
  }
}
