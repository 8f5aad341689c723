/**
 * Credential of an embedded wallet: how its owner signs in. It contains no secret.
 * Spec: Credentials, sessions and signing payloads; wire contract 4.2.
 */
import { Schema } from "effect"
import * as Sha256 from "../../foundation/crypto/Sha256.ts"
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import type { Claim } from "../record/Record.ts"
import { type CredentialType, OtpType } from "./CredentialType.ts"

const common = {
  accountId: Schema.String,
  nickname: Schema.String,
  isRevoked: Schema.Boolean,
}

/** Data of a registered passkey; see `RegisteredPasskey`. */
export const Passkey = Schema.Struct({
  credentialId: Schema.String,
  publicKey: Schema.String,
  signatureCount: Schema.Int,
  origin: Schema.String,
  relyingPartyHash: Schema.String,
  userVerified: Schema.Boolean,
})

const Identity = Schema.Struct({ issuer: Schema.String, audience: Schema.String, subject: Schema.String })

/** `contact` is the e-mail address or telephone number that codes are sent to. */
const OtpCredential = Schema.Struct({ type: OtpType, contact: Schema.String, ...common })
export type OtpCredential = typeof OtpCredential.Type
/** `challengeHash` is the hash of the platform's registration challenge, which can be used once. */
const PasskeyCredential = Schema.Struct({
  type: Schema.Literal("PASSKEY"),
  passkey: Passkey,
  challengeHash: Schema.String,
  ...common,
})
export type PasskeyCredential = typeof PasskeyCredential.Type
const OAuthCredential = Schema.Struct({ type: Schema.Literal("OAUTH"), identity: Identity, ...common })
export type OAuthCredential = typeof OAuthCredential.Type

/** Stored data of a credential. */
export const Credential = Schema.Union([OtpCredential, PasskeyCredential, OAuthCredential])
export type Credential = typeof Credential.Type

export const isOtp = (credential: Credential): credential is OtpCredential =>
  credential.type === "EMAIL_OTP" || credential.type === "SMS_OTP"

/** SHA-256 of the UTF-8 text, hex. */
export const sha256Hex: (text: string) => string = Sha256.hex

/** Key that is unique per account and type: empty for OTP, the credential id of a passkey, the identity at a provider. */
const uniqueKeyOf = (credential: Credential): string => {
  if (isOtp(credential)) return ""
  return credential.type === "PASSKEY"
    ? sha256Hex(credential.passkey.credentialId)
    : sha256Hex(CanonicalJson.stringify(credential.identity))
}

/** Unique keys of a credential. A registration challenge stays claimed after its credential is revoked. */
export const credentialClaims = (credential: Credential): ReadonlyArray<Claim> => [
  ...(credential.isRevoked
    ? []
    : [
        {
          scope: "platform" as const,
          key: `credential:${credential.accountId}:${credential.type}:${uniqueKeyOf(credential)}`,
        },
      ]),
  ...(credential.type === "PASSKEY"
    ? [{ scope: "platform" as const, key: `passkey-registration:${credential.challengeHash}` }]
    : []),
]

/** Whether a claim is that of a registration challenge. */
export const isChallengeClaim = ({ key }: Claim): boolean => key.startsWith("passkey-registration:")

/** Returns the revoked credential. */
export const revoked = (credential: Credential): Credential => ({ ...credential, isRevoked: true })

/** Credential type whose `contact` follows a customer field. */
export const contactFields = { email: "EMAIL_OTP", phoneNumber: "SMS_OTP" } as const satisfies {
  readonly [field: string]: CredentialType
}

/** Identity at an OIDC provider: the three token claims that a credential stores. */
export interface OidcIdentity {
  readonly issuer: string
  readonly audience: string
  readonly subject: string
}

/** Result of a registration, which each assertion is verified against. It contains no secret. */
export interface RegisteredPasskey {
  /** WebAuthn credential id, base64url without padding. */
  readonly credentialId: string
  /** COSE key, base64url without padding. */
  readonly publicKey: string
  readonly signatureCount: number
  /** Origin seen at registration. */
  readonly origin: string
  /** SHA-256 of the relying party id, hex, as seen at registration. */
  readonly relyingPartyHash: string
  readonly userVerified: boolean
}
