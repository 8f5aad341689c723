/**
 * How failed attempts lock a customer out.
 * Source: wire contract 5.12 (lockout).
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import * as Table from "../../foundation/kit/Table.ts"
import type { ScaProfile } from "./ScaProfile.ts"

const minute = 60_000

/** For how long (ms) a customer is locked out after so many failures; `null`: for good. More failures than that: for good. */
export const Lockouts = Table.make("Lockouts", {
  "5": 15 * minute,
  "6": 30 * minute,
  "7": 60 * minute,
  "8": 24 * 60 * minute,
  "9": null,
} satisfies { readonly [failures: string]: number | null })

/** The profile after one more failed attempt. */
export const failed = (profile: ScaProfile, now: number): ScaProfile => {
  const failedAttempts = profile.failedAttempts + 1
  const millis = Lockouts.find(String(failedAttempts))
  if (millis === null) return { ...profile, failedAttempts, suspended: true }
  return millis === undefined
    ? { ...profile, failedAttempts }
    : { ...profile, failedAttempts, lockedUntil: now + millis }
}

/** The profile after a success or a new password: nothing counts any more. */
export const cleared = (profile: ScaProfile): ScaProfile => {
  const { challenge: _challenge, lockedUntil: _lockedUntil, ...rest } = profile
  return { ...rest, failedAttempts: 0 }
}

/** The refusal of a locked customer. */
export const lockedOut = ({ failedAttempts, lockedUntil, suspended }: ScaProfile, now: number): Refusal | undefined => {
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
