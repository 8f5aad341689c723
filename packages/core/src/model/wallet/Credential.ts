/**
 * A credential of an embedded wallet: by what its person signs in. No secret is part of it.
 * Spec: Credentials, sessions and signing payloads; wire contract 4.2.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Schema } from "effect"
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import type { Claim } from "../record/Record.ts"
import { type CredentialType, OtpType } from "./CredentialType.ts"

const common = {
  accountId: Schema.String,
  nickname: Schema.String,
  isRevoked: Schema.Boolean,
}

/** As the check of passkeys left it. */
const Passkey = Schema.Struct({
  credentialId: Schema.String,
  publicKey: Schema.String,
  signatureCount: Schema.Int,
  origin: Schema.String,
  relyingPartyHash: Schema.String,
  userVerified: Schema.Boolean,
})

const Identity = Schema.Struct({ issuer: Schema.String, audience: Schema.String, subject: Schema.String })

/** `contact`: the address or number to which codes go. */
const OtpCredential = Schema.Struct({ type: OtpType, contact: Schema.String, ...common })
export type OtpCredential = typeof OtpCredential.Type
/** `challengeHash`: of the platform's registration challenge, which serves once. */
const PasskeyCredential = Schema.Struct({
  type: Schema.Literal("PASSKEY"),
  passkey: Passkey,
  challengeHash: Schema.String,
  ...common,
})
export type PasskeyCredential = typeof PasskeyCredential.Type
const OAuthCredential = Schema.Struct({ type: Schema.Literal("OAUTH"), identity: Identity, ...common })
export type OAuthCredential = typeof OAuthCredential.Type

/** What is stored of a credential. */
export const Credential = Schema.Union([OtpCredential, PasskeyCredential, OAuthCredential])
export type Credential = typeof Credential.Type

export const isOtp = (credential: Credential): credential is OtpCredential =>
  credential.type === "EMAIL_OTP" || credential.type === "SMS_OTP"

/** SHA-256, hex. */
export const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** What an account has only once: an OTP credential of a type, a passkey, an identity at a provider. */
const identityOf = (credential: Credential): string => {
  if (isOtp(credential)) return ""
  return credential.type === "PASSKEY"
    ? hashOf(credential.passkey.credentialId)
    : hashOf(CanonicalJson.stringify(credential.identity))
}

/** The unique keys of a credential. A registration challenge stays used, whatever becomes of its credential. */
export const credentialClaims = (credential: Credential): ReadonlyArray<Claim> => [
  ...(credential.isRevoked
    ? []
    : [
        {
          scope: "platform" as const,
          key: `credential:${credential.accountId}:${credential.type}:${identityOf(credential)}`,
        },
      ]),
  ...(credential.type === "PASSKEY"
    ? [{ scope: "platform" as const, key: `passkey-registration:${credential.challengeHash}` }]
    : []),
]

/** Whether a claim that is taken says that the registration challenge has been used. */
export const isChallengeClaim = ({ key }: Claim): boolean => key.startsWith("passkey-registration:")

/** The credential after its end. */
export const revoked = (credential: Credential): Credential => ({ ...credential, isRevoked: true })

/** The type under which a credential's `contact` is tied to its customer's field. */
export const contactFields = { email: "EMAIL_OTP", phoneNumber: "SMS_OTP" } as const satisfies {
  readonly [field: string]: CredentialType
}

/** Who the token speaks of: the three claims that a credential keeps. */
export interface OidcIdentity {
  readonly issuer: string
  readonly audience: string
  readonly subject: string
}

/** What a registration leaves behind, and each later use is held against. Nothing in it is secret. */
export interface RegisteredPasskey {
  /** The WebAuthn credential id, base64url without padding. */
  readonly credentialId: string
  /** The COSE key, base64url without padding. */
  readonly publicKey: string
  readonly signatureCount: number
  /** The origin that was seen at registration. */
  readonly origin: string
  /** SHA-256 of the relying party's id, hex, as seen at registration. */
  readonly relyingPartyHash: string
  readonly userVerified: boolean
}
