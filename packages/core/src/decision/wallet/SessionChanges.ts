/**
 * A session issued, refreshed or ended, as it is written.
 * Spec: States and transitions, Session; wire contract 4.6 and 11 (23, 24).
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { type AuthSession, toSession } from "../../model/wallet/CredentialResource.ts"
import type { Session } from "../../model/wallet/Session.ts"
import { SessionMachine } from "../../model/wallet/SessionMachine.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"

export interface SessionChange {
  readonly changes: Changes.Changes
  readonly answer: AuthSession
}

/** Counts the sessions that a credential has issued, so that its end can rest on there being no other. */
export const issuedCounter = (authMethodId: string): string => `sessions:${authMethodId}`

const answerOf = (session: Stored<"Session">, { sealed }: SessionKey): AuthSession => ({
  ...toSession(session),
  ...(sealed === undefined ? {} : { encryptedSessionSigningKey: sealed }),
})

export const issue = (
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
      counters: [{ key: issuedCounter(credential.id), customerId: credential.customerId, delta: 1 }],
    }),
    answer: answerOf(Changes.insertedRecord("Session", id, credential, data, now), key),
  }
}

/** The same session with another key: the old one is refused from this moment. */
export const refresh = (
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
  return { changes: Changes.update(session, data), answer: answerOf(Changes.after(session, data, now), key) }
}

export const revoke = (session: Stored<"Session">): Changes.Changes =>
  Changes.update(session, { ...session.data, status: SessionMachine.follow(session.data.status, "Revoke").state })

export interface SessionKey {
  /** Compressed, in lower case. */
  readonly publicKey: string
  /** `encryptedSessionSigningKey`: for the answer, and for nothing else. */
  readonly sealed?: string
}
