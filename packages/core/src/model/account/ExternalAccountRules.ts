/**
 * The rules of external accounts: who may own one, which bank names it accepts, when it may pay or be paid, and whether its owner
 * has to prove ownership.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.6 and 2.7; D-050, D-051, D-382.
 */

import type { FieldProblem } from "../../foundation/errors/FieldProblems.ts"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { Customer } from "../customer/Customer.ts"
import { isWallet } from "./AccountRoute.ts"
import { AccountTypes } from "./AccountTypes.ts"
import type { AccountInfo, ExternalAccount } from "./ExternalAccount.ts"

export interface CreationFacts {
  readonly customerId: string | undefined
  /** The platform's customer with that id, if any. */
  readonly customer: Customer | undefined
  readonly defaultUmaDepositAccount: boolean
}

/** Each row reports the problem of one field. A response lists all of them. */
export const CreationRules = Rules.make<CreationFacts, FieldProblem>("ExternalAccountCreation", [
  [
    "OWNER_EXISTS",
    ({ customer, customerId }) =>
      customerId === undefined || (customer !== undefined && !customer.isDeleted)
        ? undefined
        : { field: "customerId", message: "must be a customer of the platform" },
  ],
  [
    "DEPOSIT_ACCOUNT_HAS_CUSTOMER",
    ({ customerId, defaultUmaDepositAccount }) =>
      customerId === undefined && defaultUmaDepositAccount
        ? { field: "defaultUmaDepositAccount", message: "must be an account of a customer: customerId is required" }
        : undefined,
  ],
])

/** Returns every problem of a creation. */
export const creationProblems = (facts: CreationFacts): ReadonlyArray<FieldProblem> =>
  CreationRules.rows.flatMap((rule) => rule.test(facts) ?? [])

/** Whether the type accepts only bank names from the directory. */
export const requiresDiscoveredBank = ({ accountType }: AccountInfo): boolean =>
  AccountTypes.find(accountType)?.bankNameDiscovered === true

/** Returns why the account can neither pay nor be paid, or `undefined` if it is active. */
export const inactiveRefusal = (account: ExternalAccount, as: "SOURCE" | "DESTINATION"): Refusal | undefined => {
  const { status } = account
  if (status === "ACTIVE") return undefined
  const details = { reason: `${as}_NOT_ACTIVE`, status }
  return status === "PENDING_OWNERSHIP_VERIFICATION" || status === "UNVERIFIED"
    ? {
        code: "EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED",
        message: "The ownership of the external account must be verified first.",
        details,
      }
    : { code: "INVALID_BANK_ACCOUNT", message: "The external account is not active.", details }
}

type Wallet = Pick<ExternalAccount, "accountInfo" | "ownershipType">

/** Returns the address of the owner's own self-custody wallet, or `undefined` for any other account. */
export const selfCustodyAddress = ({ accountInfo, ownershipType }: Wallet): string | undefined => {
  const { address, vaspName } = accountInfo
  const isOwn = ownershipType === "FIRST_PARTY" && vaspName === undefined && isWallet(accountInfo)
  return isOwn && typeof address === "string" ? address : undefined
}

/**
 * Whether a new account stays unusable until its owner proves ownership. `customer` is absent for an account of the platform, which
 * pays customers of every region: its own wallets are proven as soon as one region requires proofs (D-382).
 */
export const requiresOwnershipProof = (
  account: Wallet,
  customer: Customer | undefined,
  regions: ReadonlyArray<string>,
): boolean => {
  const isRegulated = customer === undefined ? regions.length > 0 : regions.some((region) => region === customer.region)
  return isRegulated && selfCustodyAddress(account) !== undefined
}

/** Returns why no ownership challenge can be opened, or `undefined`. */
export const challengeRefusal = (account: ExternalAccount): Refusal | undefined => {
  const isOpen = account.status === "PENDING_OWNERSHIP_VERIFICATION" || account.status === "UNVERIFIED"
  if (selfCustodyAddress(account) === undefined) {
    return {
      code: "CONFLICT",
      message: "Only a customer's own self-custody wallet can be verified.",
      details: { reason: "NOT_A_SELF_CUSTODY_WALLET" },
    }
  }
  if (isOpen) return undefined
  return {
    code: "CONFLICT",
    message: "The account's ownership needs no verification.",
    details: { reason: "NOTHING_TO_VERIFY", status: account.status },
  }
}
