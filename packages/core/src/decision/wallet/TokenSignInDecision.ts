/**
 * Decides a sign-in by OIDC token.
 * Spec: Sandbox authentication behavior (3); wire contract 4.5 and 4.12.
 */
import { Result } from "effect"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { OidcIdentity } from "../../model/wallet/Credential.ts"
import type { AuthSession } from "../../model/wallet/CredentialResource.ts"
import { typeMismatch } from "../../model/wallet/CredentialRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { issueSession, type SessionKey } from "./SessionChanges.ts"

export interface TokenFacts {
  readonly credential: Stored<"Credential">
  /** Key of the session, or the refusal of the client's key; `undefined` if the credential is not of type OAUTH. */
  readonly key: Result.Result<SessionKey, Refusal> | undefined
  /** Result of the token's check; `undefined` if the key was refused. */
  readonly identity: Result.Result<OidcIdentity, Refusal> | undefined
}

export const decideTokenSignIn =
  (lifetimeMillis: number) =>
  ({ credential, identity, key }: TokenFacts, { ids, now }: DecisionContext): Decision<AuthSession> => {
    if (key === undefined) return refuse(typeMismatch(credential.data.type))
    if (Result.isFailure(key)) return refuse(key.failure)
    if (identity === undefined) throw new Error("The token of an OAUTH sign-in was not checked.")
    if (Result.isFailure(identity)) return refuse(identity.failure)
    const issued = issueSession(ids, now, credential, key.success, lifetimeMillis)
    return answer(200, issued.resource, issued.changes)
  }
