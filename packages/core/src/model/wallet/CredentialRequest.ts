/**
 * Requests that register a credential, challenge it, sign in with it, and use the wallet.
 * Spec: 4.5; wire contract 4.3 to 4.5.
 */
import { Schema } from "effect"
import { publicKeyPattern } from "../../foundation/crypto/PublicKey.ts"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { atMost } from "../../foundation/kit/Lengths.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { Text } from "../../foundation/kit/Text.ts"
import type { OtpType } from "./CredentialType.ts"

/** Above the size of any attestation, assertion or token. */
const blobCharactersMax = 32_768

const base64Url = Schema.String.check(
  Schema.isMaxLength(1024).abort(),
  Schema.isPattern(/^[A-Za-z0-9_-]+$/u, { expected: "base64url without padding" }),
)

/** The curve's generator, as a public example key. */
const examples = [
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
]

/** Public key of the client, compressed or uncompressed. */
export const ClientPublicKey = Schema.String.annotate({
  description:
    "P-256, hex. Uncompressed (130 digits, 04): the service makes the session's key and seals it to this one. Compressed (66 digits, 02 or 03): it is the session's key itself.",
  examples,
}).check(
  atMost("accountDetail"),
  Schema.isPattern(publicKeyPattern, {
    expected: "a P-256 public key in hex: 130 digits beginning with 04, or 66 beginning with 02 or 03",
  }),
)

/** Public key that the service seals to. */
export const UncompressedPublicKey = Schema.String.annotate({
  description: "P-256, hex, uncompressed.",
  examples,
}).check(
  atMost("accountDetail"),
  Schema.isPattern(/^04[0-9a-fA-F]{128}$/u, {
    expected: "an uncompressed P-256 public key: 130 hex digits beginning with 04",
  }),
)

const accountId = Id("InternalAccount").annotate({ description: "The embedded wallet." })

const nickname = Schema.String.annotate({ description: "1 to 100 characters, without the spaces around them." }).check(
  atMost("accountDetail"),
  Schema.isPattern(/^\s*[\p{L}\p{M}\p{N}._'()-](?:[\p{L}\p{M}\p{N} ._'()-]{0,98}[\p{L}\p{M}\p{N}._'()-])?\s*$/u, {
    expected: "1 to 100 letters, digits, spaces and . _ - ' ( )",
  }),
)

const Attestation = Schema.Struct({
  credentialId: base64Url,
  clientDataJson: Text(blobCharactersMax),
  attestationObject: Text(blobCharactersMax),
  transports: Schema.optionalKey(
    Schema.Array(Schema.Literals(["usb", "nfc", "ble", "internal", "hybrid"])).check(Schema.isMaxLength(5)),
  ),
}).annotate({ ...secret, identifier: "PasskeyAttestation" })

const otpCreate = <const T extends OtpType>(type: T, identifier: string) =>
  Schema.Struct({ type: Schema.Literal(type), accountId }).annotate({ identifier })

/** Body of `POST /auth/credentials`. Address and number of the one-time codes are those of the customer. */
export const CredentialCreateRequest = Schema.Union([
  otpCreate("EMAIL_OTP", "EmailOtpCredentialCreateRequest"),
  otpCreate("SMS_OTP", "SmsOtpCredentialCreateRequest"),
  Schema.Struct({
    type: Schema.Literal("OAUTH"),
    accountId,
    oidcToken: Text(blobCharactersMax, "An OIDC token of a supported issuer.").annotate(secret),
  }).annotate({ identifier: "OAuthCredentialCreateRequest" }),
  Schema.Struct({
    type: Schema.Literal("PASSKEY"),
    accountId,
    nickname,
    challenge: base64Url.annotate({ description: "The platform's registration challenge; it serves once." }),
    attestation: Attestation,
  }).annotate({ identifier: "PasskeyCredentialCreateRequest" }),
]).annotate({ identifier: "AuthCredentialCreateRequest" })
export type CredentialCreateRequest = typeof CredentialCreateRequest.Type

