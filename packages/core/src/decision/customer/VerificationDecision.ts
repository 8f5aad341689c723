/**
 * Decides the submission of a customer to verification, a later report of the provider, and the link to the provider's page.
 * Spec: 4.6 (KYB); wire contract 5.8, 5.12 and 7.6; D-083.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { type Customer, isDecided } from "../../model/customer/Customer.ts"
import type { KycLinkResponse } from "../../model/customer/CustomerResource.ts"
import { toVerification, type VerificationResource } from "../../model/customer/VerificationResource.ts"
import type { KycLink, VerificationOutcome } from "../../ports/Verifier.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { applyOutcome, reachedCheckStatus, type VerificationLoaded } from "./VerificationChanges.ts"

/** Returns why a customer cannot be verified again, or `undefined`. */
export const submissionRefusal = ({ checkStatus }: Customer): Refusal | undefined =>
  isDecided(checkStatus)
    ? invalidInput([{ field: "customerId", message: `must not be decided: the customer is ${checkStatus}` }])
    : undefined

export interface SubmissionLoaded extends VerificationLoaded {
  /** The answer of the provider. Absent if the customer cannot be verified again. */
  readonly outcome: VerificationOutcome | undefined
}

export const submitVerification = (
  loaded: SubmissionLoaded,
  context: DecisionContext,
): Decision<VerificationResource> => {
  const refusal = submissionRefusal(loaded.customer.data)
  if (refusal !== undefined) return refuse(refusal)
  if (loaded.outcome === undefined) throw new Error("the provider was not asked about a customer that can be verified")
  const { changes, verification } = applyOutcome(loaded, loaded.outcome, true, context)
  return answer(200, toVerification(verification), changes)
}

export interface ReportLoaded extends VerificationLoaded {
  /** Whether a verification of the customer has the reported status already. */
  readonly isRecorded: boolean
}

/**
 * Stores a later report of the provider. A repeated report of the final status changes nothing, whether the customer has taken that status
 * or could not.
 */
export const reportVerification =
  (outcome: VerificationOutcome) =>
  (loaded: ReportLoaded, context: DecisionContext): Decision<null> => {
    const isSame = (outcome.checkStatus ?? outcome.status) === loaded.customer.data.checkStatus
    const isRepeated = isSame || (loaded.isRecorded && reachedCheckStatus(loaded, outcome) === undefined)
    if (loaded.open === undefined && isRepeated) return answer(200, null)
    return answer(200, null, applyOutcome(loaded, outcome, false, context).changes)
  }

/** Returns why a customer may not be sent to the provider yet, or `undefined`. */
export const kycLinkRefusal = ({ contactVerification }: Customer): Refusal | undefined =>
  contactVerification?.email === "PENDING" || contactVerification?.phone === "PENDING"
    ? {
        code: "CONFLICT",
        message: "The customer's contacts are to be confirmed first.",
        details: { reason: "CONTACT_VERIFICATION_OUTSTANDING" },
      }
    : undefined

export interface KycLinkLoaded {
  readonly customer: Stored<"Customer">
  readonly link: KycLink
}

export const answerKycLink = ({ customer, link }: KycLinkLoaded): Decision<KycLinkResponse> => {
  const { expiresAt, kycUrl, provider, token } = link
  const body = { kycUrl, expiresAt: iso(expiresAt), provider, ...(token === undefined ? {} : { token }) }
  return answer(201, body, Changes.guard(customer))
}
