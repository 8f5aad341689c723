/**
 * A challenge answered, decided: wrong and counted, followed by another one, or the last; then the quote goes on.
 * Source: wire contract 5.5 and 5.12 (lockout); D-086, D-129.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { type QuoteChallenge, withoutChallenge } from "../../model/quote/Quote.ts"
import { type QuoteResource, toQuote } from "../../model/quote/QuoteResource.ts"
import { lockoutRefusal, withFailedAttempt, withoutFailures } from "../../model/sca/LockoutRules.ts"
import { type ScaLoaded, scaConflict } from "../../model/sca/ScaFactorRules.ts"
import type { ScaProfile } from "../../model/sca/ScaProfile.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import type { ScaChallenge } from "../../ports/ScaProvider.ts"
import { asOf } from "../../store/AsOf.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import {
  authorizePayment,
  type QuoteTransition,
  startChallenge,
  startExecution,
} from "../transaction/QuotePaymentChanges.ts"
import { challengeOf } from "./QuoteChallengeDecision.ts"
import { guardsFor, isShortOfFunds, placeOf, type QuoteParts } from "./QuoteExecutionDecision.ts"

export interface AuthorizationLoaded {
  readonly parts: QuoteParts
  readonly sca: ScaLoaded
  /** Whether the answer is the right one. */
  readonly isRight: boolean
  /** Whether it was given by a passkey, or as a code. */
  readonly isPasskey: boolean
  /** The identifier of a further challenge. */
  readonly challengeId: string
  /** Of a further challenge by passkey: what the customer's device is asked. */
  readonly asked: ScaChallenge | undefined
}

/** The open challenge, or why there is none. */
export const openChallenge = ({ quote }: QuoteParts, now: number): QuoteChallenge | Refusal => {
  const { challenge, status } = asOf(quote, now).data
  return status === "PENDING_AUTHORIZATION" && challenge !== undefined
    ? challenge
    : scaConflict("NO_CHALLENGE_PENDING", "No challenge of this quote waits for an answer.")
}

/** The profile after a right answer: failures count no more, and a sign-in that is under way goes on. */
const proven = (profile: ScaProfile): ScaProfile => ({
  ...withoutFailures(profile),
  ...(profile.challenge === undefined ? {} : { challenge: profile.challenge }),
})

const written = ({ customer, stored }: ScaLoaded, data: ScaProfile): Changes.Changes =>
  stored === undefined ? Changes.insert("ScaProfile", customer.id, customer, data) : Changes.update(stored, data)

/** What the right answer leads to. */
const next = (
  { asked, challengeId, parts, sca }: AuthorizationLoaded,
  challenge: QuoteChallenge,
  context: DecisionContext,
): QuoteTransition | Refusal => {
  const { now } = context
  const { data } = parts.quote
  const place = placeOf(parts, context)
  const [purpose, ...remaining] = challenge.remaining
  if (purpose !== undefined) {
    const further = { sca, challengeId, factor: challenge.factor, asked }
    const quoteData = {
      ...data,
      challenge: challengeOf({ ...further, purposes: [purpose, ...remaining] }, now, data.expiresAt),
    }
    return startChallenge({ ...place, updatedQuote: quoteData }, parts.transaction)
  }
  const open = { ...place, updatedQuote: withoutChallenge(data) }
  if (data.funding === "PUSH") return authorizePayment(open, parts.transaction)
  return isShortOfFunds(parts) ? shortOfFunds : startExecution(open, parts.transaction)
}

/** Decides an answer to the challenge. */
export const authorize = (loaded: AuthorizationLoaded, context: DecisionContext): Decision<QuoteResource> => {
  const { isPasskey, isRight, parts, sca } = loaded
  const { now } = context
  const locked = lockoutRefusal(sca.profile, now)
  if (locked !== undefined) return refuse(locked)
  const challenge = openChallenge(parts, now)
  if ("code" in challenge) return refuse(challenge)
  const field = challenge.factor === "PASSKEY" ? "passkeyAssertion" : "code"
  if (isPasskey !== (challenge.factor === "PASSKEY")) {
    return refuse(invalidInput([{ field, message: `is what answers a challenge by ${challenge.factor}` }]))
  }
  if (!isRight) {
    const refusal = invalidInput([{ field, message: "must answer the challenge" }])
    return refuse(
      refusal,
      Changes.combine(written(sca, withFailedAttempt(sca.profile, now)), Changes.guard(sca.customer)),
    )
  }
  const moved = next(loaded, challenge, context)
  if ("code" in moved) return refuse(moved)
  const changes = Changes.combine(moved.changes, written(sca, proven(sca.profile)), guardsFor(parts), {
    validUntil: challenge.expiresAt,
  })
  return answer(200, toQuote(moved.quote), changes)
}
