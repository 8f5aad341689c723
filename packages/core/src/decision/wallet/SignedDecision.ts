/**
 * Decides a signed operation. Refusals that no signature can cure come first, then the 202 or the signature checks, then the
 * operation itself, which consumes the request, guards the signing session and is audited.
 * Spec: 4.5 (signed-retry pattern); wire contract 4.7 and 11 (30, 60); D-141, D-142, D-262.
 */
import { statusOf } from "../../foundation/errors/ErrorCodes.ts"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { isActive } from "../../model/wallet/Session.ts"
import {
  type AllowedSigner,
  type ChallengeOf,
  isFirstCall,
  type SignedOperation,
} from "../../model/wallet/SignedRequest.ts"
import { type SignedFacts, SignedRequestRules } from "../../model/wallet/SignedRequestRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import * as Decision from "../Decision.ts"
import {
  consumeRequest,
  createPendingRequest,
  type HashedOperation,
  isBoundTo,
  usableRequest,
} from "./SignedRequestChanges.ts"

/** Facts about a signature header. */
export interface SignatureFacts {
  readonly allowedSigner: AllowedSigner
  readonly hasSignature: boolean
  readonly isReadable: boolean
  readonly isSigned: boolean
  /** Sessions of the allowed accounts that have the key; all of them if the header names no key. */
  readonly sessions: ReadonlyArray<Stored<"Session">>
}

/** Facts about a signed request. */
export interface SigningFacts<Operation extends SignedOperation = SignedOperation> extends HashedOperation<Operation> {
  readonly signature: SignatureFacts
  /** Pending request that the headers name. */
  readonly request: Stored<"SignedRequest"> | undefined
}

/** The signed action, as the audit names it. */
export type SignedAction = Pick<SignedOperation, "operation" | "target">

const isAllowed = (signer: AllowedSigner, { data, id }: Stored<"Session">): boolean =>
  signer._tag === "Sessions" &&
  signer.accountIds.includes(data.accountId) &&
  data.authMethodId !== signer.exceptCredentialId &&
  (signer.sessionId ?? id) === id

const activeSessions = ({ sessions }: SignatureFacts, now: number) => sessions.filter(({ data }) => isActive(data, now))

/** Returns the active session whose key signed, or `undefined` if no session may sign or the key itself is allowed. */
export const signingSession = (signature: SignatureFacts, now: number): Stored<"Session"> | undefined =>
  activeSessions(signature, now).find((session) => isAllowed(signature.allowedSigner, session))

/** Returns the refusal of the first failing signature check. */
const signatureRefusal = (
  signature: SignatureFacts,
  now: number,
  request: Pick<SignedFacts, "hasRequestId" | "isPending" | "isBound">,
): Refusal | undefined => {
  const { allowedSigner, hasSignature, isReadable, isSigned } = signature
  const needsNoSession = allowedSigner._tag === "Key"
  return SignedRequestRules.first({
    ...request,
    hasSignature,
    isReadable,
    isSigned,
    isActive: needsNoSession || activeSessions(signature, now).length > 0,
    isAdmitted: needsNoSession || signingSession(signature, now) !== undefined,
  })?.refusal
}

/** The signing session must be unchanged and active at the commit. */
const guardSession = (session: Stored<"Session"> | undefined): Changes.Changes =>
  session === undefined ? {} : { ...Changes.guard(session), validUntil: session.data.expiresAt }

const withChanges = <A>(decision: Decision.Decision<A>, more: Changes.Changes): Decision.Decision<A> =>
  decision._tag === "Refuse" ? decision : { ...decision, changes: Changes.combine(decision.changes, more) }

/** Audits who signed: the session, in addition to the caller's own credential. */
const auditSignature = (
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

/** Statuses that precede the signature checks: permissions, existence and rate limits. */
const precedingStatuses: ReadonlyArray<number> = [403, 404, 429]

/** Whether a refusal precedes the signature checks. On a first call all do except 409, so that no owner signs without use. */
const precedesSignature = (decision: Decision.Decision<unknown>, isFirst: boolean): boolean => {
  if (decision._tag === "Answer") return false
  const status = statusOf(decision.refusal.code)
  return isFirst ? status !== 409 : precedingStatuses.includes(status)
}

/**
 * Requires a signature over a payload that was shown earlier. There is no first call and no request to consume, so `decision`
 * must itself prevent a repetition.
 */
export const decidePayload = <A>(
  signature: SignatureFacts,
  context: Decision.DecisionContext,
  action: SignedAction,
  decision: Decision.Decision<A>,
): Decision.Decision<A> => {
  if (precedesSignature(decision, false)) return decision
  const { now } = context
  const refusal = signatureRefusal(signature, now, { hasRequestId: true, isPending: true, isBound: true })
  if (refusal !== undefined) return Decision.refuse(refusal)
  const session = signingSession(signature, now)
  return withChanges(decision, Changes.combine(guardSession(session), auditSignature(context, action, session)))
}

/** Requires a signed retry for an operation. `decision` is what the operation does once it is signed. */
export const decideSigned = <A, Operation extends SignedOperation>(
  signing: SigningFacts<Operation>,
  context: Decision.DecisionContext,
  decision: Decision.Decision<A>,
): Decision.Decision<A | ChallengeOf<Operation>> => {
  const { operation, request, signature } = signing
  const { now } = context
  const isFirst = isFirstCall(operation.headers)
  if (precedesSignature(decision, isFirst)) return decision
  if (isFirst) return createPendingRequest(signing, context)
  const pending = usableRequest(request, now)
  const refusal = signatureRefusal(signature, now, {
    hasRequestId: operation.headers.requestId !== undefined,
    isPending: pending !== undefined,
    isBound: pending !== undefined && isBoundTo(pending, signing),
  })
  if (refusal !== undefined) return Decision.refuse(refusal)
  if (pending === undefined) throw new Error("The signature rules accepted a request that is not pending.")
  const session = signingSession(signature, now)
  return withChanges(
    decision,
    Changes.combine(
      consumeRequest(pending, session, context),
      guardSession(session),
      auditSignature(context, operation, session, pending),
    ),
  )
}
