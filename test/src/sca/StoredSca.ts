/** A customer with strong authentication, as stored, for tests of decisions. */
import type { StoredSca } from "../../../packages/core/src/decision/sca/ScaProfileChanges.ts"
import type { Customer } from "../../../packages/core/src/model/customer/Customer.ts"
import { emptyProfile, type ScaProfile } from "../../../packages/core/src/model/sca/ScaProfile.ts"
import { now } from "../card/StoredCards.ts"
import { customerOf } from "../quote/CreationFacts.ts"

export const regions = ["EU", "GB"]
export const phoneNumber = "+4915100000"
export const minute = 60_000
export const iso = (millis: number) => new Date(millis).toISOString().replace(".000Z", "Z")
export const passkey = { factor: "PASSKEY", credentialId: "passkey-1" } as const
export const totp = { factor: "TOTP", credentialId: "totp-1" } as const

export const profileOf = (data: Partial<ScaProfile> = {}): ScaProfile => ({
  ...emptyProfile,
  factors: [passkey],
  sessionExpiresAt: now + 1,
  ...data,
})

/** The stored profile of a customer of the EU with a telephone. */
export const scaOf = (profile: Partial<ScaProfile> = {}, customer: Partial<Customer> = {}): StoredSca => {
  const stored = customerOf()
  const data = profileOf(profile)
  return {
    customer: { ...stored, data: { ...stored.data, region: "EU", phoneNumber, ...customer } },
    stored: { ...stored, kind: "ScaProfile", version: 7, data },
    profile: data,
  }
}

/** A customer that never used strong authentication. */
export const unusedSca = (): StoredSca => ({ ...scaOf(), stored: undefined, profile: emptyProfile })

export const customerGuard = { kind: "Customer", id: "Customer:1", version: 1 }
export const profileUpdate = (data: ScaProfile) => ({ kind: "ScaProfile", id: "Customer:1", version: 7, data })
export const codeSend = { channel: "SMS", recipient: phoneNumber, customerId: "Customer:1" }
export const notRequired = { code: "CONFLICT", details: { reason: "NOT_REQUIRED" } }
