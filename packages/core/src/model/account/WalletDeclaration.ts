/**
 * What a customer's platform declares about a wallet outside by creating an account with its address and ownership, and which deposits
 * wait for it.
 * Source: wire contract areas 2.8 (pendingReason); D-415, D-426.
 */
import type { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { canonicalValue } from "./AccountField.ts"
import { isWallet } from "./AccountRoute.ts"
import { AccountTypes } from "./AccountTypes.ts"
import type { DepositSource, PendingReason } from "./Deposit.ts"
import type { AccountInfo, ExternalAccount } from "./ExternalAccount.ts"
import { networkOfWallet } from "./PaymentInstructionTypes.ts"

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

/** A deposit over a chain, as far as the rules of a region look at it. */
export interface RegionalFacts {
  readonly source: DepositSource
  /** The region of the account's owner. */
  readonly region: string | undefined
  readonly declaration: WalletDeclaration | undefined
}

/** Whether a customer's platform can declare a wallet on the network by its address. */
const isDeclarable = (network: CryptoNetwork | undefined): boolean =>
  network === undefined ||
  AccountTypes.entries.some(
    ([accountType, { fields }]) => fields["address"] !== undefined && networkOfWallet({ accountType }) === network,
  )

/**
 * Returns why the rules of a region with counterparty rules hold a deposit; `undefined`: they do not. A wallet that cannot be declared is
 * reviewed instead.
 */
export const regionalHold = (
  { declaration, region, source }: RegionalFacts,
  regions: ReadonlyArray<string>,
): PendingReason | undefined => {
  const { accountIdentifier, cryptoNetwork } = source
  const isRegulated = region !== undefined && regions.includes(region)
  if (!isRegulated || declaration?.isActive === true) return undefined
  if (declaration !== undefined) {
    const isOwn = declaration.ownershipType === "FIRST_PARTY" && declaration.vaspName === undefined
    return isOwn ? "WALLET_VERIFICATION_REQUIRED" : "COMPLIANCE_REVIEW"
  }
  return accountIdentifier !== undefined && isDeclarable(cryptoNetwork)
    ? "COUNTERPARTY_DECLARATION_REQUIRED"
    : "COMPLIANCE_REVIEW"
}

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
