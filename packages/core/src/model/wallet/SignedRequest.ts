/**
 * A request that waits for its signature, and how an operation declares that it needs one. What is signed is made again at the retry
 * from the same body, so that nothing of a body is kept.
 * Spec: 4.5 (signed-retry pattern); wire contract 4.7; D-141.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import type { Owner } from "../record/Record.ts"
import { CredentialType } from "./CredentialType.ts"

/** How long a pending request can be signed. */
export const pendingMillis = 5 * 60 * 1000

/** What is stored of a signed request: of its body a keyed mark only. It stays, as the record of who signed what. */
export const SignedRequest = Schema.Struct({
  /** As the specification writes it: `DELETE /auth/sessions/{id}`. */
  operation: Schema.String,
  /** The record that its path or body names. */
  target: Schema.String,
  bodyMark: Schema.String,
  expiresAt: Schema.Int,
  /** What the first call found out and the retry rests on. */
  memo: Schema.optionalKey(Schema.Json),
  /** Absent: not used yet. `sessionId`: whose key signed; `actor`: the token or agent that brought it. */
  use: Schema.optionalKey(
    Schema.Struct({
      at: Schema.Int,
      sessionId: Schema.optionalKey(Schema.String),
      actor: Schema.NullOr(Schema.String),
    }),
  ),
})
export type SignedRequest = typeof SignedRequest.Type

/** The two headers of a retry, as they were sent. */
export interface WalletHeaders {
  readonly signature?: string
  readonly requestId?: string
}

/** Whose key may sign. */
export type Admission =
  | {
      readonly _tag: "Sessions"
      readonly accountIds: ReadonlyArray<string>
      /** Not a session that this credential issued. */
      readonly notOf?: string
      /** This session alone. */
      readonly only?: string
    }
  | { readonly _tag: "Key"; readonly publicKey: string }

/** Signed by any session of one of these accounts. */
export const anySessionOf = (...accountIds: ReadonlyArray<string>): Admission => ({ _tag: "Sessions", accountIds })

/** Signed by a session of the account that another credential issued. */
export const sessionNotOf = (accountId: string, authMethodId: string): Admission => ({
  _tag: "Sessions",
  accountIds: [accountId],
  notOf: authMethodId,
})

/** Signed by this session of the account only. */
export const onlySession = (accountId: string, sessionId: string): Admission => ({
  _tag: "Sessions",
  accountIds: [accountId],
  only: sessionId,
})

/** Signed by the key that was sealed in the bundle. */
export const sealedKey = (publicKey: string): Admission => ({ _tag: "Key", publicKey })

/** An action whose payload was shown before, as a quote's was: it needs the signature alone. */
export interface SignedPayload {
  readonly headers: WalletHeaders
  readonly admits: Admission
  /** Exactly as it was shown. */
  readonly payload: string
}

/** An operation that needs a signature: 202 first, then done. */
export interface SignedOperation extends Omit<SignedPayload, "payload"> {
  /** As the specification writes it: `DELETE /auth/sessions/{id}`. */
  readonly operation: string
  /** The record that the request is about; the pending request belongs to its owner. */
  readonly target: Owner & { readonly id: string }
  /** The decoded body; absent: there is none. */
  readonly body?: unknown
  /** What is to be signed of a request that was issued at this time (ms): the same text for the same arguments. */
  readonly payload: (issuedAt: number) => string
  /** Kept from the first call to the retry. No secrets. */
  readonly memo?: Json
  /** Shown in the 202 of credentials and sessions. */
  readonly type?: CredentialType
}

const challenge = {
  payloadToSign: Schema.String.annotate({ description: "To be signed byte for byte." }),
  requestId: Id("Request"),
  expiresAt: Timestamp,
}

export const SignedRequestChallenge = Schema.Struct(challenge).annotate({
  identifier: "SignedRequestChallenge",
  description: "Sign `payloadToSign`, and send the same request with both headers.",
})
export type SignedRequestChallenge = typeof SignedRequestChallenge.Type

export const AuthSignedRequestChallenge = Schema.Struct({ type: CredentialType, ...challenge }).annotate({
  identifier: "AuthSignedRequestChallenge",
  description: "Sign `payloadToSign`, and send the same request with both headers.",
})
export type AuthSignedRequestChallenge = typeof AuthSignedRequestChallenge.Type

/** The 202 body of an operation: with the credential's type where the operation declares one. */
export type ChallengeOf<Operation extends SignedOperation> = Operation extends { readonly type: CredentialType }
  ? AuthSignedRequestChallenge
  : SignedRequestChallenge
