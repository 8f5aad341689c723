/**
 * The receiver behind a UMA address.
 * Source: wire contract 5.10; D-251.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { RecordOf } from "../record/Record.ts"
import type { RequestedField } from "../transaction/Transaction.ts"

export interface FoundReceiver extends UmaReceiver {
  readonly _tag: "Found"
  /** The accounts of the platform's own customer, one for each currency; empty for a receiver in the network. */
  readonly accounts: ReadonlyArray<RecordOf<"InternalAccount", InternalAccount>>
}

export type ReceiverLookup = FoundReceiver | { readonly _tag: "Refused"; readonly refusal: Refusal }

/** A currency that an address receives, with its limits (smallest unit). */
export interface UmaCurrency {
  readonly code: CurrencyCode
  readonly minAmount: number
  readonly maxAmount: number
}

/** What the network reports about the receiver behind a UMA address. */
export interface UmaReceiver {
  /** The preferred currency first. */
  readonly currencies: ReadonlyArray<UmaCurrency>
  /** The fields that the receiver requests about the payer. */
  readonly requiredPayerData: ReadonlyArray<RequestedField>
  /** The receiver's information about itself, by the names of `CustomerInfoFieldName`. */
  readonly information: { readonly [field: string]: Json }
}
