/**
 * Challenge of the last code sent for a credential. It stores a keyed hash of the code. The key that the answer is sealed to is
 * derived from the deployment's secret. The record has its credential's id.
 * Source: wire contract 4.4, 4.5, 4.9 and 11 (3); D-143.
 */
import { Schema } from "effect"
import { countOf, UseLimits } from "../limit/UseLimits.ts"

/** Number of wrong codes that close a challenge. */
export const wrongCodesMax = 5
/** Number of wrong codes of a credential within the window after which further codes are refused. */
export const wrongCodesInWindowMax = countOf("ONE_TIME_CODE_CHECKS", {}) ?? 0
export const windowMillis = UseLimits.get("ONE_TIME_CODE_CHECKS").windowSeconds * 1000

/** Stored data of a challenge. Times are in milliseconds. */
export const OtpChallenge = Schema.Struct({
  /** Identifier of the current code; earlier codes are invalid. */
  challengeId: Schema.String,
  /** Contact that the code was sent to; after a change of the contact the code is invalid. */
  contact: Schema.String,
  codeMark: Schema.String,
  expiresAt: Schema.Int,
  isAnswered: Schema.Boolean,
  wrongCodes: Schema.Int,
  /** Times of the wrong codes within the window, including those of earlier challenges. */
  wrongAt: Schema.Array(Schema.Int),
})
export type OtpChallenge = typeof OtpChallenge.Type
