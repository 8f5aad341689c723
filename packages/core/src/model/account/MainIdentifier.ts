/**
 * The main identifier of an account: the value by which its bank or network knows it.
 * Source: wire contract 7.2.
 */
import type { AccountTypeRow } from "./AccountTypeRow.ts"
import type { AccountInfo } from "./ExternalAccount.ts"

/** The fields that can be the main identifier, by precedence. */
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

/** Returns the identifier fields that a type has, by precedence. */
export const identifierFieldsOf = ({ fields }: AccountTypeRow): ReadonlyArray<IdentifierField> =>
  identifierFields.filter((name) => fields[name] !== undefined && fields[name].format.isDescriptive !== true)

/** Returns the value of the first identifier field that the account has. */
export const mainIdentifier = (accountInfo: AccountInfo): string | undefined => {
  for (const field of identifierFields) {
    const value = accountInfo[field]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}
