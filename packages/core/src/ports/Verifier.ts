/**
 * Checks of names and customers. A platform provides its own providers behind this port. A provider that decides later reports to
 * `Verifications.report`.
 * Source: wire contract 2.7, 5.11, 5.12 and 7.6; D-080.
 */
import { Context, type Effect, type Redacted, type Stream } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { AccountInfo, BeneficiaryVerificationStatus } from "../model/account/ExternalAccount.ts"
import type { BeneficialOwner } from "../model/customer/BeneficialOwner.ts"
import type { Customer, CustomerType, KycStatus } from "../model/customer/Customer.ts"
import type { VerificationError } from "../model/customer/Verification.ts"
import type { ReachedStatus } from "../model/customer/VerificationMachine.ts"
import type { Document } from "../model/document/Document.ts"
import type { BytesMissing, VaultUnavailable } from "./DocumentVault.ts"

/**
 * An account whose beneficiary's name is compared with the holder's. For a wallet only `Invalid` matters: it has no name to compare and
 * is usable at once.
 */
export interface BeneficiaryCheck {
  /** The reference of an asynchronous check; absent during the creation of the account, when such a check returns `Later`. */
  readonly accountId?: string
  readonly currency: CurrencyCode
  readonly accountInfo: AccountInfo
}

/** A definite result about an account. */
export type BeneficiaryAnswer =
  | {
      readonly _tag: "Result"
      readonly status: BeneficiaryVerificationStatus
      /** The holder as the rail knows it. */
      readonly verifiedData?: { readonly fullName?: string }
      /** The new status of the account; absent: a `PENDING` account becomes usable, any other keeps its status. */
      readonly account?: "ACTIVE" | "UNDER_REVIEW" | "INACTIVE"
    }
  /** The account does not exist: none is created, and an existing one becomes unusable. */
  | { readonly _tag: "Invalid" }

/** The result of a check of an account's beneficiary, or when to ask for it. */
export type BeneficiaryResult =
  | BeneficiaryAnswer
  /** Not known before this business time (ms): it is asked again then, unless it is reported to `AccountVerifications` earlier. */
  | { readonly _tag: "Later"; readonly at: number }
  /** The check failed to run: it is asked again. */
  | { readonly _tag: "Unknown"; readonly cause: string }

/** A customer at its creation. The same customer can be checked again. */
export interface CustomerCheck {
  readonly customerId?: string
  readonly customerType: CustomerType
  readonly fullName?: string
  readonly registrationNumber?: string
  /** The identification number in clear, only in this call: the service stores only its mask. */
  readonly identifier?: Redacted.Redacted
}

/** An owner at its creation or update. */
export interface OwnerCheck {
  readonly ownerId: string
  readonly customerId: string
  readonly owner: BeneficialOwner
  /** In clear, only in this call; absent if it has not changed. */
  readonly identifier?: Redacted.Redacted
}

/** A customer to verify, with the owners of a business. */
export interface VerificationCheck {
  readonly customerId: string
  readonly customer: Customer
  readonly owners: ReadonlyArray<{ readonly ownerId: string; readonly owner: BeneficialOwner }>
  /** Their documents, newest first. */
  readonly documents: ReadonlyArray<SubmittedDocument>
}

/** A document that the provider looks at. */
export interface SubmittedDocument {
  readonly documentId: string
  readonly document: Document
  /** The bytes of its file. */
  readonly read: () => Stream.Stream<Uint8Array, VaultUnavailable | BytesMissing>
}

/** A provider's result about a customer. */
export interface VerificationOutcome {
  readonly status: ReachedStatus
  readonly errors: ReadonlyArray<VerificationError>
  /** The customer's status if it does not follow from `status`: `HOLD`. */
  readonly checkStatus?: KycStatus
  /** The results about owners; an owner without a result keeps its status. */
  readonly owners: ReadonlyArray<{ readonly ownerId: string; readonly kycStatus: KycStatus }>
}

/** A page of the provider on which a person completes the check; single use. */
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
    /** Checks the beneficiary of an external account, at its creation and until there is a result. */
    readonly verifyBeneficiary: (check: BeneficiaryCheck) => Effect.Effect<BeneficiaryResult>
    /** The first `kycStatus` of a person or `kybStatus` of a business. */
    readonly checkCustomer: (check: CustomerCheck) => Effect.Effect<KycStatus>
    /** The `kycStatus` of an owner after its business is decided. */
    readonly checkOwner: (check: OwnerCheck) => Effect.Effect<KycStatus>
    /** Verifies a complete submission: one that lacks required data does not reach the provider. */
    readonly verifyCustomer: (check: VerificationCheck) => Effect.Effect<VerificationOutcome>
    /** Returns a new page for a customer. `redirectUri`: where the page sends the person at its end. */
    readonly kycLink: (request: {
      readonly customerId: string
      readonly redirectUri: string | undefined
    }) => Effect.Effect<KycLink>
  }
>()("@countersign/core/Verifier") {}
