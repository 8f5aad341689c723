/**
 * The code that a credential was sent last, as it may be kept: a keyed hash. The key to which the answer is sealed is derived again
 * from the deployment's secret when it is needed. The record has its credential's own id.
 * Source: wire contract 4.4, 4.5, 4.9 and 11 (3); D-143.
 */
import { Schema } from "effect"

/** So many wrong codes spend a challenge. */
export const wrongCodesMax = 5
/** So many wrong codes of a credential within the window, and no more are looked at. */
export const wrongCodesInWindowMax = 10
export const windowMillis = 15 * 60 * 1000

/** What is stored of a challenge. */
export const OtpChallenge = Schema.Struct({
  /** Of this code; the one before it is dead. */
  challengeId: Schema.String,
  /** Where the code went: one for another contact is dead, too. */
  contact: Schema.String,
  codeMark: Schema.String,
  expiresAt: Schema.Int,
  isAnswered: Schema.Boolean,
  wrongCodes: Schema.Int,
  /** When wrong codes came, whatever challenge they were for; those of the window. */
  wrongAt: Schema.Array(Schema.Int),
})
export type OtpChallenge = typeof OtpChallenge.Type
