/**
 * Decides the answer to a quote's challenge: a wrong answer is counted, a right one starts the next challenge or continues the
 * quote; and decides whether a code is sent again.
 * Source: wire contract 5.5 and 5.12 (lockout); D-086, D-129.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { type QuoteChallenge, withoutChallenge } from "../../model/quote/Quote.ts"
import { type QuoteResource, toQuote } from "../../model/quote/QuoteResource.ts"
import { afterRightAnswer, lockoutRefusal, withFailedAttempt } from "../../model/sca/LockoutRules.ts"
import { type ScaLoaded, scaConflict } from "../../model/sca/ScaFactorRules.ts"
import type { ScaProfile } from "../../model/sca/ScaProfile.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import type { ScaChallenge } from "../../ports/ScaProvider.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { decideGuess } from "../GuessDecision.ts"
import { sendOfChallenge } from "../sca/ScaProfileChanges.ts"
import {
  authorizePayment,
  type QuoteTransition,
  startChallenge,
  startExecution,
} from "../transaction/QuotePaymentChanges.ts"
import { newChallenge } from "./QuoteChallengeDecision.ts"
import { decisionScope, guardsFor, isShortOfFunds, type QuoteRecords } from "./QuoteExecutionDecision.ts"

/** The records that an answer to a challenge is decided on. */
export interface AuthorizationRecords {
  readonly records: QuoteRecords
  /** Absent: the quote is the platform's own. */
  readonly sca: ScaLoaded | undefined
}

/** The facts that the provider answered. */
export interface AuthorizationFacts {
  /** Whether the customer's answer is right. */
  readonly isRight: boolean
  /** The options of the next challenge for the customer's device; only for a passkey. */
  readonly passkeyChallenge: ScaChallenge | undefined
}

/** The customer's answer, as far as the decision needs it. */
interface Answer {
  /** Whether the answer is a passkey assertion, not a code. */
  readonly isPasskey: boolean
  /** The id of the next challenge, if one follows. */
  readonly challengeId: string
}

/** Returns the open challenge, or the refusal if no challenge is open. */
export const openChallenge = ({ quote }: QuoteRecords, now: number): QuoteChallenge | Refusal => {
  const { challenge, status } = asOf(quote, now).data
  return status === "PENDING_AUTHORIZATION" && challenge !== undefined
    ? challenge
    : scaConflict("NO_CHALLENGE_PENDING", "No challenge of this quote waits for an answer.")
}

const notRequired = scaConflict("NOT_REQUIRED", "A platform's own quote needs no challenge.")

const writeProfile = ({ customer, stored }: ScaLoaded, data: ScaProfile): Changes.Changes =>
  stored === undefined ? Changes.insert("ScaProfile", customer.id, customer, data) : Changes.update(stored, data)

/** Returns the transition after a right answer: the next challenge, the payer's instructions or the execution. */
const continueQuote = (
  records: QuoteRecords,
  sca: ScaLoaded,
  challenge: QuoteChallenge,
  next: Pick<Answer, "challengeId"> & Pick<AuthorizationFacts, "passkeyChallenge">,
  context: DecisionContext,
): QuoteTransition | Refusal => {
  const { now } = context
  const { data } = records.quote
  const scope = decisionScope(records, context)
  const [purpose, ...remaining] = challenge.remaining
  if (purpose !== undefined) {
    const required = { sca, ...next, factor: challenge.factor, purposes: [purpose, ...remaining] as const }
    const updatedQuote = { ...data, challenge: newChallenge(required, now, data.expiresAt) }
    const started = startChallenge({ ...scope, updatedQuote }, records.transaction)
    return { ...started, changes: Changes.combine(started.changes, sendOfChallenge(sca, challenge.factor)) }
  }
  const answered = { ...scope, updatedQuote: withoutChallenge(data) }
  if (data.funding === "PUSH") return authorizePayment(answered, records.transaction)
  return isShortOfFunds(records) ? shortOfFunds : startExecution(answered, records.transaction)
}

/** Decides the customer's answer to the open challenge. */
export const authorizeQuote =
  ({ challengeId, isPasskey }: Answer) =>
  (loaded: AuthorizationRecords & AuthorizationFacts, context: DecisionContext): Decision<QuoteResource> => {
    const { isRight, passkeyChallenge, records, sca } = loaded
    const { now } = context
    if (sca === undefined) return refuse(notRequired)
    const locked = lockoutRefusal(sca.profile, now)
    if (locked !== undefined) return refuse(locked)
    const challenge = openChallenge(records, now)
    if ("code" in challenge) return refuse(challenge)
    const field = challenge.factor === "PASSKEY" ? "passkeyAssertion" : "code"
    if (isPasskey !== (challenge.factor === "PASSKEY")) {
      return refuse(invalidInput([{ field, message: `is what answers a challenge by ${challenge.factor}` }]))
    }
    return decideGuess({
      refused: undefined,
      isRight,
      wrong: {
        refusal: invalidInput([{ field, message: "must answer the challenge" }]),
        // A quote whose challenge another answer has ended since it was read says nothing about this one.
        counted: Changes.combine(
          writeProfile(sca, withFailedAttempt(sca.profile, now)),
          Changes.guard(sca.customer, records.quote),
        ),
      },
      right: () => {
        const transition = continueQuote(records, sca, challenge, { challengeId, passkeyChallenge }, context)
        if ("code" in transition) return { decision: refuse(transition), counted: writeProfile(sca, sca.profile) }
        const changes = Changes.combine(transition.changes, guardsFor(records), { validUntil: challenge.expiresAt })
        return {
          decision: answer(200, toQuote(transition.quote), changes),
          counted: writeProfile(sca, afterRightAnswer(sca.profile)),
        }
      },
    })
  }

/** The maximum number of times that a code is sent again. */
const resendsMax = 5

/** The code to send: the challenge and its customer. */
export interface CodeResend {
  readonly customer: Stored<"Customer">
  readonly challenge: QuoteChallenge
}

/** Decides whether the code of the open challenge is sent again, and counts it. */
export const resendCode = (
  { records }: { readonly records: QuoteRecords },
  { now }: DecisionContext,
): Decision<CodeResend> => {
  const { customer, quote } = records
  if (customer === undefined) return refuse(notRequired)
  const challenge = openChallenge(records, now)
  if ("code" in challenge) return refuse(challenge)
  if (challenge.factor !== "SMS_OTP") {
    return refuse(scaConflict("NO_CODE_PENDING", "The challenge that waits is not answered by a code."))
  }
  if (challenge.resends >= resendsMax) {
    return refuse({ code: "RATE_LIMITED", message: `A code is sent again at most ${resendsMax} times.` })
  }
  const resent = { ...challenge, resends: challenge.resends + 1 }
  const changes = Changes.combine(
    Changes.update(quote, { ...quote.data, challenge: resent }),
    sendOfChallenge({ customer }, resent.factor),
    { validUntil: resent.expiresAt },
  )
  return answer(204, { customer, challenge: resent }, changes)
}
