/**
 * What a provider's word on a customer changes: the verification, the customer, the owners, and the events in this order.
 * Spec: 4.6 (KYB, beneficial owner KYC); wire contract 6.1 and 7.6; D-083.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { OwnerKycMachine } from "../../model/customer/CheckMachine.ts"
import { isDecided } from "../../model/customer/Customer.ts"
import { checkStatusOf, type Verification } from "../../model/customer/Verification.ts"
import { VerificationMachine } from "../../model/customer/VerificationMachine.ts"
import { toVerification } from "../../model/customer/VerificationResource.ts"
import type { VerificationOutcome } from "../../ports/Verifier.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { newEvent } from "../event/NewEvent.ts"
import { canReachCheckStatus, checkEvents } from "./CustomerChanges.ts"

export interface VerificationLoaded {
  readonly customer: Stored<"Customer">
  readonly owners: ReadonlyArray<Stored<"BeneficialOwner">>
  /** The customer's verification that is not over yet. */
  readonly open: Stored<"Verification"> | undefined
}

/** The verification as it stands after the change, and the change. */
export interface VerificationTransition {
  readonly verification: Stored<"Verification">
  readonly changes: Changes.Changes
}

const withVerification = (
  { customer, open }: VerificationLoaded,
  { errors, status }: VerificationOutcome,
  ids: IdSource,
  now: number,
): VerificationTransition => {
  const { emits, state } = VerificationMachine.followTo(open?.data.verificationStatus ?? null, status)
  const data: Verification = { verificationStatus: state, errors }
  const id = open?.id ?? ids("Verification")
  const verification =
    open === undefined
      ? Changes.insertedRecord("Verification", id, customer, data, now)
      : Changes.after(open, data, now)
  const told = emits.map((type) =>
    newEvent(ids, now, {
      type,
      customerId: customer.id,
      // Of one lane with what the customer's own events say of it.
      subject: customer.id,
      data: withoutPlaceholders({ ...toVerification(verification) }),
    }),
  )
  const written = open === undefined ? Changes.insert("Verification", id, customer, data) : Changes.update(open, data)
  return { verification, changes: Changes.combine(written, ...told) }
}

/** The owners after their business was decided. */
const withOwners = (
  owners: VerificationLoaded["owners"],
  said: VerificationOutcome["owners"],
  now: number,
): { readonly owners: VerificationLoaded["owners"]; readonly changes: Changes.Changes } => {
  const moved = owners.map((owner) => {
    const word = said.find(({ ownerId }) => ownerId === owner.id)
    const trigger = word && OwnerKycMachine.triggerBetween(owner.data.kycStatus, word.kycStatus)
    if (trigger === undefined) return { owner, changes: Changes.guard(owner) }
    const data = { ...owner.data, kycStatus: OwnerKycMachine.follow(owner.data.kycStatus, trigger).state }
    return { owner: Changes.after(owner, data, now), changes: Changes.update(owner, data) }
  })
  return {
    owners: moved.map(({ owner }) => owner),
    changes: Changes.combine(...moved.map(({ changes }) => changes)),
  }
}

/** Stores what a provider says. A status that the customer cannot come to leaves it as it is. */
export const applyOutcome = (
  loaded: VerificationLoaded,
  outcome: VerificationOutcome,
  ids: IdSource,
  now: number,
): VerificationTransition => {
  const { customer, owners } = loaded
  const { changes, verification } = withVerification(loaded, outcome, ids, now)
  const next = outcome.checkStatus ?? checkStatusOf(outcome.status)
  const { checkStatus, customerType } = customer.data
  if (next === undefined || !canReachCheckStatus(customerType, checkStatus, next)) {
    return { verification, changes: Changes.combine(changes, Changes.guard(customer)) }
  }
  const decided = isDecided(next) ? withOwners(owners, outcome.owners, now) : { owners, changes: {} }
  const data = { ...customer.data, checkStatus: next }
  return {
    verification,
    changes: Changes.combine(
      changes,
      Changes.update(customer, data),
      decided.changes,
      checkEvents(ids, now, checkStatus, Changes.after(customer, data, now), decided.owners),
    ),
  }
}
