/**
 * The challenge of a payment by a customer under strong authentication: whether it can be started, and its initial state.
 * Source: wire contract 5.5 and 5.12; wire contract areas 1.3.5; D-086, D-129, D-381.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { QuoteChallenge } from "../../model/quote/Quote.ts"
import { lockoutRefusal } from "../../model/sca/LockoutRules.ts"
import { sessionRefusal } from "../../model/sca/LoginSession.ts"
import {
  availableFactors,
  challengeFactors,
  challengeMillis,
  hasFactor,
  notEnrolled,
  type ScaLoaded,
} from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import type { ScaChallenge } from "../../ports/ScaProvider.ts"
import * as Changes from "../../store/Changes.ts"

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

/** The session by which a payment to a trusted account is authorized, instead of a challenge of its own. */
export interface RequiredSession {
  readonly sca: ScaLoaded
}

/** The strong authentication that a payment requires. Both absent: the customer is not under it. */
export interface RequiredAuthentication {
  readonly requiredChallenge: RequiredChallenge | undefined
  /** Only if the customer trusts the destination. Source: wire contract areas 1.3.5; D-381. */
  readonly requiredSession: RequiredSession | undefined
}

/** Returns why the customer cannot be challenged, or `undefined`. */
const challengeRefusal = ({ factor, sca }: RequiredChallenge, now: number): Refusal | undefined =>
  challengeFactors.includes(factor)
    ? (lockoutRefusal(sca.profile, now) ?? (hasFactor(sca, factor) ? undefined : notEnrolled(factor)))
    : invalidInput([{ field: "scaFactor", message: `must be ${challengeFactors.join(" or ")}` }])

/** Returns why the customer is not authenticated for the payment and cannot be challenged, or `undefined`. */
export const authenticationRefusal = (
  { requiredChallenge, requiredSession }: RequiredAuthentication,
  now: number,
): Refusal | undefined => {
  if (requiredChallenge !== undefined) return challengeRefusal(requiredChallenge, now)
  if (requiredSession === undefined) return undefined
  const { profile } = requiredSession.sca
  return lockoutRefusal(profile, now) ?? sessionRefusal(profile, now)
}

/** Guards the session of a payment to a trusted account until the commit, which must come before the session ends. */
export const guardSession = ({ requiredSession }: RequiredAuthentication): Changes.Changes => {
  const { profile, stored } = requiredSession?.sca ?? {}
  return {
    ...Changes.guard(...(stored === undefined ? [] : [stored])),
    ...(profile?.sessionExpiresAt === undefined ? {} : { validUntil: profile.sessionExpiresAt }),
  }
}

/** Returns the challenge as stored with the quote. */
export const newChallenge = (
  { challengeId, factor, passkeyChallenge, purposes: [purpose, ...remaining], sca }: RequiredChallenge,
  now: number,
  quoteExpiresAt: number,
): QuoteChallenge => ({
  id: challengeId,
  factor,
  availableFactors: availableFactors(sca),
  // It never outlives its quote.
  expiresAt: Math.min(now + challengeMillis, quoteExpiresAt),
  purpose,
  remaining,
  resends: 0,
  ...(passkeyChallenge?.passkeyOptions === undefined
    ? {}
    : { passkeyAssertionOptions: passkeyChallenge.passkeyOptions }),
  ...(passkeyChallenge?.allowedOrigins === undefined ? {} : { passkeyAllowedOrigins: passkeyChallenge.allowedOrigins }),
})
