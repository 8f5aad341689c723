/**
 * The criteria by which a quote pulls its money from an external account. For any other account the payer sends the money.
 * Source: wire contract areas 3.1; D-401.
 */
import * as Table from "../../foundation/kit/Table.ts"
import { hasBankRoute, paymentRailsOfAccount } from "../account/AccountRoute.ts"
import type { AccountInfo, ExternalAccount } from "../account/ExternalAccount.ts"

/** What is known about the consent of the account's holder to a debit. */
export interface PullConsent {
  /** Whether the account was declared as the payer's own. Absent: it was not declared. */
  readonly ownershipType: ExternalAccount["ownershipType"]
  /** Whether the account belongs to the customer that pays, or to the platform when it pays itself. */
  readonly isPayersAccount: boolean
}

type Criterion = (accountInfo: AccountInfo, consent: PullConsent) => boolean

/** A debit needs its holder's consent, and the declaration is the consent. */
const isDeclared: Criterion = (accountInfo, { isPayersAccount, ownershipType }) =>
  isPayersAccount &&
  ownershipType === "FIRST_PARTY" &&
  accountInfo.accountType === "USD_ACCOUNT" &&
  paymentRailsOfAccount(accountInfo).includes("ACH")

/** Every account that a bank rail reaches, as for transfers. */
const hasBankRail: Criterion = (accountInfo) => hasBankRoute(accountInfo)

const never: Criterion = () => false

export const QuotePullCriteria = Table.make("QuotePullCriteria", {
  DECLARED: isDeclared,
  BANK_RAILS: hasBankRail,
  NEVER: never,
})

/** The name of a criterion. */
export type QuotePullCriterion = (typeof QuotePullCriteria.keys)[number]
