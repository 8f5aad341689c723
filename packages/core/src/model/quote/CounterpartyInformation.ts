/**
 * The information about the receiving side that a quote shows: the fields that the platform requires for the currency, as far
 * as the account has them.
 * Source: wire contract 5.3 and 11 (52).
 */

import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { isObject } from "../../foundation/kit/CrossField.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { ExternalAccount } from "../account/ExternalAccount.ts"
import { mainIdentifier } from "../account/MainIdentifier.ts"
import type { Platform } from "../platform/Platform.ts"

/** The members of an account's beneficiary that hold each field. */
const beneficiaryMembers: { readonly [field: string]: ReadonlyArray<string> } = {
  FULL_NAME: ["fullName", "legalName"],
  COMPANY_LEGAL_NAME: ["legalName"],
  BIRTH_DATE: ["birthDate"],
  NATIONALITY: ["nationality"],
  PHONE_NUMBER: ["phoneNumber"],
  EMAIL: ["email"],
  POSTAL_ADDRESS: ["address"],
  TAX_ID: ["taxId"],
  REGISTRATION_NUMBER: ["registrationNumber"],
  USER_TYPE: ["beneficiaryType"],
  COUNTRY_OF_RESIDENCE: ["countryOfResidence"],
}

type RequiredInformation = { readonly [field: string]: Json }

/** Returns the required fields of a currency that have a value, or `undefined` if none has. */
export const requiredInformation = (
  { supportedCurrencies }: Platform,
  currency: CurrencyCode,
  fieldValue: (field: string) => unknown,
): RequiredInformation | undefined => {
  const required = supportedCurrencies.find(({ currencyCode }) => currencyCode === currency)?.requiredCounterpartyFields
  const found = (required ?? []).flatMap(({ name }) => {
    const value = fieldValue(name)
    return value === undefined ? [] : [[name, value as Json] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** Returns the required information about the beneficiary of an external account. */
export const counterpartyInformation = (
  platform: Platform,
  { accountInfo, currency }: Pick<ExternalAccount, "accountInfo" | "currency">,
): RequiredInformation | undefined => {
  const { beneficiary } = accountInfo
  const own = isObject(beneficiary) ? beneficiary : {}
  const company = isObject(own["businessInfo"]) ? own["businessInfo"] : {}
  const fieldValue = (field: string): unknown =>
    field === "ACCOUNT_IDENTIFIER"
      ? mainIdentifier(accountInfo)
      : (beneficiaryMembers[field] ?? []).map((name) => company[name] ?? own[name]).find((value) => value !== undefined)
  return requiredInformation(platform, currency, fieldValue)
}