/** Optional body of `POST /auth/credentials/{id}/challenge`. Only a `PASSKEY` reads `clientPublicKey`, and requires it. */
export const CredentialChallengeRequest = Schema.Struct({
  clientPublicKey: Schema.optionalKey(ClientPublicKey),
}).annotate({ identifier: "AuthCredentialChallengeRequest" })
export type CredentialChallengeRequest = typeof CredentialChallengeRequest.Type

const Assertion = Schema.Struct({
  credentialId: Text(1024, "Base64url, as registered. Only the verification of the assertion reads it."),
  clientDataJson: Text(blobCharactersMax),
  authenticatorData: Text(blobCharactersMax),
  signature: Text(blobCharactersMax),
  userHandle: Schema.optionalKey(Text(1024)),
}).annotate({ ...secret, identifier: "PasskeyAssertion" })

const otpVerify = <const T extends OtpType>(type: T, identifier: string) =>
  Schema.Struct({
    type: Schema.Literal(type),
    encryptedOtpBundle: Text(
      blobCharactersMax,
      "JSON with `encappedPublic` and `ciphertext`: the code and the client's public key, sealed to the bundle's target.",
    ).annotate(secret),
    clientPublicKey: Schema.optionalKey(ClientPublicKey.annotate({ description: "The sealed key, where it is sent." })),
  }).annotate({ identifier })

const OAuthVerify = Schema.Struct({
  type: Schema.Literal("OAUTH"),
  oidcToken: Text(
    blobCharactersMax,
    "Fresh, of the same person; its nonce is the SHA-256 of `clientPublicKey`.",
  ).annotate(secret),
  clientPublicKey: ClientPublicKey,
}).annotate({ identifier: "OAuthCredentialVerifyRequest" })
/** Sign-in with a token of an OpenID Connect issuer. */
export type OAuthVerify = typeof OAuthVerify.Type

const PasskeyVerify = Schema.Struct({ type: Schema.Literal("PASSKEY"), assertion: Assertion }).annotate({
  identifier: "PasskeyCredentialVerifyRequest",
})
/** Sign-in with a passkey's assertion over the challenge. */
export type PasskeyVerify = typeof PasskeyVerify.Type

/** Body of `POST /auth/credentials/{id}/verify`. `type` must be that of the credential. */
export const CredentialVerifyRequest = Schema.Union([
  otpVerify("EMAIL_OTP", "EmailOtpCredentialVerifyRequest"),
  otpVerify("SMS_OTP", "SmsOtpCredentialVerifyRequest"),
  OAuthVerify,
  PasskeyVerify,
]).annotate({ identifier: "AuthCredentialVerifyRequest" })
export type CredentialVerifyRequest = typeof CredentialVerifyRequest.Type
/** Sign-in with a one-time code: the same body before and after the signature. */
export type OtpVerify = Extract<CredentialVerifyRequest, { readonly type: OtpType }>

/** Body of both calls of `POST /auth/sessions/{id}/refresh`: the key for the refreshed session. */
export const SessionRefreshRequest = Schema.Struct({ clientPublicKey: ClientPublicKey }).annotate({
  identifier: "AuthSessionRefreshRequest",
})
export type SessionRefreshRequest = typeof SessionRefreshRequest.Type

/** Body of both calls of `POST /internal-accounts/{id}/export`: the key to which the words are sealed. */
export const WalletExportRequest = Schema.Struct({ clientPublicKey: UncompressedPublicKey }).annotate({
  identifier: "InternalAccountExportRequest",
})
export type WalletExportRequest = typeof WalletExportRequest.Type

/** Body of both calls of `PATCH /internal-accounts/{id}`. */
export const InternalAccountUpdateRequest = Schema.Struct({
  privateEnabled: Schema.Boolean.annotate({ description: "Whether the wallet's payments are private." }),
}).annotate({ identifier: "InternalAccountUpdateRequest" })
export type InternalAccountUpdateRequest = typeof InternalAccountUpdateRequest.Type
