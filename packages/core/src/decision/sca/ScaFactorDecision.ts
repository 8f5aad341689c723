/**
 * Decides the enrolment and the removal of a factor.
 * Source: wire contract 5.12 and B; D-086.
 */
import { invalidInput, notFound } from "../../foundation/errors/ServiceError.ts"
import { regionRefusal } from "../../model/sca/ScaFactorRules.ts"
import type { EnrollableFactor, ScaFactorConfirmResponse } from "../../model/sca/ScaResource.ts"
import type { ScaEnrollment } from "../../ports/ScaProvider.ts"
import { answer, type Decision, refuse } from "../Decision.ts"
import { type StoredSca, writeProfile } from "./ScaProfileChanges.ts"

export interface EnrollmentAsked {
  /** The provider's answer; `undefined` if the customer's region is refused. */
  readonly enrollment: ScaEnrollment | undefined
}

/** Stores a factor that the provider has confirmed. */
export const decideEnrollment =
  (type: EnrollableFactor, regions: ReadonlyArray<string>) =>
  ({ enrollment, ...sca }: StoredSca & EnrollmentAsked): Decision<ScaFactorConfirmResponse> => {
    const refusal = regionRefusal(sca, regions)
    if (refusal !== undefined) return refuse(refusal)
    if (enrollment === undefined) throw new Error("The provider was not asked to confirm the enrolment.")
    if (enrollment._tag === "Refused") {
      return refuse(invalidInput([{ field: enrollment.field, message: "must be what was asked for" }]))
    }
    const { credentialId, name, recoveryCodes } = enrollment
    const { factors } = sca.profile
    if (factors.some((factor) => factor.credentialId === credentialId)) {
      return refuse({
        code: type === "PASSKEY" ? "PASSKEY_ALREADY_ENROLLED" : "CONFLICT",
        message: "This factor is enrolled already.",
      })
    }
    const factor = { factor: type, credentialId, ...(name === undefined ? {} : { name }) }
    return answer<ScaFactorConfirmResponse>(
      200,
      type === "TOTP" ? { type, recoveryCodes } : { type, factor },
      writeProfile(sca, { ...sca.profile, factors: [...factors, factor] }),
    )
  }

/** Removes an enrolled factor. */
export const decideRemoval =
  (credentialId: string, regions: ReadonlyArray<string>) =>
  (sca: StoredSca): Decision<null> => {
    const refusal = regionRefusal(sca, regions)
    if (refusal !== undefined) return refuse(refusal)
    const { factors } = sca.profile
    const remaining = factors.filter((factor) => factor.credentialId !== credentialId)
    return remaining.length === factors.length
      ? refuse(notFound("factor"))
      : answer(204, null, writeProfile(sca, { ...sca.profile, factors: remaining }))
  }
