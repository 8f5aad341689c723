/**
 * The information about the payer that a receiver requests: as given with the quote, otherwise from the customer's record.
 * Source: wire contract 5.2 (senderCustomerInfo) and 5.10; D-251.
 */

import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import type { Customer } from "../customer/Customer.ts"
import type { RequestedField } from "../transaction/Transaction.ts"

type InformationByField = { readonly [field: string]: Json }

/** The values of requestable fields in a customer's record. */
const recorded: { readonly [field: string]: (customer: Customer) => Json | undefined } = {
  FULL_NAME: ({ businessInfo, fullName }) => fullName ?? businessInfo?.legalName,
  BIRTH_DATE: ({ birthDate }) => birthDate,
  NATIONALITY: ({ nationality }) => nationality,
  PHONE_NUMBER: ({ phoneNumber }) => phoneNumber,
  EMAIL: ({ email }) => email,
  POSTAL_ADDRESS: ({ address }) => address && { ...address },
  REGISTRATION_NUMBER: ({ businessInfo }) => businessInfo?.registrationNumber,
  USER_TYPE: ({ customerType }) => customerType,
  COUNTRY_OF_RESIDENCE: ({ address }) => address?.country,
  ACCOUNT_IDENTIFIER: ({ umaAddress }) => umaAddress,
  COMPANY_LEGAL_NAME: ({ businessInfo }) => businessInfo?.legalName,
}

const isPresent = (value: Json | undefined): value is Json => value !== undefined && value !== null && value !== ""

/** Returns the requested fields only, and the names of mandatory fields without a value. */
export const payerInformation = (
  requested: ReadonlyArray<RequestedField>,
  given: InformationByField,
  customer: Customer | undefined,
): { readonly provided: InformationByField; readonly missing: ReadonlyArray<string> } => {
  const fields = requested.map(({ mandatory, name }) => {
    const value = isPresent(given[name]) ? given[name] : customer && recorded[name]?.(customer)
    return { name, mandatory, value }
  })
  return {
    provided: Object.fromEntries(
      fields.flatMap(({ name, value }) => (isPresent(value) ? [[name, value] as const] : [])),
    ),
    missing: fields.flatMap(({ mandatory, name, value }) => (mandatory && !isPresent(value) ? [name] : [])),
  }
}
