/**
 * Factors that a customer can use, and the refusals of strong customer authentication.
 * Spec: Errors, other rules (1: 409 where the region does not require it); wire contract 5.12; wire contract areas 2.2; D-086, D-380.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Customer } from "../customer/Customer.ts"
import type { RecordOf } from "../record/Record.ts"
import type { ScaFactor, ScaProfile } from "./ScaProfile.ts"
import type { ScaFactorView } from "./ScaResource.ts"

export interface ScaLoaded {
  readonly customer: RecordOf<"Customer", Customer>
  /** `undefined` if the customer never used strong authentication; `profile` is then empty. */
  readonly stored: RecordOf<"ScaProfile", ScaProfile> | undefined
  readonly profile: ScaProfile
}

/** 409 of strong customer authentication. */
export const scaConflict = (reason: string, message: string): Refusal => ({
  code: "CONFLICT",
  message,
  details: { reason },
})

/** Refuses a customer whose region does not require strong authentication. */
export const regionRefusal = (
  { customer }: Pick<ScaLoaded, "customer">,
  regions: ReadonlyArray<string>,
): Refusal | undefined => {
  const { region } = customer.data
  return region !== undefined && regions.includes(region)
    ? undefined
    : scaConflict("NOT_REQUIRED", "The customer's region does not require strong authentication.")
}

/** Whether the customer can use this factor. */
export const hasFactor = ({ customer, profile }: ScaLoaded, factor: ScaFactor): boolean =>
  factor === "SMS_OTP"
    ? customer.data.phoneNumber !== undefined
    : profile.factors.some((enrolled) => enrolled.factor === factor)

const isTelephoneVerified = ({ customer }: Pick<ScaLoaded, "customer">): boolean =>
  customer.data.contactVerification?.phone === "VERIFIED"

/** Milliseconds in which a challenge can be answered. */
export const challengeMillis = 5 * 60 * 1000

/** The factors that can answer the challenge of a payment or of a change of trust. */
export const challengeFactors: ReadonlyArray<ScaFactor> = ["SMS_OTP", "PASSKEY"]

/** Returns the factors by which the customer can answer such a challenge. */
export const availableFactors = (loaded: ScaLoaded): ReadonlyArray<ScaFactor> =>
  challengeFactors.filter((factor) => hasFactor(loaded, factor))

/** Whether the factor is enrolled as the interface shows it: `SMS_OTP` by a verified telephone number. Source: wire contract areas 2.2. */
export const isEnrolled = (loaded: ScaLoaded, factor: ScaFactor): boolean =>
  hasFactor(loaded, factor) && (factor !== "SMS_OTP" || isTelephoneVerified(loaded))

/** Returns the enrolled factors. Only a passkey shows the id of its credential. Source: wire contract areas 2.2. */
export const factorViews = (loaded: ScaLoaded): ReadonlyArray<ScaFactorView> => {
  const { phoneNumber } = loaded.customer.data
  return [
    ...(phoneNumber !== undefined && isTelephoneVerified(loaded)
      ? [{ factor: "SMS_OTP" as const, name: phoneNumber }]
      : []),
    ...loaded.profile.factors.map(({ credentialId, factor, name }) => ({
      factor,
      ...(factor === "PASSKEY" ? { credentialId } : {}),
      ...(name === undefined ? {} : { name }),
    })),
  ]
}

export const notEnrolled = (factor: ScaFactor): Refusal =>
  scaConflict("FACTOR_NOT_ENROLLED", `The customer has no factor ${factor}.`)
