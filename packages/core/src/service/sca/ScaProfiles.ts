/**
 * Loads the strong authentication profile of a customer.
 * Spec: Errors, other rules (1: 409 where the region does not require it); wire contract 5.12; D-086.
 */
import { Effect } from "effect"
import type { StoredSca } from "../../decision/sca/ScaProfileChanges.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { regionRefusal } from "../../model/sca/ScaFactorRules.ts"
import { emptyProfile } from "../../model/sca/ScaProfile.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { loadCustomer } from "../customer/CustomerReads.ts"

/** Loads the profile of a customer that has been read. */
export const loadProfileOf = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, customer: Stored<"Customer">) {
  const { id } = customer
  const stored = (yield* read({ records: [{ kind: "ScaProfile", id }] })).record("ScaProfile", id)
  const loaded: StoredSca = { customer, stored, profile: stored?.data ?? emptyProfile }
  return loaded
})

/** Loads a customer with its profile, whether or not its region requires strong authentication. */
export const loadProfile = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, customerId: string) {
  const { customer } = yield* loadCustomer(read, customerId)
  return yield* loadProfileOf(read, customer)
})

/** Loads the profile of a customer whose region requires strong authentication. Errors: `CONFLICT` otherwise. */
export const loadSca = Effect.fnUntraced(function* <E>(
  read: Operation.Read<E>,
  regions: ReadonlyArray<string>,
  customerId: string,
) {
  const loaded = yield* loadProfile(read, customerId)
  const refusal = regionRefusal(loaded, regions)
  return refusal === undefined ? loaded : yield* new ServiceError(refusal)
})
