/**
 * By which factors a customer can be asked, and the refusals of this room.
 * Spec: Errors, other rules (1: 409 where the region does not require it); wire contract 5.12; D-086.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Customer } from "../customer/Customer.ts"
import type { RecordOf } from "../record/Record.ts"
import type { ScaFactor, ScaProfile } from "./ScaProfile.ts"

export interface ScaLoaded {
  readonly customer: RecordOf<"Customer", Customer>
  readonly stored: RecordOf<"ScaProfile", ScaProfile> | undefined
  readonly profile: ScaProfile
}

/** The 409 of this room. */
export const conflict = (reason: string, message: string): Refusal => ({
  code: "CONFLICT",
  message,
  details: { reason },
})

/** Whether the customer can be asked by this factor. */
export const hasFactor = ({ customer, profile }: ScaLoaded, factor: ScaFactor): boolean =>
  factor === "SMS_OTP"
    ? customer.data.phoneNumber !== undefined
    : profile.factors.some((enrolled) => enrolled.factor === factor)

export const notEnrolled = (factor: ScaFactor): Refusal =>
  conflict("FACTOR_NOT_ENROLLED", `The customer has no factor ${factor}.`)
