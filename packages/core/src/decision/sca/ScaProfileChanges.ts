/**
 * Writes the strong authentication profile of a customer.
 * Source: wire contract 5.12; D-086.
 */
import type { ScaLoaded } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor, ScaProfile } from "../../model/sca/ScaProfile.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"

/** A customer with its stored profile. */
export interface StoredSca extends ScaLoaded {
  readonly customer: Stored<"Customer">
  readonly stored: Stored<"ScaProfile"> | undefined
}

/** Inserts or updates the profile and guards the customer. */
export const writeProfile = ({ customer, stored }: StoredSca, data: ScaProfile): Changes.Changes =>
  Changes.combine(
    stored === undefined ? Changes.insert("ScaProfile", customer.id, customer, data) : Changes.update(stored, data),
    Changes.guard(customer),
  )

/** The code of a challenge that is sent after the commit; none for factors whose answer the customer has. */
export const sendOfChallenge = ({ customer }: Pick<ScaLoaded, "customer">, factor: ScaFactor): Changes.Changes => {
  const { phoneNumber } = customer.data
  return factor !== "SMS_OTP" || phoneNumber === undefined
    ? {}
    : { codeSends: [{ channel: "SMS", recipient: phoneNumber, customerId: customer.id }] }
}
