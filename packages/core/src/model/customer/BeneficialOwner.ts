/**
 * A person who owns or controls a business customer.
 * Spec: 4.6 (beneficial owner KYC); wire contract 5.12; D-080.
 */
import { Schema } from "effect"
import { CalendarDate } from "../../foundation/kit/Instant.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { CountryCode, Email, PhoneNumber, Text } from "../../foundation/kit/Text.ts"
import { Address, KycStatus } from "./Customer.ts"
import { IdentificationType } from "./IndividualProfile.ts"

/** What a person is in the business. `UBO`: ultimate beneficial owner. `CONTROL_PERSON`: a person who directs it. */
export const BeneficialOwnerRole = Schema.Literals([
  "UBO",
  "DIRECTOR",
  "COMPANY_OFFICER",
  "CONTROL_PERSON",
  "TRUSTEE",
  "GENERAL_PARTNER",
]).annotate({ identifier: "BeneficialOwnerRole" })

/** The share of the business that a person owns, in whole percent. */
export const OwnershipPercentage = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

/** The person, as sent. */
export const BeneficialOwnerPersonalInfo = Schema.Struct({
  firstName: Text(255),
  middleName: Schema.optionalKey(Text(255)),
  lastName: Text(255),
  birthDate: CalendarDate,
  nationality: CountryCode,
  email: Schema.optionalKey(Email),
  phoneNumber: Schema.optionalKey(PhoneNumber),
  address: Address,
  idType: IdentificationType,
  identifier: Text(255, "Kept and shown by its last four characters only.").annotate(secret),
  countryOfIssuance: Schema.optionalKey(CountryCode),
}).annotate({ identifier: "BeneficialOwnerPersonalInfo" })

/** The stored data of an owner. */
export const BeneficialOwner = Schema.Struct({
  roles: Schema.Array(BeneficialOwnerRole),
  ownershipPercentage: OwnershipPercentage,
  /** `identifier` is stored masked. */
  personalInfo: Schema.Struct({
    ...BeneficialOwnerPersonalInfo.fields,
    birthDate: Schema.String,
    email: Schema.optionalKey(Schema.String),
  }),
  kycStatus: KycStatus,
})
export type BeneficialOwner = typeof BeneficialOwner.Type
