/**
 * Reads of customers with their beneficial owners, and of the caller's platform.
 * Source: wire contract 5.11.
 */
import { Effect } from "effect"
import { notFound } from "../../foundation/errors/ServiceError.ts"
import type { Read } from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"

export const customerNotFound = notFound("customer", "USER_NOT_FOUND")

/** Loads the owners of some customers, in the order in which they were added. */
export const loadOwners = Effect.fnUntraced(function* <E>(read: Read<E>, customers: ReadonlyArray<Stored<"Customer">>) {
  const ids = customers.flatMap(({ data }) => data.beneficialOwnerIds ?? [])
  if (ids.length === 0) return []
  const found = yield* read({ records: ids.map((id) => ({ kind: "BeneficialOwner", id })) })
  return ids.flatMap((id) => found.record("BeneficialOwner", id) ?? [])
})

/** Loads a customer that is not deleted, with its owners. Errors: `USER_NOT_FOUND`. */
export const loadCustomer = Effect.fnUntraced(function* <E>(read: Read<E>, customerId: string) {
  const customer = yield* readExisting(read, "Customer", customerId, customerNotFound, ({ data }) => !data.isDeleted)
  return { customer, owners: yield* loadOwners(read, [customer]) }
})

/** Loads the platform of the caller. */
export const loadPlatform = Effect.fnUntraced(function* (read: Read) {
  const { platformId } = yield* CurrentCaller
  return yield* readExisting(read, "Platform", platformId, notFound("platform"))
})
