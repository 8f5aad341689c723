/**
 * The session of a customer's login by strong authentication. Payments to trusted accounts and changes of trust require one.
 * Source: wire contract 5.12; wire contract areas 1.3.4 and 1.3.5; D-381.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { ScaProfile } from "./ScaProfile.ts"

/** Lifetime of a session in milliseconds. */
export const sessionMillis = 15 * 60 * 1000

/** Returns the refusal of a customer without a login session, or `undefined`. */
export const sessionRefusal = ({ sessionExpiresAt }: ScaProfile, now: number): Refusal | undefined =>
  sessionExpiresAt !== undefined && now < sessionExpiresAt
    ? undefined
    : { code: "SCA_SESSION_REQUIRED", message: "The customer must sign in by strong authentication first." }

/** Returns the profile without its login session. */
export const withoutSession = ({ sessionExpiresAt: _expiresAt, ...profile }: ScaProfile): ScaProfile => profile
