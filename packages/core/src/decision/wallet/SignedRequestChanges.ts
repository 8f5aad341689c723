/**
 * Creates and consumes pending signed requests.
 * Spec: 4.5 (signed-retry pattern); wire contract 4.7; D-141.
 */
import { iso } from "../../foundation/kit/Instant.ts"
import {
  type ChallengeOf,
  pendingMillis,
  type SignedOperation,
  type SignedRequest,
} from "../../model/wallet/SignedRequest.ts"
import { payloadText } from "../../model/wallet/SigningPayload.ts"
import type { Caller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import * as Decision from "../Decision.ts"

/** An operation with the keyed hash of its body. */
export interface HashedOperation<Operation extends SignedOperation = SignedOperation> {
  readonly operation: Operation
  readonly bodyMark: string
}

/** The 202 of a first call: stores the request until it is signed. */
export const createPendingRequest = <Operation extends SignedOperation>(
  { bodyMark, operation }: HashedOperation<Operation>,
  { ids, now }: Decision.DecisionContext,
): Decision.Decision<ChallengeOf<Operation>> => {
  const { memo, operation: name, payload, target, type } = operation
  const id = ids("Request")
  const expiresAt = now + pendingMillis
  const data: SignedRequest = {
    operation: name,
    target: target.id,
    bodyMark,
    expiresAt,
    ...(memo === undefined ? {} : { memo }),
  }
  const challenge = { payloadToSign: payloadText(payload, now), requestId: id, expiresAt: iso(expiresAt) }
  return Decision.answer(
    202,
    // The type of the operation decides whether the body has the credential's type.
    (type === undefined ? challenge : { type, ...challenge }) as ChallengeOf<Operation>,
    Changes.insert("SignedRequest", id, target, data),
  )
}

/** Returns the request if it can still be used. */
export const usableRequest = (
  request: Stored<"SignedRequest"> | undefined,
  now: number,
): Stored<"SignedRequest"> | undefined =>
  request !== undefined && request.data.use === undefined && now < request.data.expiresAt ? request : undefined

/** Whether the request was issued for this operation, target and body. */
export const isBoundTo = ({ data }: Stored<"SignedRequest">, { bodyMark, operation }: HashedOperation): boolean =>
  data.operation === operation.operation && data.target === operation.target.id && data.bodyMark === bodyMark

const actorOf = (caller: Caller): string | null => (caller._tag === "Agent" ? caller.agentId : caller.tokenId)

/** Marks the request as used. Of two concurrent retries the second one finds it used and is refused. */
export const consumeRequest = (
  request: Stored<"SignedRequest">,
  session: Stored<"Session"> | undefined,
  { caller, now }: Decision.DecisionContext,
): Changes.Changes => {
  const use = { at: now, actor: actorOf(caller), ...(session === undefined ? {} : { sessionId: session.id }) }
  return { ...Changes.update(request, { ...request.data, use }), validUntil: request.data.expiresAt }
}
