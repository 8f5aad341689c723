/**
 * What a client signs after it has sent the right code: a compact ES256 JWT of the deployment. It opens nothing by itself.
 * Source: wire contract 4.5 and 4.8 (all claims as texts, `exp` in milliseconds).
 */
import { p256 as curve } from "@noble/curves/nist.js"
import { hexToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { Base64Url } from "effect/encoding"
import type { KeyPair } from "../../foundation/crypto/KeyPair.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import type { OtpType } from "../../model/wallet/CredentialType.ts"

export interface Verified {
  readonly challengeId: string
  readonly authMethodId: string
  readonly type: OtpType
  readonly contact: string
  readonly organizationId: string
  /** Compressed: the key that was sealed with the code. */
  readonly publicKey: string
  readonly issuedAt: number
  readonly expiresAt: number
}

const header = Base64Url.encode(JSON.stringify({ alg: "ES256", typ: "JWT" }))

const claimsOf = (verified: Verified) => ({
  sub: verified.authMethodId,
  iat: String(verified.issuedAt),
  exp: String(verified.expiresAt),
  id: verified.challengeId,
  verification_type: verified.type === "EMAIL_OTP" ? "OTP_TYPE_EMAIL" : "OTP_TYPE_SMS",
  contact: verified.contact,
  organization_id: verified.organizationId,
  public_key: verified.publicKey,
})

export const make = Effect.fnUntraced(function* (quorum: KeyPair, verified: Verified) {
  const p256 = yield* P256
  const signed = `${header}.${Base64Url.encode(JSON.stringify(claimsOf(verified)))}`
  const der = hexToBytes(yield* p256.sign(quorum, signed))
  return `${signed}.${Base64Url.encode(curve.Signature.fromBytes(der, "der").toBytes("compact"))}`
})
