/**
 * What a customer's platform declares about a wallet outside by creating an account with its address and ownership.
 * Source: wire contract areas 2.8 (pendingReason); D-415.
 */
import { canonicalValue } from "./AccountField.ts"
import { isWallet } from "./AccountRoute.ts"
import { AccountTypes } from "./AccountTypes.ts"
import type { PendingReason } from "./Deposit.ts"
import type { AccountInfo, ExternalAccount } from "./ExternalAccount.ts"

export interface WalletDeclaration {
  readonly ownershipType: NonNullable<ExternalAccount["ownershipType"]>
  /** The exchange that holds the wallet; absent: self-custody. */
  readonly vaspName?: string
  /** Whether the account needs no proof of ownership any more. */
  readonly isActive: boolean
}

/** Whether what the customer's platform declares or proves ends the hold. */
export const endsByDeclaration = (reason: PendingReason | undefined): boolean =>
  reason === "COUNTERPARTY_DECLARATION_REQUIRED" || reason === "WALLET_VERIFICATION_REQUIRED"

/** Whether an account has the address, compared as its type compares addresses. */
const hasAddress = (accountInfo: AccountInfo, address: string): boolean => {
  const format = AccountTypes.find(accountInfo.accountType)?.fields["address"]?.format
  const own = accountInfo["address"]
  return (
    isWallet(accountInfo) &&
    format !== undefined &&
    typeof own === "string" &&
    canonicalValue(own, format) === canonicalValue(address, format)
  )
}

/** Whether an account declares whose wallet it is. */
export const isDeclaration = ({ accountInfo, isDeleted, ownershipType }: ExternalAccount): boolean =>
  !isDeleted && ownershipType !== undefined && isWallet(accountInfo)

/** Whether an account declares whose the wallet with this address is. */
export const declares = (account: ExternalAccount, address: string): boolean =>
  isDeclaration(account) && hasAddress(account.accountInfo, address)

/** Returns what an owner's accounts declare about an address. An active account counts before one that waits for a proof. */
export const declarationOf = (
  accounts: ReadonlyArray<ExternalAccount>,
  address: string,
): WalletDeclaration | undefined => {
  const found = accounts.filter((account) => declares(account, address))
  const chosen = found.find(({ status }) => status === "ACTIVE") ?? found[0]
  if (chosen?.ownershipType === undefined) return undefined
  const { accountInfo, ownershipType, status } = chosen
  const { vaspName } = accountInfo
  return { ownershipType, isActive: status === "ACTIVE", ...(typeof vaspName === "string" ? { vaspName } : {}) }
}
