/**
 * Verification token: a compact ES256 JWT that the client signs after a right code. The token alone authenticates nothing.
 * Source: wire contract 4.5 and 4.8 (all claims as texts, `exp` in milliseconds).
 */
import { p256 as curve } from "@noble/curves/nist.js"
import { hexToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { Base64Url } from "effect/encoding"
import type { KeyPair } from "../../foundation/crypto/KeyPair.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import type { OtpType } from "../../model/wallet/CredentialType.ts"

export interface VerifiedContact {
  readonly challengeId: string
  readonly authMethodId: string
  readonly type: OtpType
  readonly contact: string
  readonly organizationId: string
  /** Compressed key that was sealed with the code. */
  readonly publicKey: string
  /** Business time (ms). */
  readonly issuedAt: number
  readonly expiresAt: number
}

const header = Base64Url.encode(JSON.stringify({ alg: "ES256", typ: "JWT" }))

const claimsOf = (verified: VerifiedContact) => ({
  sub: verified.authMethodId,
  iat: String(verified.issuedAt),
  exp: String(verified.expiresAt),
  id: verified.challengeId,
  verification_type: verified.type === "EMAIL_OTP" ? "OTP_TYPE_EMAIL" : "OTP_TYPE_SMS",
  contact: verified.contact,
  organization_id: verified.organizationId,
  public_key: verified.publicKey,
})

/** Returns the token, signed with the deployment's key. */
export const signToken = Effect.fnUntraced(function* (quorum: KeyPair, verified: VerifiedContact) {
  const p256 = yield* P256
  const signingInput = `${header}.${Base64Url.encode(JSON.stringify(claimsOf(verified)))}`
  const der = hexToBytes(yield* p256.sign(quorum, signingInput))
  return `${signingInput}.${Base64Url.encode(curve.Signature.fromBytes(der, "der").toBytes("compact"))}`
})
