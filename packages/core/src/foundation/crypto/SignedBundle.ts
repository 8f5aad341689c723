/**
 * A bundle that the deployment signs by its quorum key, so that clients can pin who made it.
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

/** What a client expects of a bundle. */
export interface Expected {
  /**
   * The deployment's quorum key, pinned. Without it the bundle only has to be signed by the key that it names, which shows that it is
   * whole but not whose it is.
   */
  readonly signer?: PublicKey
  readonly organizationId?: string
}

/** The members as JSON, hex, and signed over those bytes. */
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

/** The members of a bundle that is signed, by whom it has to be, for whom it has to be. */
export const verify = Effect.fnUntraced(function* (bundle: string, expected: Expected) {
  const p256 = yield* P256
  const outer = membersOf(bundle)
  const hex = outer?.["data"]
  const signature = outer?.["dataSignature"]
  const named = outer?.["enclaveQuorumPublic"]
  if (outer?.["version"] !== version || !isHexText(hex) || !isHexText(signature) || typeof named !== "string") {
    return yield* refused("MALFORMED")
  }
  const data = hexToBytes(hex)
  const signer = yield* p256.publicKey(named).pipe(Effect.mapError(() => refused("MALFORMED")))
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
