/**
 * The SHA-256 of bytes that arrive in pieces.
 * Source: wire contract areas 1.1 (idempotency of multipart bodies), 1.2.8 (storage).
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { Hex } from "effect/encoding"

export interface ByteDigest {
  readonly add: (bytes: Uint8Array) => void
  /** Returns the digest in hex. Nothing can be added afterwards. */
  readonly hex: () => string
}

/** Returns the digest of no bytes yet. */
export const make = (): ByteDigest => {
  const running = sha256.create()
  return {
    add: (bytes) => {
      running.update(bytes)
    },
    hex: () => Hex.encode(running.digest()),
  }
}
