/**
 * What a receiver wants to know of who pays: as it was given with the quote, else as the customer's record has it.
 * Source: wire contract 5.2 (senderCustomerInfo) and 5.10; D-251.
 */

import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import type { Customer } from "../customer/Customer.ts"
import type { RequestedField } from "../transaction/Transaction.ts"

type Given = { readonly [field: string]: Json }

/** What the record of a customer has of the fields that may be asked for. */
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

const isTold = (value: Json | undefined): value is Json => value !== undefined && value !== null && value !== ""

/** What is told of the payer, and what must be and is not known. Nothing is told that nobody asked for. */
export const payerInformation = (
  required: ReadonlyArray<RequestedField>,
  given: Given,
  customer: Customer | undefined,
): { readonly told: Given; readonly missing: ReadonlyArray<string> } => {
  const found = required.map(({ mandatory, name }) => {
    const value = isTold(given[name]) ? given[name] : customer && recorded[name]?.(customer)
    return { name, mandatory, value }
  })
  return {
    told: Object.fromEntries(found.flatMap(({ name, value }) => (isTold(value) ? [[name, value] as const] : []))),
    missing: found.flatMap(({ mandatory, name, value }) => (mandatory && !isTold(value) ? [name] : [])),
  }
}
