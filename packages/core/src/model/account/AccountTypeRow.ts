/**
 * A row of the table of account types.
 * Spec: ExternalAccount; wire contract 2.3; D-040, D-043.
 */
import { Schema } from "effect"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { AccountField } from "./AccountField.ts"
import type { OwnerSignature } from "./WalletSignature.ts"

/** The payment rails. Source: wire contract A. */
export const PaymentRail = Schema.Literals([
  "ACH",
  "ACH_COLOMBIA",
  "BANK_TRANSFER",
  "BRE_B",
  "CIPS",
  "FAST",
  "FASTER_PAYMENTS",
  "FEDNOW",
  "INSTAPAY",
  "MOBILE_MONEY",
  "NEFT",
  "PAYNOW",
  "PESONET",
  "PIX",
  "RTGS",
  "RTP",
  "SEPA",
  "SEPA_INSTANT",
  "SPEI",
  "SWIFT",
  "UNIONPAY",
  "UPI",
  "WIRE",
]).annotate({ identifier: "PaymentRail" })
export type PaymentRail = typeof PaymentRail.Type

/** Account details before they are checked: members of any type. */
export type Members = Readonly<Record<string, unknown>>

/** What pays a route out: a bank, an operator of mobile money, or the network of a wallet. */
export type RouteKind = "bank" | "mobile" | "wallet"

/** A route by which money reaches an account of a type. The account's fields select it. */
export interface PaymentRoute {
  readonly kind: RouteKind
  /** What the account shows as `paymentRails`. Empty for a wallet. */
  readonly rails: ReadonlyArray<PaymentRail>
  /** The fields that this route requires in addition to the type's own. The presence of the first selects the route. */
  readonly requiredFields: ReadonlyArray<string>
  /** The field whose value selects one of `rails`. */
  readonly railField?: string
  /** The values that a field may have on this route. */
  readonly allowedValues?: { readonly [field: string]: ReadonlyArray<string> }
  /** The only beneficiary type that this route accepts. */
  readonly beneficiaryType?: "INDIVIDUAL" | "BUSINESS"
}

/** A field whose value is derived from other fields if the caller omits it. */
export interface DerivedField {
  readonly path: readonly [string, ...ReadonlyArray<string>]
  readonly derive: (account: Members) => string | undefined
  /** Describes the source of the value. If present, a value sent by the caller must equal the derived one. */
  readonly mustMatch?: string
  /** The field it is derived from, where the caller must send a value that cannot be derived. */
  readonly requiredWith?: string
}

export interface AccountTypeRow {
  /** The currencies that an account of this type may hold. */
  readonly currencies: ReadonlyArray<CurrencyCode>
  /** The country of the account, or the field that names it. Absent for wallets. */
  readonly country?: string | { readonly field: string }
  readonly fields: { readonly [name: string]: AccountField }
  /** By precedence: an account takes the first route that its fields select. */
  readonly routes: readonly [PaymentRoute, ...ReadonlyArray<PaymentRoute>]
  /** Whether an account may have the fields of one route only. */
  readonly isExclusive?: true
  /** Whether `bankName` must be in the bank directory. Otherwise it is free text. */
  readonly bankNameDiscovered?: true
  readonly derivedFields?: ReadonlyArray<DerivedField>
  /** The signature by which a wallet's owner proves ownership. If absent, only a liveness check proves it. */
  readonly ownerSignature?: OwnerSignature
  readonly beneficiary: "required" | "optional" | "none"
  /** Fields that an individual requires in addition to the table of minimum fields. */
  readonly individualFields?: ReadonlyArray<string>
  /** Fields that a beneficiary of this type has in addition to the common ones. */
  readonly beneficiaryFields?: { readonly [name: string]: AccountField<string, false> }
  /** Other names of the type that callers may send. */
  readonly aliases?: ReadonlyArray<string>
  readonly note?: string
}
