/**
 * Factors that a customer can use, and the refusals of strong customer authentication.
 * Spec: Errors, other rules (1: 409 where the region does not require it); wire contract 5.12; D-086.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Customer } from "../customer/Customer.ts"
import type { RecordOf } from "../record/Record.ts"
import type { ScaFactor, ScaProfile } from "./ScaProfile.ts"

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

export const notEnrolled = (factor: ScaFactor): Refusal =>
  scaConflict("FACTOR_NOT_ENROLLED", `The customer has no factor ${factor}.`)
