/**
 * The challenge of a payment by a customer under strong authentication: whether one can be made, and how it begins.
 * Source: wire contract 5.5 and 5.12; D-086, D-129.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { QuoteChallenge } from "../../model/quote/Quote.ts"
import { lockoutRefusal } from "../../model/sca/LockoutRules.ts"
import { hasFactor, notEnrolled, type ScaLoaded } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import type { ScaChallenge } from "../../ports/ScaProvider.ts"

/** What a challenge needs. */
export interface Challenging {
  readonly sca: ScaLoaded
  /** Drawn before it is kept, so that the provider can be asked about it. */
  readonly challengeId: string
  readonly factor: ScaFactor
  /** What the challenges are for, one after another. */
  readonly purposes: readonly [string, ...ReadonlyArray<string>]
  /** Of a passkey: what the customer's device is asked. */
  readonly asked: ScaChallenge | undefined
}

/** How long a challenge waits for its answer; never longer than its quote. */
const challengeMillis = 5 * 60 * 1000

/** The factors by which payments are authorized. */
const paymentFactors: ReadonlyArray<ScaFactor> = ["SMS_OTP", "PASSKEY"]

/** Why the customer cannot be challenged, or `undefined`. */
export const unable = ({ factor, sca }: Challenging, now: number): Refusal | undefined =>
  paymentFactors.includes(factor)
    ? (lockoutRefusal(sca.profile, now) ?? (hasFactor(sca, factor) ? undefined : notEnrolled(factor)))
    : invalidInput([{ field: "scaFactor", message: `must be ${paymentFactors.join(" or ")}` }])

/** The challenge as it begins. */
export const challengeOf = (
  { asked, challengeId, factor, purposes: [purpose, ...remaining], sca }: Challenging,
  now: number,
  quoteExpiresAt: number,
): QuoteChallenge => ({
  id: challengeId,
  factor,
  availableFactors: paymentFactors.filter((each) => hasFactor(sca, each)),
  expiresAt: Math.min(now + challengeMillis, quoteExpiresAt),
  purpose,
  remaining,
  resends: 0,
  ...(asked?.passkeyOptions === undefined ? {} : { passkeyAssertionOptions: asked.passkeyOptions }),
  ...(asked?.allowedOrigins === undefined ? {} : { passkeyAllowedOrigins: asked.allowedOrigins }),
})
