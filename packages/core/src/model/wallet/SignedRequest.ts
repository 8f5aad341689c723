/**
 * Pending signed request, and how an operation declares that it needs a signature. The retry rebuilds the payload from the same
 * body, so that no part of a body is stored.
 * Spec: 4.5 (signed-retry pattern); wire contract 4.7; D-141.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import type { Owner } from "../record/Record.ts"
import { CredentialType } from "./CredentialType.ts"
import type { Payload } from "./SigningPayload.ts"

/** How long a pending request can be signed, in milliseconds. */
export const pendingMillis = 5 * 60 * 1000

/** Stored data of a signed request, with a keyed hash of its body. The record is kept as evidence of who signed what. */
export const SignedRequest = Schema.Struct({
  /** Method and path as in the specification: `DELETE /auth/sessions/{id}`. */
  operation: Schema.String,
  /** Identifier of the record that the path or body names. */
  target: Schema.String,
  bodyMark: Schema.String,
  expiresAt: Schema.Int,
  /** Facts of the first call that the retry depends on. */
  memo: Schema.optionalKey(Schema.Json),
  /** Set when the request is used. `sessionId` is the session that signed; `actor` the API token or agent of the call. */
  use: Schema.optionalKey(
    Schema.Struct({
      at: Schema.Int,
      sessionId: Schema.optionalKey(Schema.String),
      actor: Schema.NullOr(Schema.String),
    }),
  ),
})
export type SignedRequest = typeof SignedRequest.Type

/** The two headers of a retry, as sent. */
export interface WalletHeaders {
  readonly signature?: string
  readonly requestId?: string
}

/** Whether a request has both headers. */
export const isRetry = ({ requestId, signature }: WalletHeaders): boolean =>
  requestId !== undefined && signature !== undefined

/** Whether a request has neither header. */
export const isFirstCall = ({ requestId, signature }: WalletHeaders): boolean =>
  requestId === undefined && signature === undefined

/** Which key may sign. */
export type AllowedSigner =
  | {
      readonly _tag: "Sessions"
      readonly accountIds: ReadonlyArray<string>
      /** Excludes the sessions of this credential. */
      readonly exceptCredentialId?: string
      /** Allows this session only. */
      readonly sessionId?: string
    }
  | { readonly _tag: "Key"; readonly publicKey: string }

/** Allows every session of one of these accounts. */
export const anySessionOf = (...accountIds: ReadonlyArray<string>): AllowedSigner => ({ _tag: "Sessions", accountIds })

/** Allows the sessions of the account that another credential issued. */
export const sessionOfAnotherCredential = (accountId: string, authMethodId: string): AllowedSigner => ({
  _tag: "Sessions",
  accountIds: [accountId],
  exceptCredentialId: authMethodId,
})

/** Allows this session of the account only. */
export const onlySession = (accountId: string, sessionId: string): AllowedSigner => ({
  _tag: "Sessions",
  accountIds: [accountId],
  sessionId,
})

/** Allows the key that was sealed in the bundle only. */
export const keyInBundle = (publicKey: string): AllowedSigner => ({ _tag: "Key", publicKey })

/** Action whose payload was shown earlier, as that of a quote: it needs the signature alone. */
export interface SignedPayload {
  readonly headers: WalletHeaders
  readonly allowedSigner: AllowedSigner
  /** Exactly the text that was shown. */
  readonly payload: string
}

/** Operation that needs a signature: the first call answers 202, the signed retry executes it. */
export interface SignedOperation extends Omit<SignedPayload, "payload"> {
  /** Method and path as in the specification: `DELETE /auth/sessions/{id}`. */
  readonly operation: string
  /** Record that the request is about. Its owner owns the pending request. */
  readonly target: Owner & { readonly id: string }
  /** Decoded body, if any. */
  readonly body?: unknown
  readonly payload: Payload
  /** Stored from the first call to the retry. Must not contain secrets. */
  readonly memo?: Json
  /** Credential type, shown in the 202 of credentials and sessions. */
  readonly type?: CredentialType
}

const challenge = {
  payloadToSign: Schema.String.annotate({ description: "To be signed byte for byte." }),
  requestId: Id("Request"),
  expiresAt: Timestamp,
}

/** Answer (202) that asks for a signature. It serves once, until `expiresAt`. */
export const SignedRequestChallenge = Schema.Struct(challenge).annotate({
  identifier: "SignedRequestChallenge",
  description: "Sign `payloadToSign`, and send the same request with both headers.",
})
export type SignedRequestChallenge = typeof SignedRequestChallenge.Type

/** Answer (202) that asks for a signature about credentials and sessions. `type` is that of the credential concerned. */
export const AuthSignedRequestChallenge = Schema.Struct({ type: CredentialType, ...challenge }).annotate({
  identifier: "AuthSignedRequestChallenge",
  description: "Sign `payloadToSign`, and send the same request with both headers.",
})
export type AuthSignedRequestChallenge = typeof AuthSignedRequestChallenge.Type

/** An operation on credentials or sessions, whose 202 shows the credential's type. */
export type TypedOperation = SignedOperation & { readonly type: CredentialType }

/** An operation whose 202 shows no credential type. */
export type UntypedOperation = Omit<SignedOperation, "type">

/** 202 body of an operation. It has the credential's type if the operation declares one. */
export type ChallengeOf<Operation extends SignedOperation> = Operation extends { readonly type: CredentialType }
  ? AuthSignedRequestChallenge
  : SignedRequestChallenge
