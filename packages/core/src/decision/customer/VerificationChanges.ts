/**
 * Changes that the outcome of a verification makes: verification, documents, customer, owners and events, in this order.
 * Spec: 4.6 (KYB, beneficial owner KYC); wire contract 6.1 and 7.6; wire contract areas 1.2.5 and 2.7; D-083.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { OwnerKycMachine } from "../../model/customer/CheckMachine.ts"
import { isDecided, type KycStatus } from "../../model/customer/Customer.ts"
import { checkStatusOf, type Verification } from "../../model/customer/Verification.ts"
import { type ReachedStatus, VerificationMachine } from "../../model/customer/VerificationMachine.ts"
import { toVerification } from "../../model/customer/VerificationResource.ts"
import type { VerificationOutcome } from "../../ports/Verifier.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import type { DecisionContext } from "../Decision.ts"
import { followVerification } from "../document/SubmittedDocuments.ts"
import { newEvent } from "../event/NewEvent.ts"
import { canReachCheckStatus, checkEvents } from "./CustomerChanges.ts"

export interface VerificationLoaded {
  readonly customer: Stored<"Customer">
  readonly owners: ReadonlyArray<Stored<"BeneficialOwner">>
  /** The customer's open verification, if any. */
  readonly open: Stored<"Verification"> | undefined
  /** The documents of the customer and its owners. */
  readonly documents: ReadonlyArray<Stored<"Document">>
}

/** The verification after the transition, and the changes of the transition. */
export interface VerificationTransition {
  readonly verification: Stored<"Verification">
  readonly changes: Changes.Changes
}

const withErrors = ["RESOLVE_ERRORS", "PENDING_MANUAL_REVIEW", "REJECTED"]

/** The statuses through which a verification goes: a submission without errors is with the provider before it is decided. */
const steps = (
  { open }: VerificationLoaded,
  { status }: VerificationOutcome,
  isSubmission: boolean,
): ReadonlyArray<ReachedStatus> => {
  const before = open?.data.verificationStatus
  const isWithProvider = before === "IN_PROGRESS" || before === "PENDING_MANUAL_REVIEW"
  const passes = isSubmission && !isWithProvider && status !== "RESOLVE_ERRORS" && status !== "IN_PROGRESS"
  return passes ? ["IN_PROGRESS", status] : [status]
}

const withVerification = (
  loaded: VerificationLoaded,
  outcome: VerificationOutcome,
  isSubmission: boolean,
  ids: IdSource,
  now: number,
): VerificationTransition => {
  const { customer, open } = loaded
  const id = open?.id ?? ids("Verification")
  let state: ReachedStatus | null = open?.data.verificationStatus ?? null
  let data: Verification = { verificationStatus: outcome.status, errors: [] }
  const events: Array<Changes.Changes> = []
  const recordOf = () =>
    open === undefined
      ? Changes.insertedRecord("Verification", id, customer, data, now)
      : Changes.after(open, data, now)
  for (const status of steps(loaded, outcome, isSubmission)) {
    const transition = VerificationMachine.followTo(state, status)
    state = transition.state
    data = { verificationStatus: state, errors: withErrors.includes(state) ? outcome.errors : [] }
    const body = withoutPlaceholders({ ...toVerification(recordOf()) })
    // The customer is the subject, so that its own events are delivered in the same lane.
    for (const type of transition.emits) {
      events.push(newEvent(ids, now, { type, customerId: customer.id, subject: customer.id, data: body }))
    }
  }
  const written = open === undefined ? Changes.insert("Verification", id, customer, data) : Changes.update(open, data)
  return { verification: recordOf(), changes: Changes.combine(written, ...events) }
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

/** The status that the customer takes by an outcome, or `undefined` if it keeps its own. */
export const reachedCheckStatus = (
  { customer }: VerificationLoaded,
  outcome: VerificationOutcome,
): KycStatus | undefined => {
  const { checkStatus, customerType } = customer.data
  const next = outcome.checkStatus ?? checkStatusOf(outcome.status)
  return next !== undefined && canReachCheckStatus(customerType, checkStatus, next) ? next : undefined
}

/**
 * Applies the outcome of a provider, or of a submission that did not reach it. A check status that the customer cannot reach leaves the
 * customer as it is, in a new version where the verification is new.
 */
export const applyOutcome = (
  loaded: VerificationLoaded,
  outcome: VerificationOutcome,
  isSubmission: boolean,
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
): VerificationTransition => {
  const { customer, documents, owners } = loaded
  const { changes: ofVerification, verification } = withVerification(loaded, outcome, isSubmission, ids, now)
  const changes = Changes.combine(ofVerification, followVerification(documents, outcome.status, isSubmission))
  const next = reachedCheckStatus(loaded, outcome)
  const { checkStatus } = customer.data
  if (next === undefined) {
    // Of two that record a verification at once the second decides again: guards let both commit.
    const kept = loaded.open === undefined ? Changes.update(customer, customer.data) : Changes.guard(customer)
    return { verification, changes: Changes.combine(changes, kept) }
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
