/**
 * Whether two account details lead to the same account: by the fields that its type's row requires and that name it.
 * Source: wire contract 2.1 ("same account": owner, currency, accountType and identifying fields); D-045.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import { canonical } from "./AccountField.ts"
import { mainIdentifier, wayOf } from "./AccountReach.ts"
import type { AccountTypeRow, Members } from "./AccountTypeRow.ts"
import { AccountTypes } from "./AccountTypes.ts"
import type { AccountInfo, ExternalAccount } from "./ExternalAccount.ts"

/** The fields that tell one account from another: what its way needs, without what only describes. */
const identifyingFields = (row: AccountTypeRow, account: Members): ReadonlyArray<string> => {
  const { needs = [] } = wayOf(row, account) ?? {}
  return Object.entries(row.fields)
    .filter(([name, { format, isRequired }]) => format.isDescriptive !== true && (isRequired || needs.includes(name)))
    .map(([name]) => name)
}

/** The values of the identifying fields; of an unknown type those of its main identifier. */
export const identifyingValues = (accountInfo: AccountInfo): ReadonlyArray<string> => {
  const row = AccountTypes.find(accountInfo.accountType)
  if (row === undefined) return [mainIdentifier(accountInfo) ?? ""]
  return identifyingFields(row, accountInfo).map((name) => {
    const value = accountInfo[name]
    const format = row.fields[name]?.format
    return typeof value !== "string" || format === undefined ? "" : canonical(value, format)
  })
}

/** A hash that two records share exactly when they are the same account of the same owner: an invoice is longer than a key may be. */
export const accountIdentity = ({ accountInfo, currency }: ExternalAccount, customerId: string | null): string => {
  const parts = [customerId ?? "platform", currency, accountInfo.accountType, ...identifyingValues(accountInfo)]
  return bytesToHex(sha256(utf8ToBytes(CanonicalJson.stringify(parts))))
}
