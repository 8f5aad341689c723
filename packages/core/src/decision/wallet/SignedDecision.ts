/**
 * A signed operation, decided: what the request can never be is said first; then 202, or the checks of the signature; then the
 * operation itself, which uses up the request, rests on the session that signed, and is put on record.
 * Spec: 4.5 (signed-retry pattern); wire contract 4.7 and 11 (30, 60); D-141, D-142, D-262.
 */
import { statusOf } from "../../foundation/errors/ErrorCodes.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { isActive } from "../../model/wallet/Session.ts"
import {
  type Admission,
  type ChallengeOf,
  pendingMillis,
  type SignedOperation,
  type SignedRequest,
} from "../../model/wallet/SignedRequest.ts"
import { type SignedFacts, SignedRequestRules } from "../../model/wallet/SignedRequestRules.ts"
import type { Caller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import * as Decision from "../Decision.ts"

/** What was found out of a signature header. */
export interface Signature {
  readonly admits: Admission
  readonly hasSignature: boolean
  readonly isReadable: boolean
  readonly isSigned: boolean
  /** The sessions of the accounts that have the key; all of them where the header names none. */
  readonly sessions: ReadonlyArray<Stored<"Session">>
}

/** What was found out of a signed request. */
export interface Signing<Operation extends SignedOperation = SignedOperation> {
  readonly operation: Operation
  readonly bodyMark: string
  readonly signature: Signature
  readonly request: Stored<"SignedRequest"> | undefined
}

/** What a signed operation knows when it decides. */
export interface Signed {
  /** Whose key signed; absent: the key was admitted by itself. */
  readonly session: Stored<"Session"> | undefined
  /** What the first call kept. */
  readonly memo: Json | undefined
}

const admitted = (admits: Admission, { data, id }: Stored<"Session">): boolean =>
  admits._tag === "Sessions" &&
  admits.accountIds.includes(data.accountId) &&
  data.authMethodId !== admits.notOf &&
  (admits.only ?? id) === id

const signerOf = ({ admits, sessions }: Signature, now: number) => {
  const active = sessions.filter(({ data }) => isActive(data, now))
  return { isActive: active.length > 0, session: active.find((session) => admitted(admits, session)) }
}

/** The first check that fails, with what the request itself brings. */
const refusalOf = (
  signature: Signature,
  now: number,
  request: Pick<SignedFacts, "hasRequestId" | "isPending" | "isBound">,
) => {
  const { hasSignature, isReadable, isSigned } = signature
  const signer = signerOf(signature, now)
  const needsNone = signature.admits._tag === "Key"
  return SignedRequestRules.first({
    ...request,
    hasSignature,
    isReadable,
    isSigned,
    isActive: needsNone || signer.isActive,
    isAdmitted: needsNone || signer.session !== undefined,
  })?.refusal
}

/** The session must still be what it was, and live, when the commit comes. */
const resting = (session: Stored<"Session"> | undefined): Changes.Changes =>
  session === undefined ? {} : { ...Changes.guard(session), validUntil: session.data.expiresAt }

const withChanges = <A>(decision: Decision.Decision<A>, more: Changes.Changes): Decision.Decision<A> =>
  decision._tag === "Refuse" ? decision : { ...decision, changes: Changes.combine(decision.changes, more) }

/** What is signed, as the audit tells it. */
export type SignedAction = Pick<SignedOperation, "operation" | "target">

/** Who signed what: by which session, beside the credential that brought the request. */
const told = (
  context: Decision.DecisionContext,
  { operation, target }: SignedAction,
  session: Stored<"Session"> | undefined,
  request?: Stored<"SignedRequest">,
): Changes.Changes =>
  auditRecord(context, "SIGNED_ACTION", target, {
    details: {
      action: operation,
      ...(request === undefined ? {} : { signedRequestId: request.id }),
      ...(session === undefined ? {} : { sessionId: session.id }),
    },
  })

const actorOf = (caller: Caller): string | null => (caller._tag === "Agent" ? caller.agentId : caller.tokenId)

/** The 202 of a first call: the request is kept until it is signed. */
export const pend = <Operation extends SignedOperation>(
  { bodyMark, operation }: Signing<Operation>,
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
  const challenge = { payloadToSign: payload(now), requestId: id, expiresAt: iso(expiresAt) }
  return Decision.answer(
    202,
    // The type of the operation says whether it declares a credential's type.
    (type === undefined ? challenge : { type, ...challenge }) as ChallengeOf<Operation>,
    Changes.insert("SignedRequest", id, target, data),
  )
}

/** The request, where it can still be used. */
export const usable = (
  request: Stored<"SignedRequest"> | undefined,
  now: number,
): Stored<"SignedRequest"> | undefined =>
  request !== undefined && request.data.use === undefined && now < request.data.expiresAt ? request : undefined

const isBoundTo = ({ data }: Stored<"SignedRequest">, { bodyMark, operation }: Signing): boolean =>
  data.operation === operation.operation && data.target === operation.target.id && data.bodyMark === bodyMark

/** Uses the request up: of two retries the second finds it used, and is refused. */
export const used = (
  request: Stored<"SignedRequest">,
  session: Stored<"Session"> | undefined,
  { caller, now }: Decision.DecisionContext,
): Changes.Changes => {
  const use = { at: now, actor: actorOf(caller), ...(session === undefined ? {} : { sessionId: session.id }) }
  return { ...Changes.update(request, { ...request.data, use }), validUntil: request.data.expiresAt }
}

/** What comes before the checks of a signature: limits, and whether the record is there. */
const earlier: ReadonlyArray<number> = [403, 404, 429]

/** Whether a refusal is said before them. Of a first call all are, but those of a state: nobody shall sign in vain. */
const isSaidFirst = (decision: Decision.Decision<unknown>, isFirst: boolean): boolean => {
  if (decision._tag === "Answer") return false
  const status = statusOf(decision.refusal.code)
  return isFirst ? status !== 409 : earlier.includes(status)
}

/**
 * Decides an action over a payload that was shown before, which is no retry: there is no first call, and no request to use up. `then`
 * must make its repetition impossible by itself.
 */
export const decidePayload = <A>(
  signature: Signature,
  context: Decision.DecisionContext,
  action: SignedAction,
  then: (session: Stored<"Session"> | undefined) => Decision.Decision<A>,
): Decision.Decision<A> => {
  const { now } = context
  const { session } = signerOf(signature, now)
  const decision = then(session)
  if (isSaidFirst(decision, false)) return decision
  const refusal = refusalOf(signature, now, { hasRequestId: true, isPending: true, isBound: true })
  if (refusal !== undefined) return Decision.refuse(refusal)
  return withChanges(decision, Changes.combine(resting(session), told(context, action, session)))
}

/**
 * Decides a signed operation. `then` says what is done: of `undefined` nobody has signed yet, and only whether it refuses counts.
 */
export const decideSigned = <A, Operation extends SignedOperation>(
  signing: Signing<Operation>,
  context: Decision.DecisionContext,
  then: (signed: Signed | undefined) => Decision.Decision<A>,
): Decision.Decision<A | ChallengeOf<Operation>> => {
  const { operation, request, signature } = signing
  const { now } = context
  const hasRequestId = operation.headers.requestId !== undefined
  const isFirst = !hasRequestId && !signature.hasSignature
  const signed: Signed = { session: signerOf(signature, now).session, memo: request?.data.memo }
  const decision = then(isFirst ? undefined : signed)
  if (isSaidFirst(decision, isFirst)) return decision
  if (isFirst) return pend(signing, context)
  const pending = usable(request, now)
  const isBound = pending !== undefined && isBoundTo(pending, signing)
  const refusal = refusalOf(signature, now, { hasRequestId, isPending: pending !== undefined, isBound })
  if (refusal !== undefined) return Decision.refuse(refusal)
  if (pending === undefined) throw new Error("a request that is not pending passed the rules")
  const { session } = signed
  return withChanges(
    decision,
    Changes.combine(used(pending, session, context), resting(session), told(context, operation, session, pending)),
  )
}
