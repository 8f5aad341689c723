/**
 * The challenge of a payment by a customer under strong authentication: whether it can be started, and its initial state.
 * Source: wire contract 5.5 and 5.12; D-086, D-129.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { QuoteChallenge } from "../../model/quote/Quote.ts"
import { lockoutRefusal } from "../../model/sca/LockoutRules.ts"
import { hasFactor, notEnrolled, type ScaLoaded } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import type { ScaChallenge } from "../../ports/ScaProvider.ts"

/** The challenge that a payment requires. */
export interface RequiredChallenge {
  readonly sca: ScaLoaded
  /** Drawn before the decision, because the provider is asked for a challenge of this id. */
  readonly challengeId: string
  readonly factor: ScaFactor
  /** The purposes of the challenges, in their order. */
  readonly purposes: readonly [string, ...ReadonlyArray<string>]
  /** The options for the customer's device; only for a passkey. */
  readonly passkeyChallenge: ScaChallenge | undefined
}

/** Milliseconds in which a challenge can be answered. It never outlives its quote. */
const challengeMillis = 5 * 60 * 1000

/** The factors that can authorize a payment. */
const paymentFactors: ReadonlyArray<ScaFactor> = ["SMS_OTP", "PASSKEY"]

/** Returns why the customer cannot be challenged, or `undefined`. */
export const challengeRefusal = ({ factor, sca }: RequiredChallenge, now: number): Refusal | undefined =>
  paymentFactors.includes(factor)
    ? (lockoutRefusal(sca.profile, now) ?? (hasFactor(sca, factor) ? undefined : notEnrolled(factor)))
    : invalidInput([{ field: "scaFactor", message: `must be ${paymentFactors.join(" or ")}` }])

/** Returns the challenge as stored with the quote. */
export const newChallenge = (
  { challengeId, factor, passkeyChallenge, purposes: [purpose, ...remaining], sca }: RequiredChallenge,
  now: number,
  quoteExpiresAt: number,
): QuoteChallenge => ({
  id: challengeId,
  factor,
  availableFactors: paymentFactors.filter((available) => hasFactor(sca, available)),
  expiresAt: Math.min(now + challengeMillis, quoteExpiresAt),
  purpose,
  remaining,
  resends: 0,
  ...(passkeyChallenge?.passkeyOptions === undefined
    ? {}
    : { passkeyAssertionOptions: passkeyChallenge.passkeyOptions }),
  ...(passkeyChallenge?.allowedOrigins === undefined ? {} : { passkeyAllowedOrigins: passkeyChallenge.allowedOrigins }),
})
