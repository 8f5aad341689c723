/**
 * Delivers the session signing key to the client: `encryptedSessionSigningKey`.
 * Spec: Wallet action signing (session key delivery); wire contract 4.9.
 */
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { Effect, Redacted } from "effect"
import { Hex } from "effect/encoding"
import * as Base58Check from "./Base58Check.ts"
import { refused } from "./BundleRefused.ts"
import type { KeyPair } from "./KeyPair.ts"
import { P256 } from "./P256.ts"
import { compressedOf, type PublicKey } from "./PublicKey.ts"
import * as Sealed from "./Sealed.ts"

const keyBytes = 33
const scalarBytes = 32
const tagBytes = 16
const bundleBytes = keyBytes + scalarBytes + tagBytes

/** Seals the private key of a session to the client's key. */
export const seal = Effect.fn("SessionBundle.seal")(function* (client: PublicKey, session: KeyPair) {
  const { ciphertext, encapsulated } = yield* Sealed.seal(client, Redacted.value(session.privateKey))
  return Base58Check.encode(concatBytes(hexToBytes(compressedOf(Hex.encode(encapsulated))), ciphertext))
})

/** Opens a bundle with the client's key. Returns the session key. */
export const open = Effect.fn("SessionBundle.open")(function* (client: KeyPair, bundle: string) {
  const p256 = yield* P256
  const payload = Base58Check.decode(bundle.trim())
  if (payload === undefined || payload.length !== bundleBytes) return yield* refused("MALFORMED")
  const encapsulated = yield* p256
    .publicKey(Hex.encode(payload.subarray(0, keyBytes)))
    .pipe(Effect.mapError(() => refused("MALFORMED")))
  const scalar = yield* Sealed.open(client, {
    encapsulated: hexToBytes(encapsulated.uncompressed),
    ciphertext: payload.subarray(keyBytes),
  }).pipe(Effect.mapError(() => refused("NOT_OPENED")))
  // An opened bundle that contains no valid key was not sealed by a correct service.
  return yield* p256.keyPair(Redacted.make(scalar)).pipe(Effect.mapError(() => refused("NOT_OPENED")))
})
