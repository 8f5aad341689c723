/**
 * Decides a request to trust an external account or to end the trust, and the confirmation that answers it. A wrong proof is counted
 * towards the customer's lockout.
 * Source: wire contract areas 1.3; D-334, D-381.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { isAlready, type TrustPurpose, type TrustRequest, withTrust } from "../../model/sca/BeneficiaryTrust.ts"
import type {
  BeneficiaryTrustConfirm,
  BeneficiaryTrustConfirmRequest,
  BeneficiaryTrustStart,
} from "../../model/sca/BeneficiaryTrustResource.ts"
import { afterRightAnswer, lockoutRefusal, withFailedAttempt } from "../../model/sca/LockoutRules.ts"
import { sessionRefusal } from "../../model/sca/LoginSession.ts"
import {
  availableFactors,
  challengeMillis,
  hasFactor,
  notEnrolled,
  regionRefusal,
  type ScaLoaded,
  scaConflict,
} from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import type { ScaChallenge } from "../../ports/ScaProvider.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { decideGuess } from "../GuessDecision.ts"
import { type StoredSca, sendOfChallenge, writeProfile } from "./ScaProfileChanges.ts"

export interface TrustLoaded {
  readonly account: Stored<"ExternalAccount">
  /** The strong authentication of the account's owner. */
  readonly sca: StoredSca
}

/** What is asked for, and the regions that require strong authentication. */
export interface TrustCall {
  readonly purpose: TrustPurpose
  readonly regions: ReadonlyArray<string>
}

const notRequired = scaConflict(
  "SCA_NOT_REQUIRED",
  "The customer's region does not require strong authentication, so that there is nothing to trust.",
)

const accountNotActive = (status: string): Refusal => ({
  ...scaConflict("ACCOUNT_NOT_ACTIVE", "Only an active external account can be trusted."),
  details: { reason: "ACCOUNT_NOT_ACTIVE", status },
})

/** Returns why the customer's trust in the account cannot change now, or `undefined`. */
export const trustRefusal = (
  { account, sca }: TrustLoaded,
  { purpose, regions }: TrustCall,
  now: number,
): Refusal | undefined => {
  if (regionRefusal(sca, regions) !== undefined) return notRequired
  const refusal = lockoutRefusal(sca.profile, now) ?? sessionRefusal(sca.profile, now)
  if (refusal !== undefined) return refusal
  const { status } = account.data
  return purpose === "BENEFICIARY_TRUST" && status !== "ACTIVE" ? accountNotActive(status) : undefined
}

/** The factor of a new challenge: the request names none. */
export const factorOf = (sca: ScaLoaded): ScaFactor =>
  !hasFactor(sca, "SMS_OTP") && hasFactor(sca, "PASSKEY") ? "PASSKEY" : "SMS_OTP"

export interface TrustStartAsked {
  /** Whether the provider requires a challenge. */
  readonly requiresChallenge: boolean
  /** The options for the customer's device; only for a passkey. */
  readonly passkeyChallenge: ScaChallenge | undefined
}

/** Guards the customer and its strong authentication, which the decision depends on. */
const guardsFor = ({ sca: { customer, stored } }: TrustLoaded): Changes.Changes =>
  Changes.guard(customer, ...(stored === undefined ? [] : [stored]))

/** Stores the request and its challenge, which replaces an earlier one. */
export const startTrust =
  (challengeId: string, call: TrustCall) =>
  (loaded: TrustLoaded & TrustStartAsked, { now }: DecisionContext): Decision<BeneficiaryTrustStart> => {
    const { account, passkeyChallenge, requiresChallenge, sca } = loaded
    const { purpose } = call
    const refusal = trustRefusal(loaded, call, now)
    if (refusal !== undefined) return refuse(refusal)
    if (isAlready(account.data, purpose)) return answer(200, {})
    const factor = factorOf(sca)
    if (requiresChallenge && !hasFactor(sca, factor)) return refuse(notEnrolled(factor))
    const expiresAt = now + challengeMillis
    const challenge = requiresChallenge ? { challenge: { id: challengeId, factor } } : {}
    const trustRequest: TrustRequest = { purpose, expiresAt, ...challenge }
    const changes = Changes.combine(Changes.update(account, { ...account.data, trustRequest }), guardsFor(loaded))
    if (!requiresChallenge) return answer(200, {}, changes)
    const { allowedOrigins, passkeyOptions } = passkeyChallenge ?? {}
    return answer(
      200,
      {
        scaChallenge: {
          id: challengeId,
          expiresAt: iso(expiresAt),
          factor,
          availableFactors: availableFactors(sca),
          purpose,
          ...(passkeyOptions === undefined ? {} : { passkeyAssertionOptions: passkeyOptions }),
          ...(allowedOrigins === undefined ? {} : { passkeyAllowedOrigins: allowedOrigins }),
        },
      },
      Changes.combine(changes, sendOfChallenge(sca, factor)),
    )
  }

