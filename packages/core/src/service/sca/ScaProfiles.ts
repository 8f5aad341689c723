/**
 * How the strong authentication of a customer is loaded and written: the same for every operation of this room.
 * Spec: Errors, other rules (1: 409 where the region does not require it); wire contract 5.12; D-086.
 */
import { Effect } from "effect"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { conflict, type ScaLoaded } from "../../model/sca/ScaFactorRules.ts"
import { emptyProfile, type ScaProfile } from "../../model/sca/ScaProfile.ts"
import type * as Operation from "../../operation/Operation.ts"
import * as Changes from "../../store/Changes.ts"
import { loadCustomer } from "../customer/CustomerReads.ts"

export const loadSca = Effect.fnUntraced(function* <E>(
  read: Operation.Read<E>,
  regions: ReadonlyArray<string>,
  customerId: string,
) {
  const { customer } = yield* loadCustomer(read, customerId)
  const { region } = customer.data
  if (region === undefined || !regions.includes(region)) {
    const message = "The customer's region does not require strong authentication."
    return yield* new ServiceError(conflict("NOT_REQUIRED", message))
  }
  const stored = (yield* read({ records: [{ kind: "ScaProfile", id: customerId }] })).record("ScaProfile", customerId)
  const loaded: ScaLoaded = { customer, stored, profile: stored?.data ?? emptyProfile }
  return loaded
})

/** Writes a customer's profile, for the first time or again. */
export const write = ({ customer, stored }: ScaLoaded, data: ScaProfile): Changes.Changes =>
  Changes.combine(
    stored === undefined ? Changes.insert("ScaProfile", customer.id, customer, data) : Changes.update(stored, data),
    Changes.guard(customer),
  )
