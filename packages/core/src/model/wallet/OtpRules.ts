/**
 * Rules that accept a one-time code, in order of precedence, and the counting of wrong codes.
 * Spec: Sandbox authentication behavior (1); wire contract 4.12 and 11 (3); D-143.
 */
import { type Refusal, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { limitRefusal } from "../limit/LimitCounter.ts"
import { type OtpChallenge, windowMillis, wrongCodesInWindowMax, wrongCodesMax } from "./OtpChallenge.ts"

export interface OtpFacts {
  readonly challenge: OtpChallenge | undefined
  /** Current contact of the credential. */
  readonly contact: string
  readonly now: number
  /** Whether the bundle contained the code; false for a bundle that does not open. */
  readonly isCorrect: boolean
}

const inWindow = (challenge: OtpChallenge, now: number): ReadonlyArray<number> =>
  challenge.wrongAt.filter((at) => now - at < windowMillis)

/** Returns the refusal after too many wrong codes, with the time until the next attempt. */
export const rateLimitRefusal = (challenge: OtpChallenge | undefined, now: number): Refusal | undefined => {
  const first = challenge && inWindow(challenge, now).at(-wrongCodesInWindowMax)
  if (first === undefined) return undefined
  return limitRefusal("ONE_TIME_CODE_CHECKS", { availableAt: first + windowMillis, count: wrongCodesInWindowMax, now })
}

/** Whether a code can be answered, ignoring its expiry. */
const isOpen = (challenge: OtpChallenge | undefined, contact: string): challenge is OtpChallenge =>
  challenge !== undefined &&
  !challenge.isAnswered &&
  challenge.wrongCodes < wrongCodesMax &&
  challenge.contact === contact

export const OtpRules = Rules.make<OtpFacts, Refusal>("OTP", [
  ["FEW_WRONG_CODES", ({ challenge, now }) => rateLimitRefusal(challenge, now)],
  [
    "CODE_PENDING",
    ({ challenge, contact }) => (isOpen(challenge, contact) ? undefined : unauthorizedFor("OTP_NOT_PENDING")),
  ],
  [
    "CODE_NOT_EXPIRED",
    ({ challenge, now }) =>
      challenge !== undefined && now < challenge.expiresAt ? undefined : unauthorizedFor("OTP_EXPIRED"),
  ],
  ["CODE_RIGHT", ({ isCorrect }) => (isCorrect ? undefined : unauthorizedFor("INVALID_OTP_CODE"))],
])

/** Returns the challenge after a wrong code. */
export const withWrongCode = (challenge: OtpChallenge, now: number): OtpChallenge => ({
  ...challenge,
  wrongCodes: challenge.wrongCodes + 1,
  wrongAt: [...inWindow(challenge, now), now],
})

/** Returns the challenge of a new code. Wrong codes within the window still count against the credential. */
export const newChallenge = (
  previous: OtpChallenge | undefined,
  issued: Omit<OtpChallenge, "isAnswered" | "wrongCodes" | "wrongAt">,
  now: number,
): OtpChallenge => ({
  ...issued,
  isAnswered: false,
  wrongCodes: 0,
  wrongAt: previous === undefined ? [] : inWindow(previous, now),
})
