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
  SignedOperation,
  SignedRequestChallenge,
  TypedOperation,
  UntypedOperation,
} from "../../model/wallet/SignedRequest.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { refreshSession, revokeSession, type SessionKey } from "./SessionChanges.ts"
import { decideSigned, type SigningFacts } from "./SignedDecision.ts"

interface SessionFacts<Operation extends SignedOperation> {
  readonly session: Stored<"Session">
  readonly signing: SigningFacts<Operation>
}

/** An inactive session answers 404. */
export const decideSessionRevocation = (
  { session, signing }: SessionFacts<TypedOperation>,
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

/** An inactive session answers 401. */
export const decideSessionRefresh =
  (lifetimeMillis: number) =>
  (
    { key, session, signing }: SessionFacts<UntypedOperation> & { readonly key: Result.Result<SessionKey, Refusal> },
    context: DecisionContext,
  ): Decision<AuthSession | SignedRequestChallenge> =>
    Result.isFailure(key)
      ? refuse(key.failure)
      : decideSigned(signing, context, refresh(session, key.success, context.now, lifetimeMillis))