type ProofReason = "WRONG_CODE" | "CHALLENGE_EXPIRED" | "CHALLENGE_MISMATCH"

const proofRefusal = (reason: ProofReason, field: string, message: string): Refusal => {
  const refusal = invalidInput([{ field, message }])
  return { ...refusal, details: { ...refusal.details, reason } }
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/**
 * Returns the open request that a confirmation answers; or `undefined`, if the account already is what is asked for; or why the
 * confirmation is refused before its proof is checked.
 */
export const answeredRequest = (
  loaded: TrustLoaded,
  call: TrustCall,
  request: BeneficiaryTrustConfirmRequest,
  now: number,
): { readonly open: TrustRequest | undefined } | Refusal => {
  const { purpose } = call
  const refusal = trustRefusal(loaded, call, now)
  if (refusal !== undefined) return refusal
  const { data } = loaded.account
  if (isAlready(data, purpose)) return { open: undefined }
  const { code, challengeId, passkeyAssertion } = request
  if (!isPresent(code) && !isPresent(passkeyAssertion)) {
    return invalidInput([{ field: "code", message: "exactly one of code and passkeyAssertion is required" }])
  }
  const open = data.trustRequest
  if (open === undefined || open.purpose !== purpose) {
    return scaConflict("NO_CHALLENGE_PENDING", "Nothing waits for a confirmation: start it first.")
  }
  if (now >= open.expiresAt) {
    return proofRefusal("CHALLENGE_EXPIRED", "challengeId", "has expired: start again for a new challenge")
  }
  if (open.challenge === undefined) return { open }
  if (challengeId !== open.challenge.id) {
    return proofRefusal("CHALLENGE_MISMATCH", "challengeId", "must be the id of the open challenge")
  }
  const field = open.challenge.factor === "PASSKEY" ? "passkeyAssertion" : "code"
  return isPresent(request[field])
    ? { open }
    : invalidInput([{ field, message: `is what answers a challenge by ${open.challenge.factor}` }])
}

export interface TrustConfirmAsked {
  /** Whether the provider accepts the proof. False if the provider was not asked. */
  readonly isRight: boolean
}

/** Decides a confirmation. A wrong proof leaves the request open until it expires or the customer is locked out. */
export const confirmTrust =
  (request: BeneficiaryTrustConfirmRequest, call: TrustCall) =>
  (loaded: TrustLoaded & TrustConfirmAsked, context: DecisionContext): Decision<BeneficiaryTrustConfirm> => {
    const { account, isRight, sca } = loaded
    const { now } = context
    const { purpose } = call
    const confirmed: BeneficiaryTrustConfirm = { trusted: purpose === "BENEFICIARY_TRUST" }
    const answered = answeredRequest(loaded, call, request, now)
    if ("code" in answered) return refuse(answered)
    const { open } = answered
    if (open === undefined) return answer(200, confirmed)
    const { challenge, expiresAt } = open
    const audited = (outcome: "DONE" | "REFUSED", details: { readonly reason?: ProofReason } = {}) =>
      auditRecord(context, purpose, account, {
        outcome,
        details: { factor: challenge?.factor ?? null, ...details },
      })
    const changes = Changes.combine(
      Changes.update(account, withTrust(account.data, purpose)),
      guardsFor(loaded),
      audited("DONE"),
      { validUntil: expiresAt },
    )
    if (challenge === undefined) return answer(200, confirmed, changes)
    const field = challenge.factor === "PASSKEY" ? "passkeyAssertion" : "code"
    return decideGuess({
      refused: undefined,
      isRight,
      wrong: {
        refusal: proofRefusal("WRONG_CODE", field, "must answer the challenge"),
        counted: Changes.combine(
          writeProfile(sca, withFailedAttempt(sca.profile, now)),
          Changes.guard(account),
          audited("REFUSED", { reason: "WRONG_CODE" }),
        ),
      },
      right: () => ({
        decision: answer(200, confirmed, changes),
        counted: writeProfile(sca, afterRightAnswer(sca.profile)),
      }),
    })
  }
