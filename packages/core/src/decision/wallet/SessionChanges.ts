/**
 * Changes that issue, refresh and revoke a session.
 * Spec: States and transitions, Session; wire contract 4.6 and 11 (23, 24).
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { type AuthSession, toSession } from "../../model/wallet/CredentialResource.ts"
import type { Session } from "../../model/wallet/Session.ts"
import { SessionMachine } from "../../model/wallet/SessionMachine.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"

/** Key of a new session. Only the public key is stored. */
export interface SessionKey {
  /** Compressed, lower-case hex. */
  readonly publicKey: string
  /** `encryptedSessionSigningKey`: for the answer only, never stored. */
  readonly sealed?: string
}

export interface SessionChange {
  readonly changes: Changes.Changes
  readonly resource: AuthSession
}

/** Counter of the sessions that a credential has issued. A revocation asserts its value, so that no session escapes it. */
export const issuedSessionsCounter = (authMethodId: string): string => `sessions:${authMethodId}`

const resourceOf = (session: Stored<"Session">, { sealed }: SessionKey): AuthSession => ({
  ...toSession(session),
  ...(sealed === undefined ? {} : { encryptedSessionSigningKey: sealed }),
})

/** Issues a session. It guards the credential, so that a revocation and a new session cannot both commit. */
export const issueSession = (
  ids: IdSource,
  now: number,
  credential: Stored<"Credential">,
  key: SessionKey,
  lifetimeMillis: number,
): SessionChange => {
  const id = ids("Session")
  const { accountId, nickname, type } = credential.data
  const data: Session = {
    accountId,
    authMethodId: credential.id,
    type,
    nickname,
    ...(credential.data.type === "PASSKEY" ? { credentialId: credential.data.passkey.credentialId } : {}),
    publicKey: key.publicKey,
    status: SessionMachine.follow(null, "Issue").state,
    expiresAt: now + lifetimeMillis,
  }
  return {
    changes: Changes.combine(Changes.insert("Session", id, credential, data), Changes.guard(credential), {
      counters: [{ key: issuedSessionsCounter(credential.id), customerId: credential.customerId, delta: 1 }],
    }),
    resource: resourceOf(Changes.insertedRecord("Session", id, credential, data, now), key),
  }
}

/** Replaces the session's key. The old key is refused from this commit on. */
export const refreshSession = (
  now: number,
  session: Stored<"Session">,
  key: SessionKey,
  lifetimeMillis: number,
): SessionChange => {
  const data: Session = {
    ...session.data,
    publicKey: key.publicKey,
    status: SessionMachine.follow(session.data.status, "Refresh").state,
    expiresAt: now + lifetimeMillis,
  }
  return { changes: Changes.update(session, data), resource: resourceOf(Changes.after(session, data, now), key) }
}

export const revokeSession = (session: Stored<"Session">): Changes.Changes =>
  Changes.update(session, { ...session.data, status: SessionMachine.follow(session.data.status, "Revoke").state })
