/**
 * Whether two account details lead to the same account.
 * Source: wire contract 2.1 ("same account": owner, currency, accountType and identifying fields); D-055.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Hex } from "effect/encoding"
import type { AccountInfo, ExternalAccount } from "./ExternalAccount.ts"

/** Each of these names an account by itself. */
const wholes = ["iban", "clabeNumber", "pixKey", "vpa", "address", "lightningAddress", "invoice", "bolt12"] as const

/** These name an account within a bank or an operator, which one of the others names. */
const numbers = ["accountNumber", "phoneNumber"] as const
const banks = ["routingNumber", "sortCode", "bankCode", "swiftCode", "ifsc", "provider"] as const
const branches = ["branchCode", "country"] as const

type Field = (typeof wholes)[number] | (typeof numbers)[number] | (typeof banks)[number] | (typeof branches)[number]

/** One spelling of values that have several. */
const normal = (field: Field | "bankName", value: string): string => {
  if (field === "iban") return value.toUpperCase()
  if (field === "swiftCode") return value.replace(/XXX$/u, "")
  if (field === "address" && /^(?:0x|spark1)/iu.test(value)) return value.toLowerCase()
  return field === "vpa" || field === "lightningAddress" ? value.toLowerCase() : value
}

const given = (accountInfo: AccountInfo, fields: ReadonlyArray<Field | "bankName">): ReadonlyArray<string> =>
  fields.flatMap((field) => {
    const value = accountInfo[field]
    return typeof value === "string" && value !== "" ? [normal(field, value)] : []
  })

/** The values that tell this account from all others of its type; a bank's name counts where nothing else names the bank. */
export const identifyingValues = (accountInfo: AccountInfo): ReadonlyArray<string> => {
  const whole = given(accountInfo, wholes)[0]
  if (whole !== undefined) return [whole]
  const bank = given(accountInfo, banks)
  return [
    ...given(accountInfo, numbers),
    ...(bank.length > 0 ? bank : given(accountInfo, ["bankName"])),
    ...given(accountInfo, branches),
  ]
}

/** A hash that two records share exactly when they are the same account of the same owner: unlike the values, it tells nothing. */
export const accountIdentity = (account: ExternalAccount, customerId: string | null): string => {
  const { accountInfo, currency } = account
  const parts = [customerId ?? "platform", currency, accountInfo.accountType, ...identifyingValues(accountInfo)]
  return Hex.encode(sha256(utf8ToBytes(JSON.stringify(parts))))
}
