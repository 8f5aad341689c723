/**
 * The stored fields of a customer that a request sets. Fields are copied by name: an unknown field is not stored.
 * Source: wire contract 5.11; D-080, D-085, D-086.
 */
import { Redacted } from "effect"
import { masked, maskToStore } from "../../foundation/kit/Masked.ts"
import type { BusinessInfoPart } from "../../model/customer/BusinessProfile.ts"
import type { ContactVerification, Customer } from "../../model/customer/Customer.ts"
import type { CustomerCreateRequest, CustomerUpdateRequest } from "../../model/customer/CustomerRequest.ts"
import { definedMembers } from "../../model/customer/CustomerResource.ts"
import { individualFields } from "../../model/customer/IndividualProfile.ts"

const commonNames = [
  "region",
  "currencies",
  "email",
  "phoneNumber",
  "umaAddress",
  "endUserTermsConsent",
  "address",
] as const
const individualNames = Object.keys(individualFields) as ReadonlyArray<keyof typeof individualFields>

const businessInfoOf = (sent: BusinessInfoPart, before: BusinessInfoPart | undefined): BusinessInfoPart => ({
  ...before,
  ...sent,
  ...(sent.taxId === undefined ? {} : { taxId: maskToStore(sent.taxId, before?.taxId) }),
})

/** Returns the fields that a request sets, as stored: numbers of authorities are masked. */
export const customerFields = (
  request: CustomerCreateRequest | CustomerUpdateRequest,
  before?: Customer,
): Partial<Customer> => ({
  ...definedMembers(request, commonNames),
  ...(request.customerType === "INDIVIDUAL"
    ? {
        ...definedMembers(request, individualNames),
        ...(request.identifier === undefined ? {} : { identifier: masked(Redacted.make(request.identifier)) }),
      }
    : request.businessInfo === undefined
      ? {}
      : { businessInfo: businessInfoOf(request.businessInfo, before?.businessInfo) }),
})

/** Returns which contacts await confirmation. A changed contact awaits it again. `undefined`: the region requires none. */
const contactVerificationOf = (
  data: Customer,
  before: Customer | undefined,
  scaRegions: ReadonlyArray<string>,
): ContactVerification | undefined => {
  if (data.region === undefined || !scaRegions.includes(data.region)) return undefined
  const statusOf = (field: "email" | "phoneNumber", previous: "PENDING" | "VERIFIED" | undefined) =>
    data[field] === before?.[field] ? (previous ?? "PENDING") : "PENDING"
  return {
    ...(data.email === undefined ? {} : { email: statusOf("email", before?.contactVerification?.email) }),
    ...(data.phoneNumber === undefined ? {} : { phone: statusOf("phoneNumber", before?.contactVerification?.phone) }),
  }
}

/** Returns the customer with the confirmation status of its contacts. */
export const withContactVerification = (
  data: Customer,
  before: Customer | undefined,
  scaRegions: ReadonlyArray<string>,
): Customer => {
  const { contactVerification: _previous, ...rest } = data
  const contactVerification = contactVerificationOf(data, before, scaRegions)
  return contactVerification === undefined ? rest : { ...rest, contactVerification }
}
