/**
 * A signed-in session of an embedded wallet: which public key may sign, and until when. Its private half is nowhere here.
 * Spec: Credentials, sessions and signing payloads; wire contract 4.6.
 */
import { Schema } from "effect"

import { CredentialType } from "./CredentialType.ts"
import { SessionMachine } from "./SessionMachine.ts"

/** What is stored of a session. */
export const Session = Schema.Struct({
  accountId: Schema.String,
  /** The credential that issued it. */
  authMethodId: Schema.String,
  type: CredentialType,
  nickname: Schema.String,
  /** The WebAuthn credential id of a passkey. */
  credentialId: Schema.optionalKey(Schema.String),
  /** Compressed, in lower case. */
  publicKey: Schema.String,
  status: Schema.Literals(SessionMachine.states),
  expiresAt: Schema.Int,
})
export type Session = typeof Session.Type

/** The session as time has left it. */
const sessionAsOf = (session: Session, now: number): Session =>
  session.status === "ACTIVE" && now >= session.expiresAt
    ? { ...session, status: SessionMachine.follow(session.status, "Expire").state }
    : session

export const isActive = (session: Session, now: number): boolean => sessionAsOf(session, now).status === "ACTIVE"
