/**
 * Checks of names and customers. A platform brings its own providers behind this port. A provider that decides later is heard
 * by `Verifications.report`.
 * Source: wire contract 2.7, 5.11, 5.12 and 7.6; D-080.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { AccountInfo, BeneficiaryVerificationStatus } from "../model/account/ExternalAccount.ts"
import type { BeneficialOwner } from "../model/customer/BeneficialOwner.ts"
import type { Customer, CustomerType, KycStatus } from "../model/customer/Customer.ts"
import type { VerificationError } from "../model/customer/Verification.ts"
import type { ReachedStatus } from "../model/customer/VerificationMachine.ts"

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

/** What is known of a customer when it is created. The same customer may be asked about again. */
export interface CustomerCheck {
  readonly customerId?: string
  readonly customerType: CustomerType
  readonly fullName?: string
  readonly registrationNumber?: string
  /** The number by which an authority knows it, in clear, this once: the service keeps only its end. */
  readonly identifier?: Redacted.Redacted
}

/** What is known of an owner when it is recorded, or changed. */
export interface OwnerCheck {
  readonly ownerId: string
  readonly customerId: string
  readonly owner: BeneficialOwner
  /** In clear, this once; absent where it is the one that was told before. */
  readonly identifier?: Redacted.Redacted
}

/** A customer that is sent to verification, with the owners of a business. */
export interface VerificationCheck {
  readonly customerId: string
  readonly customer: Customer
  readonly owners: ReadonlyArray<{ readonly ownerId: string; readonly owner: BeneficialOwner }>
}

/** What a provider says of a customer. */
export interface VerificationOutcome {
  readonly status: ReachedStatus
  readonly errors: ReadonlyArray<VerificationError>
  /** The customer's own status, where it is not the one that follows from `status`: `HOLD`. */
  readonly checkStatus?: KycStatus
  /** What it says of the owners; those that it leaves out keep their status. */
  readonly owners: ReadonlyArray<{ readonly ownerId: string; readonly kycStatus: KycStatus }>
}

/** A page of the provider on which a person goes through the check; to be used once. */
export interface KycLink {
  readonly kycUrl: string
  /** Business time (ms). */
  readonly expiresAt: number
  readonly provider: string
  readonly token?: string
}

export class Verifier extends Context.Service<
  Verifier,
  {
    readonly verifyBeneficiary: (check: BeneficiaryCheck) => Effect.Effect<BeneficiaryResult>
    /** The first `kycStatus` of a person or `kybStatus` of a business. */
    readonly checkCustomer: (check: CustomerCheck) => Effect.Effect<KycStatus>
    /** The `kycStatus` of an owner, once its business is decided. */
    readonly checkOwner: (check: OwnerCheck) => Effect.Effect<KycStatus>
    readonly verifyCustomer: (check: VerificationCheck) => Effect.Effect<VerificationOutcome>
    readonly kycLink: (request: {
      readonly customerId: string
      readonly redirectUri: string | undefined
    }) => Effect.Effect<KycLink>
  }
>()("@countersign/core/Verifier") {}
