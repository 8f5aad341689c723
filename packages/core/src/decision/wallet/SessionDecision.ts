/**
 * Decides the revocation and the refresh of a session.
 * Spec: 4.5, States and transitions (Session); wire contract 4.1, 4.6 and 4.7.
 */
import { Result } from "effect"
import { notFound, type Refusal, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import type { AuthSession } from "../../model/wallet/CredentialResource.ts"
import { isActive } from "../../model/wallet/Session.ts"
import type {
  AuthSignedRequestChallenge,
  SignedRequestChallenge,
  TypedOperation,
  UntypedOperation,
} from "../../model/wallet/SignedRequest.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { refreshSession, revokeSession, type SessionKey } from "./SessionChanges.ts"
import { decideSigned, type SigningFacts } from "./SignedDecision.ts"

interface SessionFacts {
  readonly session: Stored<"Session">
  readonly signing: SigningFacts<TypedOperation>
}

/** An inactive session answers 404. */
export const decideSessionRevocation = (
  { session, signing }: SessionFacts,
  context: DecisionContext,
): Decision<AuthSignedRequestChallenge | null> =>
  decideSigned(
    signing,
    context,
    isActive(session.data, context.now) ? answer(204, null, revokeSession(session)) : refuse(notFound("session")),
  )

const refresh = (
  session: Stored<"Session">,
  key: SessionKey,
  now: number,
  lifetimeMillis: number,
): Decision<AuthSession> => {
  if (!isActive(session.data, now)) return refuse(unauthorizedFor("SESSION_NOT_ACTIVE"))
  const { changes, resource } = refreshSession(now, session, key, lifetimeMillis)
  return answer(201, resource, changes)
}

interface RefreshFacts {
  readonly session: Stored<"Session">
  /** The new key, or the refusal of the client's key. */
  readonly key: Result.Result<SessionKey, Refusal>
  /** `undefined` if the client's key is refused. */
  readonly signing: SigningFacts<UntypedOperation> | undefined
}

/** An inactive session answers 401. */
export const decideSessionRefresh =
  (lifetimeMillis: number) =>
  (
    { key, session, signing }: RefreshFacts,
    context: DecisionContext,
  ): Decision<AuthSession | SignedRequestChallenge> => {
    if (Result.isFailure(key)) return refuse(key.failure)
    if (signing === undefined) throw new Error("The signature of an acceptable refresh was not checked.")
    return decideSigned(signing, context, refresh(session, key.success, context.now, lifetimeMillis))
  }
