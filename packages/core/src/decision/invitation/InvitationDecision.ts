/**
 * Decides invitations: their creation, claim, cancellation and end.
 * Source: wire contract areas 1.4; D-405, D-406.
 */
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { AuditOperation } from "../../model/audit/AuditRecord.ts"
import { endOfInvitation, type Invitation } from "../../model/invitation/Invitation.ts"
import { InvitationMachine } from "../../model/invitation/InvitationMachine.ts"
import {
  toInvitation,
  type UmaInvitation,
  type UmaInvitationCreateRequest,
} from "../../model/invitation/InvitationResource.ts"
import {
  InvitationCancellationRules,
  InvitationClaimRules,
  InvitationCreationRules,
} from "../../model/invitation/InvitationRules.ts"
import type { InviteeResponse } from "../../ports/InviteeResponses.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Caller } from "../../store/Caller.ts"
import type { NewJob, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { newEvent } from "../event/NewEvent.ts"

/** The request, and what the deployment and the service add to it. */
export interface InvitationCreation {
  readonly request: UmaInvitationCreateRequest
  /** The plain text of the new code. */
  readonly code: string
  readonly baseUrl: string | undefined
}

export interface InvitationCreationLoaded {
  readonly platform: Stored<"Platform">
  /** The customer with the inviter's address, if it exists. */
  readonly customer: Stored<"Customer"> | undefined
}

export interface InvitationCreationAnswers {
  readonly response: InviteeResponse | undefined
}

/** The currency in which the customer sends: its own first one, otherwise the platform's. */
export const invitationCurrency = ({ customer, platform }: InvitationCreationLoaded): CurrencyCode | undefined =>
  customer?.data.currencies[0] ?? platform.data.supportedCurrencies[0]?.currencyCode

/** The audit names a code only by its digest: the code itself lets every platform claim. */
const audited = (
  context: DecisionContext,
  operation: AuditOperation,
  stored: Pick<Stored<"Invitation">, "id" | "platformId" | "customerId" | "data">,
  claimant?: Caller,
) => {
  // The token of another platform is not shown.
  const isOther = claimant !== undefined && claimant.platformId !== stored.platformId
  return auditRecord(context, operation, stored, {
    details: { codeDigest: stored.data.codeHash },
    ...(isOther ? { by: { type: "PLATFORM" } } : {}),
  })
}

const responseJobs = (
  { ids, now }: DecisionContext,
  { customerId, data, id }: Stored<"Invitation">,
  code: string,
  response: InviteeResponse | undefined,
): ReadonlyArray<NewJob> => {
  const endsAt = endOfInvitation(data)
  return [
    ...(endsAt === undefined
      ? []
      : [
          job(ids, "invitation.end", {
            customerId,
            dueAt: endsAt,
            lane: `invitation.end:${id}`,
            payload: { invitationId: id },
          }),
        ]),
    ...(response?._tag === "Claims"
      ? [
          job(ids, "invitation.claim", {
            customerId,
            dueAt: now + response.afterMillis,
            lane: `invitation.claim:${id}`,
            payload: { invitationId: id, code, inviteeUma: response.inviteeUma },
          }),
        ]
      : []),
  ]
}

export const createInvitation =
  ({ baseUrl, code, request }: InvitationCreation) =>
  (loaded: InvitationCreationLoaded & InvitationCreationAnswers, context: DecisionContext): Decision<UmaInvitation> => {
    const { ids, now } = context
    const { customer, platform, response } = loaded
    const { amountToSend, expiresAt, firstName, inviterUma } = request
    const currency = invitationCurrency(loaded)
    const refused = InvitationCreationRules.first({
      inviterUma,
      now,
      expiresAt,
      isConfigured: baseUrl !== undefined,
      hasInviter: customer !== undefined,
      lacksCurrency: amountToSend !== undefined && currency === undefined,
    })
    if (refused !== undefined) return refuse(refused.refusal)
    if (customer === undefined || baseUrl === undefined) throw new Error("the rules accept no invitation without these")
    const data: Invitation = {
      status: InvitationMachine.follow(null, "Create").state,
      codeHash: Secrets.hash(code),
      urlBase: baseUrl.replace(/\/+$/u, ""),
      inviterUma,
      ...(firstName === undefined ? {} : { firstName }),
      ...(amountToSend === undefined || currency === undefined
        ? {}
        : { amountToSend: { amount: amountToSend, currency } }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(response?._tag === "Expires" ? { endsAt: now + response.afterMillis } : {}),
    }
    const owner = { platformId: platform.platformId, customerId: customer.id }
    const stored = Changes.insertedRecord("Invitation", ids("Invitation", owner.customerId), owner, data, now)
    return answer(
      201,
      toInvitation(stored, code, true),
      Changes.combine(
        Changes.insert("Invitation", stored.id, owner, data),
        Changes.guard(customer),
        { jobs: responseJobs(context, stored, code, response) },
        audited(context, "INVITATION_CREATE", stored),
      ),
    )
  }

export interface InvitationLoaded {
  readonly invitation: Stored<"Invitation">
}

/** The invitation after its claim, with the event to the inviter's platform. */
const claimed = (
  invitation: Stored<"Invitation">,
  code: string,
  inviteeUma: string,
  context: DecisionContext,
  claimant?: Caller,
) => {
  const { ids, now } = context
  const { emits, state } = InvitationMachine.follow(invitation.data.status, "Claim")
  const data: Invitation = { ...invitation.data, status: state, inviteeUma, claimedAt: now }
  const body = toInvitation({ ...invitation, data }, code, true)
  const { customerId, id } = invitation
  const endsAt = endOfInvitation(data)
  const changes = Changes.combine(
    Changes.update(invitation, data),
    ...emits.map((type) =>
      newEvent(ids, now, { type, customerId, subject: id, data: withoutPlaceholders({ ...body }) }),
    ),
    audited(context, "INVITATION_CLAIM", invitation, claimant),
    endsAt === undefined ? undefined : { validUntil: endsAt },
  )
  return { body, changes }
}

export interface InvitationClaim {
  readonly code: string
  readonly inviteeUma: string
  readonly claimant: Caller
}

export const claimInvitation =
  ({ claimant, code, inviteeUma }: InvitationClaim) =>
  (
    { invitation, isInviteeKnown }: InvitationLoaded & { readonly isInviteeKnown: boolean },
    context: DecisionContext,
  ): Decision<UmaInvitation> => {
    const { data } = asOf(invitation, context.now)
    const isOwner = claimant.platformId === invitation.platformId
    const refused = InvitationClaimRules.first({ invitation: data, isOwner, inviteeUma, isInviteeKnown })
    if (refused !== undefined) return refuse(refused.refusal)
    const { body, changes } = claimed(invitation, code, inviteeUma, context, claimant)
    return answer(200, body, changes)
  }

export const cancelInvitation =
  (code: string, caller: Caller) =>
  ({ invitation }: InvitationLoaded, context: DecisionContext): Decision<UmaInvitation> => {
    const isOwner = caller.platformId === invitation.platformId
    const refused = InvitationCancellationRules.first({ invitation: asOf(invitation, context.now).data, isOwner })
    if (refused !== undefined) return refuse(refused.refusal)
    const data: Invitation = {
      ...invitation.data,
      status: InvitationMachine.follow(invitation.data.status, "Cancel").state,
    }
    return answer(
      200,
      toInvitation({ ...invitation, data }, code, true),
      Changes.combine(Changes.update(invitation, data), audited(context, "INVITATION_CANCEL", invitation)),
    )
  }

/** Returns the changes of an invitation that has expired, or `undefined` if its stored state is current. */
export const expireInvitation = (invitation: Stored<"Invitation">, now: number): Changes.Changes | undefined => {
  const { data } = asOf(invitation, now)
  return data.status === invitation.data.status ? undefined : Changes.update(invitation, data)
}

/** Returns the changes of a claim that no platform requested, or `undefined` if the invitation has ended. */
export const claimByResponse = (
  invitation: Stored<"Invitation">,
  { code, inviteeUma }: { readonly code: string; readonly inviteeUma: string },
  context: DecisionContext,
): Changes.Changes | undefined =>
  asOf(invitation, context.now).data.status === "PENDING"
    ? claimed(invitation, code, inviteeUma, context).changes
    : undefined
