/**
 * Checks of names and customers. A platform brings its own providers behind this port.
 * Source: wire contract 2.7, 5.11 and 7.6.
 */
import { Context, type Effect } from "effect"
import type { AccountInfo, BeneficiaryVerificationStatus } from "../account/ExternalAccount.ts"
import type { CustomerType, KycStatus } from "../customer/Customer.ts"
import type { CurrencyCode } from "../money/Currencies.ts"

/**
 * An account whose beneficiary's name is compared with the holder's. Of a wallet only `Invalid` counts: there is no name to
 * compare, and it is usable at once.
 */
export interface BeneficiaryCheck {
  /** The reference of a check that takes time; absent while the account is being added: such a check answers `Later` then. */
  readonly accountId?: string
  readonly currency: CurrencyCode
  readonly accountInfo: AccountInfo
}

/** What is certain of an account. */
export type BeneficiaryAnswer =
  | {
      readonly _tag: "Result"
      readonly status: BeneficiaryVerificationStatus
      /** The holder as the rail knows it. */
      readonly verifiedData?: { readonly fullName?: string }
      /** What becomes of the account; absent: it is usable, or stays what it is by now. */
      readonly account?: "ACTIVE" | "UNDER_REVIEW" | "INACTIVE"
    }
  /** No such account exists: none is recorded, and one that is recorded becomes unusable. */
  | { readonly _tag: "Invalid" }

export type BeneficiaryResult =
  | BeneficiaryAnswer
  /** Not known before this business time (ms): asked again then, unless it is reported to `AccountVerifications` earlier. */
  | { readonly _tag: "Later"; readonly at: number }
  /** The check could not be made: asked again. */
  | { readonly _tag: "Unknown"; readonly cause: string }

/** What is known of a customer when it is created. */
export interface CustomerCheck {
  readonly customerType: CustomerType
  readonly fullName?: string
  readonly registrationNumber?: string
}

export class Verifier extends Context.Service<
  Verifier,
  {
    readonly verifyBeneficiary: (check: BeneficiaryCheck) => Effect.Effect<BeneficiaryResult>
    /** The first `kycStatus` of a person or `kybStatus` of a business. */
    readonly checkCustomer: (check: CustomerCheck) => Effect.Effect<KycStatus>
  }
>()("@countersign/core/Verifier") {}
