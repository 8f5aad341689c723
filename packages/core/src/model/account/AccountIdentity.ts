/**
 * The identity of an account: a hash of the fields that distinguish it from every other account of its type and owner.
 * Source: wire contract 2.1 ("same account": owner, currency, accountType and identifying fields); D-045.
 */
import * as Sha256 from "../../foundation/crypto/Sha256.ts"
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import { canonicalValue } from "./AccountField.ts"
import { routeOf } from "./AccountRoute.ts"
import type { AccountTypeRow, Members } from "./AccountTypeRow.ts"
import { AccountTypes } from "./AccountTypes.ts"
import type { AccountInfo, ExternalAccount } from "./ExternalAccount.ts"
import { mainIdentifier } from "./MainIdentifier.ts"

/** The fields that the type or the account's route requires, without descriptive ones. */
const identifyingFields = (row: AccountTypeRow, account: Members): ReadonlyArray<string> => {
  const { requiredFields = [] } = routeOf(row, account) ?? {}
  return Object.entries(row.fields)
    .filter(
      ([name, { format, isRequired }]) =>
        format.isDescriptive !== true && (isRequired || requiredFields.includes(name)),
    )
    .map(([name]) => name)
}

/** Returns the values of the identifying fields. Returns the main identifier of an account of unknown type. */
export const identifyingValues = (accountInfo: AccountInfo): ReadonlyArray<string> => {
  const row = AccountTypes.find(accountInfo.accountType)
  if (row === undefined) return [mainIdentifier(accountInfo) ?? ""]
  return identifyingFields(row, accountInfo).map((name) => {
    const value = accountInfo[name]
    const format = row.fields[name]?.format
    return typeof value !== "string" || format === undefined ? "" : canonicalValue(value, format)
  })
}

/**
 * Returns a hash that two records share if and only if they are the same account of the same owner. It is a hash because a
 * Lightning invoice exceeds the maximum length of a key.
 */
export const accountIdentity = ({ accountInfo, currency }: ExternalAccount, customerId: string | null): string => {
  const parts = [customerId ?? "platform", currency, accountInfo.accountType, ...identifyingValues(accountInfo)]
  return Sha256.hex(CanonicalJson.stringify(parts))
}
