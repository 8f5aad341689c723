/**
 * Strong authentication profile of a customer: factors, open challenge, lock and resets. The provider keeps secrets and codes.
 * Source: wire contract 5.12, A and B; D-086.
 */
import { Schema } from "effect"

/** A code by text message, a code of an authenticator app, or a passkey. */
export const ScaFactor = Schema.Literals(["SMS_OTP", "TOTP", "PASSKEY"]).annotate({ identifier: "ScaFactor" })
export type ScaFactor = typeof ScaFactor.Type

/** Enrolled factor. `SMS_OTP` needs no enrolment: it uses the customer's telephone number. */
const EnrolledFactor = Schema.Struct({
  factor: ScaFactor,
  credentialId: Schema.String,
  name: Schema.optionalKey(Schema.String),
})

/** `PENDING_REVIEW`: the provider reviews the check. `LIVENESS_PASSED`: the reset is approved and can be completed. */
export const TwoFactorResetState = Schema.Literals([
  "INITIATED",
  "PENDING_REVIEW",
  "LIVENESS_PASSED",
  "COMPLETED",
  "REJECTED",
  "EXPIRED",
])
export type TwoFactorResetState = typeof TwoFactorResetState.Type

const Reset = Schema.Struct({
  resetId: Schema.String,
  factor: ScaFactor,
  startedAt: Schema.Int,
  expiresAt: Schema.Int,
  completedAt: Schema.optionalKey(Schema.Int),
})
export type ScaReset = typeof Reset.Type

/** Stored data of a profile. The record has the customer's id. Times are in milliseconds. */
export const ScaProfile = Schema.Struct({
  factors: Schema.Array(EnrolledFactor),
  challenge: Schema.optionalKey(Schema.Struct({ id: Schema.String, factor: ScaFactor, expiresAt: Schema.Int })),
  /** Business time (ms) at which the session of the last login ends. */
  sessionExpiresAt: Schema.optionalKey(Schema.Int),
  failedAttempts: Schema.Int,
  lockedUntil: Schema.optionalKey(Schema.Int),
  suspended: Schema.Boolean,
  resets: Schema.Array(Reset),
})
export type ScaProfile = typeof ScaProfile.Type

export const emptyProfile: ScaProfile = { factors: [], failedAttempts: 0, suspended: false, resets: [] }
