/**
 * What is kept of a customer's strong authentication: its factors, its present challenge, its lock and its resets. Secrets and
 * codes stay with the provider.
 * Source: wire contract 5.12, A and B; D-086.
 */
import { Schema } from "effect"

export const ScaFactor = Schema.Literals(["SMS_OTP", "TOTP", "PASSKEY"]).annotate({ identifier: "ScaFactor" })
export type ScaFactor = typeof ScaFactor.Type

/** A factor that was enrolled. `SMS_OTP` needs no enrolment: it is the telephone number. */
const EnrolledFactor = Schema.Struct({
  factor: ScaFactor,
  credentialId: Schema.String,
  name: Schema.optionalKey(Schema.String),
})

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

/** What is stored of a customer; the record has the customer's own id. */
export const ScaProfile = Schema.Struct({
  factors: Schema.Array(EnrolledFactor),
  challenge: Schema.optionalKey(Schema.Struct({ id: Schema.String, factor: ScaFactor, expiresAt: Schema.Int })),
  failedAttempts: Schema.Int,
  lockedUntil: Schema.optionalKey(Schema.Int),
  suspended: Schema.Boolean,
  resets: Schema.Array(Reset),
})
export type ScaProfile = typeof ScaProfile.Type

export const emptyProfile: ScaProfile = { factors: [], failedAttempts: 0, suspended: false, resets: [] }
