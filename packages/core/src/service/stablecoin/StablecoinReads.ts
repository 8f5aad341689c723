/**
 * Reads the records of stablecoins, each with its 404.
 * Source: wire contract areas 1.6.7.
 */
import { Effect } from "effect"
import { notFound } from "../../foundation/errors/ServiceError.ts"
import { providerAccountNotFound } from "../../model/stablecoin/ProviderLinkRules.ts"
import type { Read } from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"

/** Errors: `STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND`. */
export const readProviderAccount = <E>(read: Read<E>, id: string) =>
  readExisting(read, "StablecoinProviderAccount", id, providerAccountNotFound)

/** Errors: `REFERENCE_NOT_FOUND`. */
export const readStablecoin = <E>(read: Read<E>, id: string) =>
  readExisting(read, "Stablecoin", id, notFound("stablecoin"))

/** Errors: `REFERENCE_NOT_FOUND`. */
export const readOperation = <E>(read: Read<E>, id: string) =>
  readExisting(read, "StablecoinOperation", id, notFound("stablecoin operation"))

/** Reads an operation and the provider account that it uses. */
export const readOperationWithAccount = Effect.fnUntraced(function* <E>(read: Read<E>, id: string) {
  const operation = yield* readOperation(read, id)
  return { operation, account: yield* readProviderAccount(read, operation.data.stablecoinProviderAccountId) }
})
