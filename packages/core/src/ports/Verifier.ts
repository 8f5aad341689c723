/**
 * Checks of names and customers. A platform brings its own providers behind this port.
 * Source: wire contract 2.7, 5.11 and 7.6.
 */
import { Context, type Effect } from "effect"
import type { AccountInfo, BeneficiaryVerificationStatus } from "../account/ExternalAccount.ts"
import type { CustomerType, KycStatus } from "../customer/Customer.ts"
import type { CurrencyCode } from "../money/Currencies.ts"

/** An account whose beneficiary's name is compared with the holder's. Of a wallet only `Invalid` counts. */
export interface BeneficiaryCheck {
  readonly currency: CurrencyCode
  readonly accountInfo: AccountInfo
}

/** `Invalid`: no such account exists, so none is to be recorded. */
export type BeneficiaryResult =
  | { readonly _tag: "Result"; readonly status: BeneficiaryVerificationStatus }
  | { readonly _tag: "Invalid" }

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
