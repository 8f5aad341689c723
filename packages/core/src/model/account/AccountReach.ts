/**
 * By what an account is known outside, and how it is reached: from its type's row and the fields that it has.
 * Source: wire contract 2.3 and 7.2 (the main identifier); D-040.
 */
import type { AccountTypeRow, AccountWay, Members, PaymentRail } from "./AccountTypeRow.ts"
import { AccountTypes } from "./AccountTypes.ts"
import type { AccountInfo } from "./ExternalAccount.ts"

/** The fields that may be an account's main identifier, in the order in which they are looked for. */
export const identifierFields = [
  "accountNumber",
  "iban",
  "clabeNumber",
  "pixKey",
  "vpa",
  "phoneNumber",
  "address",
  "lightningAddress",
  "invoice",
  "bolt12",
] as const
export type IdentifierField = (typeof identifierFields)[number]

/** The identifying fields of a type, in their order. */
export const identifiersOf = ({ fields }: AccountTypeRow): ReadonlyArray<IdentifierField> =>
  identifierFields.filter((name) => fields[name] !== undefined && fields[name].format.isDescriptive !== true)

/** The value by which an account is known outside: the first identifying field that it has. */
export const mainIdentifier = (accountInfo: AccountInfo): string | undefined => {
  for (const field of identifierFields) {
    const value = accountInfo[field]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}

/** How an account is reached: the first way that its fields tell of. */
export const wayOf = ({ ways }: AccountTypeRow, account: Members): AccountWay | undefined =>
  ways.find(({ needs: [first] }) => first === undefined || account[first] !== undefined)

/** What the account shows as `paymentRails`. */
export const railsOf = (row: AccountTypeRow, account: Members): ReadonlyArray<PaymentRail> => {
  const { railField, rails = [] } = wayOf(row, account) ?? {}
  return railField === undefined ? rails : rails.filter((rail) => rail === account[railField])
}

/** The rails over which an account can be reached, the usual one first; none for a wallet or an unknown type. */
export const railsTo = (accountInfo: AccountInfo): ReadonlyArray<PaymentRail> => {
  const row = AccountTypes.find(accountInfo.accountType)
  return row === undefined ? [] : railsOf(row, accountInfo)
}

/** Whether a type is that of a wallet, whatever the fields. */
export const isWalletRow = ({ ways }: AccountTypeRow): boolean => ways.every(({ kind }) => kind === "wallet")

/** Whether an account is a wallet: it has no rails and no check of names. Source: wire contract 2.7. */
export const isWallet = ({ accountType }: AccountInfo): boolean => {
  const row = AccountTypes.find(accountType)
  return row !== undefined && isWalletRow(row)
}

/** Whether an account can be reached over a bank's rail. One of an unknown type cannot. */
export const hasBankRail = (accountInfo: AccountInfo): boolean => {
  const row = AccountTypes.find(accountInfo.accountType)
  return row !== undefined && wayOf(row, accountInfo)?.kind === "bank"
}
