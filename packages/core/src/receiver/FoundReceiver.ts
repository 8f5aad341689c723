/**
 * What came of looking for who receives under a UMA address.
 * Source: wire contract 5.10; D-251.
 */
import type { Refusal } from "../errors/ServiceError.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import type { UmaReceiver } from "../ports/UmaNetwork.ts"

/** Found; of a customer of the platform with its accounts, one for each currency. */
export interface FoundReceiver extends UmaReceiver {
  readonly _tag: "Found"
  readonly accounts: ReadonlyArray<Stored<"InternalAccount">>
}

export type SoughtReceiver = FoundReceiver | { readonly _tag: "Refused"; readonly refusal: Refusal }
