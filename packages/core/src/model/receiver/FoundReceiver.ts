/**
 * What came of looking for who receives under a UMA address.
 * Source: wire contract 5.10; D-251.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { RecordOf } from "../record/Record.ts"
import type { RequestedField } from "../transaction/Transaction.ts"

/** Found; of a customer of the platform with its accounts, one for each currency. */
export interface FoundReceiver extends UmaReceiver {
  readonly _tag: "Found"
  readonly accounts: ReadonlyArray<RecordOf<"InternalAccount", InternalAccount>>
}

export type ReceiverLookup = FoundReceiver | { readonly _tag: "Refused"; readonly refusal: Refusal }

/** A currency in which an address receives, with its bounds (smallest unit). */
export interface UmaCurrency {
  readonly code: CurrencyCode
  readonly minAmount: number
  readonly maxAmount: number
}

/** Who receives under an address. */
export interface UmaReceiver {
  /** The preferred one first. */
  readonly currencies: ReadonlyArray<UmaCurrency>
  /** What it wants to know of who pays. */
  readonly requiredPayerData: ReadonlyArray<RequestedField>
  /** What it tells of itself, by the names of `CustomerInfoFieldName`. */
  readonly information: { readonly [field: string]: Json }
}
