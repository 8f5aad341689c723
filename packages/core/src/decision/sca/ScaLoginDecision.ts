/**
 * Decides a login by strong authentication: its challenge, its answer, and security events of the platform's own sign-in.
 * Source: wire contract 5.12 and B; D-086, D-334.
 */
import { Result } from "effect"
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { lockoutRefusal, withFailedAttempt, withoutFailures } from "../../model/sca/LockoutRules.ts"
import { sessionMillis } from "../../model/sca/LoginSession.ts"
import { challengeMillis, hasFactor, notEnrolled, regionRefusal } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import type {
  RecordSecurityEventResponse,
  ScaLoginComplete,
  ScaLoginCompleteRequest,
  SecurityEventType,
} from "../../model/sca/ScaResource.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { decideGuess } from "../GuessDecision.ts"
import { type StoredSca, sendOfChallenge, writeProfile } from "./ScaProfileChanges.ts"

/** What the service needs to send the challenge after the commit. */
export interface LoginChallenge {
  readonly expiresAt: number
  readonly phoneNumber: string | undefined
}

/** Stores a new challenge. */
export const decideLoginStart =
  (challengeId: string, factor: ScaFactor, regions: ReadonlyArray<string>) =>
  (sca: StoredSca, { now }: DecisionContext): Decision<LoginChallenge> => {
    const refusal = regionRefusal(sca, regions) ?? lockoutRefusal(sca.profile, now)
    if (refusal !== undefined) return refuse(refusal)
    if (!hasFactor(sca, factor)) return refuse(notEnrolled(factor))
    const expiresAt = now + challengeMillis
    const { phoneNumber } = sca.customer.data
    return answer(
      200,
      { expiresAt, phoneNumber },
      Changes.combine(
        writeProfile(sca, { ...sca.profile, challenge: { id: challengeId, factor, expiresAt } }),
        sendOfChallenge(sca, factor),
      ),
    )
  }

/** Returns the id of the open challenge that a request answers, or the refusal of a request without one. */
export const openChallengeId = (
  sca: StoredSca,
  { challengeId, factor }: ScaLoginCompleteRequest,
  regions: ReadonlyArray<string>,
  now: number,
): Result.Result<string, Refusal> => {
  const refusal = regionRefusal(sca, regions) ?? lockoutRefusal(sca.profile, now)
  if (refusal !== undefined) return Result.fail(refusal)
  const { challenge } = sca.profile
  const isOpen =
    challenge !== undefined &&
    challenge.factor === factor &&
    (challengeId ?? challenge.id) === challenge.id &&
    now < challenge.expiresAt
  return isOpen
    ? Result.succeed(challenge.id)
    : Result.fail(invalidInput([{ field: "challengeId", message: "must be the open challenge of this factor" }]))
}

export interface LoginAsked {
  /** Whether the provider accepts the answer, or the refusal that made asking pointless. */
  readonly isCorrect: Result.Result<boolean, Refusal>
}

/** A wrong answer is counted; a right one clears the failures and the challenge. */
export const decideLoginCompletion =
  (request: ScaLoginCompleteRequest, regions: ReadonlyArray<string>) =>
  ({ isCorrect, ...sca }: StoredSca & LoginAsked, { now }: DecisionContext): Decision<ScaLoginComplete> => {
    const open = openChallengeId(sca, request, regions, now)
    if (Result.isFailure(open)) return refuse(open.failure)
    if (Result.isFailure(isCorrect)) return refuse(isCorrect.failure)
    const field = request.factor === "PASSKEY" ? "passkeyAssertion" : "code"
    const sessionExpiresAt = now + sessionMillis
    const completed: ScaLoginComplete = { status: "AUTHENTICATED", sessionExpiresAt: iso(sessionExpiresAt) }
    return decideGuess({
      refused: undefined,
      isRight: isCorrect.success,
      wrong: {
        refusal: invalidInput([{ field, message: "must answer the challenge" }]),
        counted: writeProfile(sca, withFailedAttempt(sca.profile, now)),
      },
      right: () => ({
        decision: answer(200, completed),
        counted: writeProfile(sca, { ...withoutFailures(sca.profile), sessionExpiresAt }),
      }),
    })
  }

/** Counts a failed attempt, or clears the failures after a new password. A suspension is not ended by any event. */
export const decideSecurityEvent =
  (eventType: SecurityEventType, regions: ReadonlyArray<string>) =>
  (sca: StoredSca, { now }: DecisionContext): Decision<RecordSecurityEventResponse> => {
    const refusal = regionRefusal(sca, regions)
    if (refusal !== undefined) return refuse(refusal)
    const isFailure = eventType === "FAILED_LOGIN_ATTEMPT"
    const lockout = lockoutRefusal(sca.profile, now)
    if (lockout !== undefined && (isFailure || sca.profile.suspended)) return refuse(lockout)
    const profile = isFailure ? withFailedAttempt(sca.profile, now) : withoutFailures(sca.profile)
    const { failedAttempts, lockedUntil, suspended } = profile
    const isLocked = lockedUntil !== undefined && now < lockedUntil
    return answer<RecordSecurityEventResponse>(
      200,
      { eventType, suspended, lockedUntil: isLocked ? iso(lockedUntil) : null, failedAttempts },
      writeProfile(sca, profile),
    )
  }
