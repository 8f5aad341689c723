/**
 * What a quote tells of the receiving side: the fields that the platform requires for the currency, as far as the account has
 * them.
 * Source: wire contract 5.3 and 11 (52).
 */

import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { isObject } from "../../foundation/kit/CrossField.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { mainIdentifier } from "../account/AccountReach.ts"
import type { ExternalAccount } from "../account/ExternalAccount.ts"
import type { Platform } from "../platform/Platform.ts"

/** Where an account's beneficiary tells what a field asks for. */
const members: { readonly [field: string]: ReadonlyArray<string> } = {
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

type Told = { readonly [field: string]: Json }

/** What is required for a currency, as far as it is known; `undefined`: nothing. */
export const requiredOf = (
  { supportedCurrencies }: Platform,
  currency: CurrencyCode,
  shownOf: (field: string) => unknown,
): Told | undefined => {
  const required = supportedCurrencies.find(({ currencyCode }) => currencyCode === currency)?.requiredCounterpartyFields
  const found = (required ?? []).flatMap(({ name }) => {
    const value = shownOf(name)
    return value === undefined ? [] : [[name, value as Json] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** The same of an external account. */
export const counterpartyOf = (
  platform: Platform,
  { accountInfo, currency }: Pick<ExternalAccount, "accountInfo" | "currency">,
): Told | undefined => {
  const { beneficiary } = accountInfo
  const own = isObject(beneficiary) ? beneficiary : {}
  const company = isObject(own["businessInfo"]) ? own["businessInfo"] : {}
  const shownOf = (field: string): unknown =>
    field === "ACCOUNT_IDENTIFIER"
      ? mainIdentifier(accountInfo)
      : (members[field] ?? []).map((name) => company[name] ?? own[name]).find((value) => value !== undefined)
  return requiredOf(platform, currency, shownOf)
}
