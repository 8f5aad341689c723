/**
 * Changes that the outcome of a verification makes: verification, customer, owners and events, in this order.
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
  /** The customer's open verification, if any. */
  readonly open: Stored<"Verification"> | undefined
}

/** The verification after the transition, and the changes of the transition. */
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
  const events = emits.map((type) =>
    newEvent(ids, now, {
      type,
      customerId: customer.id,
      // The customer is the subject, so that its own events are delivered in the same lane.
      subject: customer.id,
      data: withoutPlaceholders({ ...toVerification(verification) }),
    }),
  )
  const written = open === undefined ? Changes.insert("Verification", id, customer, data) : Changes.update(open, data)
  return { verification, changes: Changes.combine(written, ...events) }
}

/** Applies the outcome to the owners of a decided business. An owner without a transition is guarded. */
const withOwners = (
  owners: VerificationLoaded["owners"],
  outcomes: VerificationOutcome["owners"],
  now: number,
): { readonly owners: VerificationLoaded["owners"]; readonly changes: Changes.Changes } => {
  const updated = owners.map((owner) => {
    const outcome = outcomes.find(({ ownerId }) => ownerId === owner.id)
    const trigger = outcome && OwnerKycMachine.triggerBetween(owner.data.kycStatus, outcome.kycStatus)
    if (trigger === undefined) return { owner, changes: Changes.guard(owner) }
    const data = { ...owner.data, kycStatus: OwnerKycMachine.follow(owner.data.kycStatus, trigger).state }
    return { owner: Changes.after(owner, data, now), changes: Changes.update(owner, data) }
  })
  return {
    owners: updated.map(({ owner }) => owner),
    changes: Changes.combine(...updated.map(({ changes }) => changes)),
  }
}

/** Applies the outcome of a provider. A check status that the customer cannot reach leaves the customer unchanged. */
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
