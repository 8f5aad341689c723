/**
 * Session of an embedded wallet: which public key may sign, and until when. The private key is never stored.
 * Spec: Credentials, sessions and signing payloads; wire contract 4.6.
 */
import { Schema } from "effect"
import { CredentialType } from "./CredentialType.ts"
import { SessionMachine } from "./SessionMachine.ts"

/** Stored data of a session. */
export const Session = Schema.Struct({
  accountId: Schema.String,
  /** Credential that issued the session. */
  authMethodId: Schema.String,
  type: CredentialType,
  nickname: Schema.String,
  /** WebAuthn credential id of a passkey. */
  credentialId: Schema.optionalKey(Schema.String),
  /** Compressed, lower-case hex. */
  publicKey: Schema.String,
  status: Schema.Literals(SessionMachine.states),
  expiresAt: Schema.Int,
})
export type Session = typeof Session.Type

/** Returns the session as of `now`. */
const sessionAsOf = (session: Session, now: number): Session =>
  session.status === "ACTIVE" && now >= session.expiresAt
    ? { ...session, status: SessionMachine.follow(session.status, "Expire").state }
    : session

export const isActive = (session: Session, now: number): boolean => sessionAsOf(session, now).status === "ACTIVE"
