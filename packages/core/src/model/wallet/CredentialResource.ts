/**
 * Wire resources of credentials and sessions.
 * Spec: Credentials, sessions and signing payloads; wire contract 4.2, 4.4, 4.6 and 4.10.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Credential } from "./Credential.ts"
import { CredentialType, type OtpType } from "./CredentialType.ts"
import type { Session } from "./Session.ts"

const authMethod = {
  id: Id("AuthMethod"),
  accountId: Id("InternalAccount"),
  type: CredentialType,
  credentialId: Schema.optionalKey(
    Schema.String.annotate({ description: "The WebAuthn credential id of a passkey, base64url." }),
  ),
  nickname: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const CredentialResource = Schema.Struct(authMethod).annotate({ identifier: "AuthMethod" })
export type CredentialResource = typeof CredentialResource.Type

/** Answer of `GET /auth/credentials`: the credentials of a wallet, without pages. */
export const CredentialListResponse = Schema.Struct({ data: Schema.Array(CredentialResource) }).annotate({
  identifier: "AuthCredentialListResponse",
})

/** A credential, with the target for its one-time code if a code was sent. */
export const AuthMethodResponse = Schema.Struct({
  ...authMethod,
  otpEncryptionTargetBundle: Schema.optionalKey(
    Schema.String.annotate({ description: "A code was sent: seal it to this target. JSON, signed." }),
  ),
}).annotate({ identifier: "AuthMethodResponse" })
export type AuthMethodResponse = typeof AuthMethodResponse.Type

const otpAuthChallenge = <const T extends OtpType>(type: T, identifier: string) =>
  Schema.Struct({ ...AuthMethodResponse.fields, type: Schema.Literal(type) }).annotate({ identifier })

const PasskeyAuthChallenge = Schema.Struct({
  ...authMethod,
  type: Schema.Literal("PASSKEY"),
  credentialId: Schema.String,
  challenge: Schema.String.annotate({ description: "64 hex digits; their own bytes are the WebAuthn challenge." }),
  requestId: Id("Request"),
  expiresAt: Timestamp,
}).annotate({ identifier: "PasskeyAuthChallenge" })
/** The challenge of a passkey for a session. It serves once, until `expiresAt`; the sign-in sends `requestId` as `Request-Id`. */
export type PasskeyAuthChallenge = typeof PasskeyAuthChallenge.Type

/** Answer of `POST /auth/credentials/{id}/challenge`: the target for the code that was sent, or a passkey's challenge. */
export const AuthCredentialChallenge = Schema.Union([
  otpAuthChallenge("EMAIL_OTP", "EmailOtpAuthChallenge"),
  otpAuthChallenge("SMS_OTP", "SmsOtpAuthChallenge"),
  PasskeyAuthChallenge,
]).annotate({ identifier: "AuthCredentialResponse" })
export type AuthCredentialChallenge = typeof AuthCredentialChallenge.Type

const session = {
  id: Id("Session"),
  accountId: Id("InternalAccount"),
  type: CredentialType,
  credentialId: Schema.optionalKey(Schema.String),
  nickname: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
}

/** An active session of a wallet, without its key. */
export const SessionResource = Schema.Struct(session).annotate({ identifier: "Session" })
export type SessionResource = typeof SessionResource.Type

/** Answer of `GET /auth/sessions`: the active sessions of a wallet, without pages. */
export const SessionListResponse = Schema.Struct({ data: Schema.Array(SessionResource) }).annotate({
  identifier: "SessionListResponse",
})

/** A session in the answer that opened or refreshed it. */
export const AuthSession = Schema.Struct({
  ...session,
  encryptedSessionSigningKey: Schema.optionalKey(
    Schema.String.annotate({
      ...secret,
      description:
        "The session's private key, sealed to an uncompressed `clientPublicKey`. Shown this once. Absent for sessions of `EMAIL_OTP` and `SMS_OTP` and for a compressed key: the client's own key signs.",
    }),
  ),
}).annotate({ identifier: "AuthSession" })
export type AuthSession = typeof AuthSession.Type

/** Answer of `POST /internal-accounts/{id}/export`. */
export const WalletExportResponse = Schema.Struct({
  id: Id("InternalAccount"),
  encryptedWalletCredentials: Schema.String.annotate({
    ...secret,
    description: "The wallet's BIP-39 words, sealed to `clientPublicKey`. JSON, signed.",
  }),
}).annotate({ identifier: "InternalAccountExportResponse" })
export type WalletExportResponse = typeof WalletExportResponse.Type

export const toCredential = ({
  createdAt,
  data,
  id,
  updatedAt,
}: RecordOf<"Credential", Credential>): CredentialResource => ({
  id,
  accountId: data.accountId,
  type: data.type,
  ...(data.type === "PASSKEY" ? { credentialId: data.passkey.credentialId } : {}),
  nickname: data.nickname,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})

export const toSession = ({ createdAt, data, id, updatedAt }: RecordOf<"Session", Session>): SessionResource => ({
  id,
  accountId: data.accountId,
  type: data.type,
  ...(data.credentialId === undefined ? {} : { credentialId: data.credentialId }),
  nickname: data.nickname,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
  expiresAt: iso(data.expiresAt),
})
