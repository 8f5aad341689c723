/**
 * The tables of magic suffixes for checks of names and customers.
 * Spec: 4.6 Sandbox endpoints and magic values (KYB, beneficial owner KYC, beneficiary name verification); wire contract 7.6.
 */

import * as Table from "../foundation/kit/Table.ts"
import type { BeneficiaryVerificationStatus } from "../model/account/ExternalAccount.ts"
import type { KycStatus } from "../model/customer/Customer.ts"
import type { ReachedStatus } from "../model/customer/VerificationMachine.ts"

/** The last three characters of the account's main identifier. */
export const BeneficiarySuffixes = Table.make("BeneficiarySuffixes", {
  "102": "NOT_MATCHED",
  "103": "PARTIAL_MATCH",
  "104": "PENDING",
  "105": "INVALID_ACCOUNT",
  "106": "UNSUPPORTED",
  "107": "CHECKED_BY_RECEIVING_FI",
} satisfies { readonly [suffix: string]: BeneficiaryVerificationStatus | "INVALID_ACCOUNT" })

/** The result of the name check of an account with this suffix. */
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

/** The last three characters of a business's `registrationNumber`, when it is sent to verification. */
export const BusinessSuffixes = Table.make("BusinessSuffixes", {
  "001": "PENDING_MANUAL_REVIEW",
  "002": "REJECTED",
} satisfies { readonly [suffix: string]: ReachedStatus })

/** The result of the verification of a business with this suffix; its `kybStatus` follows from it. */
export const businessVerification = (suffix: string): ReachedStatus => BusinessSuffixes.find(suffix) ?? "APPROVED"

/** The last three characters of an owner's `lastName`, when its business is decided. */
export const OwnerSuffixes = Table.make("OwnerSuffixes", {
  "001": "PENDING",
  "002": "REJECTED",
} satisfies { readonly [suffix: string]: KycStatus })

/** The `kycStatus` of an owner with this suffix. */
export const ownerCheck = (suffix: string): KycStatus => OwnerSuffixes.find(suffix) ?? "APPROVED"

/** The last three characters of a person's `fullName`, when it is sent to verification with complete data. */
export const PersonSuffixes = Table.make("PersonSuffixes", {
  "001": "PENDING_MANUAL_REVIEW",
  "002": "REJECTED",
  "003": "RESOLVE_ERRORS",
} satisfies { readonly [suffix: string]: ReachedStatus })

/** The result of the verification of a person with this suffix. */
export const personVerification = (suffix: string): ReachedStatus => PersonSuffixes.find(suffix) ?? "APPROVED"
