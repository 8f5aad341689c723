/**
 * How money reaches an account: the route that its fields select among the routes of its type, and the route's payment rails.
 * Source: wire contract 2.3; D-040.
 */
import type { AccountTypeRow, Members, PaymentRail, PaymentRoute } from "./AccountTypeRow.ts"
import { AccountTypes } from "./AccountTypes.ts"
import type { AccountInfo } from "./ExternalAccount.ts"

/** Returns the first route of the type whose leading required field the account has. */
export const routeOf = ({ routes }: AccountTypeRow, account: Members): PaymentRoute | undefined =>
  routes.find(({ requiredFields: [first] }) => first === undefined || account[first] !== undefined)

/** Returns what the account shows as `paymentRails`. */
export const paymentRailsOf = (row: AccountTypeRow, account: Members): ReadonlyArray<PaymentRail> => {
  const { railField, rails = [] } = routeOf(row, account) ?? {}
  return railField === undefined ? rails : rails.filter((rail) => rail === account[railField])
}

/** Returns the rails that reach an account, the usual one first. Empty for a wallet and for an unknown type. */
export const paymentRailsOfAccount = (accountInfo: AccountInfo): ReadonlyArray<PaymentRail> => {
  const row = AccountTypes.find(accountInfo.accountType)
  return row === undefined ? [] : paymentRailsOf(row, accountInfo)
}

/** Whether every account of the type is a wallet. */
export const isWalletRow = ({ routes }: AccountTypeRow): boolean => routes.every(({ kind }) => kind === "wallet")

/** Whether an account is a wallet. A wallet has no rails and no name check. Source: wire contract 2.7. */
export const isWallet = ({ accountType }: AccountInfo): boolean => {
  const row = AccountTypes.find(accountType)
  return row !== undefined && isWalletRow(row)
}

/** Whether a bank rail reaches the account. False for an unknown type. */
export const hasBankRoute = (accountInfo: AccountInfo): boolean => {
  const row = AccountTypes.find(accountInfo.accountType)
  return row !== undefined && routeOf(row, accountInfo)?.kind === "bank"
}
