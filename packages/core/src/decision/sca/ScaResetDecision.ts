/**
 * Decides the reset of a lost factor: its start, its status, and its completion.
 * Source: wire contract 5.12 and B; wire contract areas 2.2; D-086, D-380.
 */
import { invalidInput, notFound } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { limitRefusal } from "../../model/limit/LimitCounter.ts"
import { countOf } from "../../model/limit/UseLimits.ts"
import { hasFactor, isEnrolled, notEnrolled, regionRefusal, scaConflict } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor, ScaReset, TwoFactorResetState } from "../../model/sca/ScaProfile.ts"
import type { MobileNumber, TwoFactorResetStatus } from "../../model/sca/ScaResource.ts"
import * as Changes from "../../store/Changes.ts"
import { withContactVerification } from "../customer/CustomerFields.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { type StoredSca, writeProfile } from "./ScaProfileChanges.ts"

const dayMillis = 24 * 60 * 60 * 1000
const resetMillis = 60 * 60 * 1000
/** Maximum number of resets that a customer starts within a day. */
const resetsMax = countOf("FACTOR_RESETS", {}) ?? 0

export const decideResetStart =
  (resetId: string, factor: ScaFactor, regions: ReadonlyArray<string>) =>
  (sca: StoredSca, { now }: DecisionContext): Decision<ScaReset> => {
    const refusal = regionRefusal(sca, regions)
    if (refusal !== undefined) return refuse(refusal)
    if (!hasFactor(sca, factor)) return refuse(notEnrolled(factor))
    const recent = sca.profile.resets.filter(({ startedAt }) => now - startedAt < dayMillis)
    const [oldest] = recent
    if (recent.length >= resetsMax && oldest !== undefined) {
      return refuse(limitRefusal("FACTOR_RESETS", { availableAt: oldest.startedAt + dayMillis, count: resetsMax, now }))
    }
    const reset: ScaReset = { resetId, factor, startedAt: now, expiresAt: now + resetMillis }
    return answer(201, reset, writeProfile(sca, { ...sca.profile, resets: [...recent, reset] }))
  }

export const resetOf = ({ profile }: StoredSca, resetId: string): ScaReset | undefined =>
  profile.resets.find((reset) => reset.resetId === resetId)

export interface ResetAsked {
  /** The provider's state of a reset that is not completed. */
  readonly providerState: TwoFactorResetState | undefined
}

/** Returns the status of a reset: the service decides on completion and expiry, the provider on the rest. */
const statusOf = (
  { completedAt, expiresAt }: ScaReset,
  { providerState = "INITIATED" }: ResetAsked,
  now: number,
): TwoFactorResetState => {
  if (completedAt !== undefined) return "COMPLETED"
  return now >= expiresAt ? "EXPIRED" : providerState
}

export const toResetStatus = (
  sca: StoredSca,
  reset: ScaReset,
  asked: ResetAsked,
  now: number,
): TwoFactorResetStatus => {
  const { completedAt, expiresAt, factor } = reset
  return {
    status: statusOf(reset, asked, now),
    factor,
    ...(completedAt === undefined ? {} : { enrollmentStatus: isEnrolled(sca, factor) ? "COMPLETED" : "PENDING" }),
    expiresAt: iso(expiresAt),
    ...(completedAt === undefined ? {} : { completedAt: iso(completedAt) }),
  }
}

/** Replaces the telephone number of the customer, who confirms the new one as any other. */
const replaceTelephone = (
  { customer }: StoredSca,
  { countryCode, number }: MobileNumber,
  regions: ReadonlyArray<string>,
): Changes.Changes => {
  const replaced = { ...customer.data, phoneNumber: `${countryCode}${number}` }
  return Changes.update(customer, withContactVerification(replaced, customer.data, regions))
}

/**
 * Removes the factor, so that it can be enrolled anew, once the provider has verified the customer. The factor of `SMS_OTP` is the
 * telephone number, which the reset replaces.
 */
export const decideResetCompletion =
  (resetId: string, mobile: MobileNumber | undefined, regions: ReadonlyArray<string>) =>
  ({ providerState, ...sca }: StoredSca & ResetAsked, { now }: DecisionContext): Decision<null> => {
    const refusal = regionRefusal(sca, regions)
    if (refusal !== undefined) return refuse(refusal)
    const reset = resetOf(sca, resetId)
    if (reset === undefined) return refuse(notFound("reset"))
    const status = statusOf(reset, { providerState }, now)
    if (status !== "LIVENESS_PASSED") {
      return refuse(scaConflict("RESET_NOT_PASSED", `The reset is ${status}, not LIVENESS_PASSED.`))
    }
    if (reset.factor === "SMS_OTP" && mobile === undefined) {
      return refuse(invalidInput([{ field: "mobile", message: "is required when SMS_OTP is reset" }]))
    }
    const { factors, resets } = sca.profile
    const completed = writeProfile(sca, {
      ...sca.profile,
      factors: factors.filter(({ factor }) => factor !== reset.factor),
      resets: resets.map((other) => (other.resetId === resetId ? { ...other, completedAt: now } : other)),
    })
    const isReplaced = reset.factor === "SMS_OTP" && mobile !== undefined
    return answer(
      204,
      null,
      Changes.combine(completed, isReplaced ? replaceTelephone(sca, mobile, regions) : undefined),
    )
  }
