/**
 * A bundle that the deployment signs with its quorum key, so that clients can pin the signer.
 * Source: wire contract 4.9 (`otpEncryptionTargetBundle`, `encryptedWalletCredentials`); D-072.
 */
import { hexToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { Hex } from "effect/encoding"
import { refused } from "./BundleRefused.ts"
import { isHexText } from "./HexText.ts"
import { membersOf } from "./JsonObject.ts"
import type { KeyPair } from "./KeyPair.ts"
import { P256 } from "./P256.ts"
import type { PublicKey } from "./PublicKey.ts"
import { textOf } from "./Utf8.ts"

const version = "v1.0.0"

/** A client's expectations of a bundle. */
export interface Expected {
  /**
   * The pinned quorum key of the deployment. Without it, any signature by the key that the bundle names is valid: it proves integrity,
   * not origin.
   */
  readonly signer?: PublicKey
  readonly organizationId?: string
}

/** Creates a bundle: the members as JSON in hex, and a signature of these bytes. */
export const make = Effect.fnUntraced(function* (quorum: KeyPair, members: { readonly [member: string]: string }) {
  const p256 = yield* P256
  const data = JSON.stringify(members)
  return JSON.stringify({
    version,
    data: Hex.encode(data),
    dataSignature: yield* p256.sign(quorum, data),
    enclaveQuorumPublic: quorum.publicKey.uncompressed,
  })
})

/** Verifies a bundle's signature, signer and organization. Returns its members. */
export const verify = Effect.fnUntraced(function* (bundle: string, expected: Expected) {
  const p256 = yield* P256
  const outer = membersOf(bundle)
  const hex = outer?.["data"]
  const signature = outer?.["dataSignature"]
  const signerHex = outer?.["enclaveQuorumPublic"]
  if (outer?.["version"] !== version || !isHexText(hex) || !isHexText(signature) || typeof signerHex !== "string") {
    return yield* refused("MALFORMED")
  }
  const data = hexToBytes(hex)
  const signer = yield* p256.publicKey(signerHex).pipe(Effect.mapError(() => refused("MALFORMED")))
  if (expected.signer !== undefined && expected.signer.compressed !== signer.compressed) {
    return yield* refused("UNTRUSTED_SIGNER")
  }
  if (!(yield* p256.verify(signer, data, signature))) return yield* refused("INVALID_SIGNATURE")
  const members = membersOf(textOf(data))
  if (members === undefined) return yield* refused("MALFORMED")
  if (expected.organizationId !== undefined && members["organizationId"] !== expected.organizationId) {
    return yield* refused("ORGANIZATION_MISMATCH")
  }
  return members
})
