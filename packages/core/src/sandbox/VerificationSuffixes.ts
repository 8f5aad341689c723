/**
 * The tables of magic suffixes for checks of names and customers.
 * Spec: 4.6 Sandbox endpoints and magic values (beneficiary name verification); wire contract 7.6.
 */
import type { BeneficiaryVerificationStatus } from "../account/ExternalAccount.ts"
import type { KycStatus } from "../customer/Customer.ts"
import * as Table from "../kit/Table.ts"

/** The last three characters of the account's main identifier. */
export const BeneficiarySuffixes = Table.make("BeneficiarySuffixes", {
  "102": "NOT_MATCHED",
  "103": "PARTIAL_MATCH",
  "104": "PENDING",
  "105": "INVALID_ACCOUNT",
  "106": "UNSUPPORTED",
  "107": "CHECKED_BY_RECEIVING_FI",
} satisfies { readonly [suffix: string]: BeneficiaryVerificationStatus | "INVALID_ACCOUNT" })

/** What the name check of an account with this suffix answers. */
export const beneficiaryVerification = (suffix: string): BeneficiaryVerificationStatus | "INVALID_ACCOUNT" =>
  BeneficiarySuffixes.find(suffix) ?? "MATCHED"

/** The last three characters of a person's `fullName`, when the customer is created. */
export const CustomerSuffixes = Table.make("CustomerSuffixes", {
  "001": "PENDING",
  "002": "REJECTED",
  "003": "UNVERIFIED",
} satisfies { readonly [suffix: string]: KycStatus })

/** The first `kycStatus` of a person with this suffix. */
export const individualCheck = (suffix: string): KycStatus => CustomerSuffixes.find(suffix) ?? "APPROVED"
