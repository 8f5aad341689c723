/**
 * A P-256 key pair. The private key is a scalar of 32 bytes, redacted so that no log or error shows it.
 * Spec: Wallet action signing.
 */
import { hexToBytes } from "@noble/hashes/utils.js"
import { Data, Redacted } from "effect"
import { Hex } from "effect/encoding"
import type { PublicKey } from "./PublicKey.ts"

/** Created by `P256`, which derives the public key. */
export interface KeyPair {
  readonly publicKey: PublicKey
  readonly privateKey: Redacted.Redacted<Uint8Array>
}

/** The input is not a valid private key. The message contains no part of it. */
export class InvalidPrivateKey extends Data.TaggedError("InvalidPrivateKey")<{ readonly message: string }> {
  static readonly make = () =>
    new InvalidPrivateKey({
      message: "A private key of P-256 is 32 bytes, or 64 hex digits, from 1 to the order of the curve.",
    })
}

/** A private key as input: 32 bytes, or 64 hex digits. */
export type Scalar = Redacted.Redacted<Uint8Array> | Redacted.Redacted<string>

/** Returns the bytes of a scalar, or `undefined` when there are not 32. The curve checks the range. */
export const scalarBytes = (scalar: Scalar): Uint8Array | undefined => {
  const value = Redacted.value<Uint8Array | string>(scalar)
  if (typeof value === "string") return /^[0-9a-fA-F]{64}$/u.test(value) ? hexToBytes(value) : undefined
  return value.length === 32 ? value : undefined
}

/** Returns the private key as hex, for a client that stores it as text. */
export const privateHex = (key: KeyPair): Redacted.Redacted =>
  Redacted.make(Hex.encode(Redacted.value(key.privateKey)), { label: "P-256 private key" })

/** Redacts a scalar. */
export const redactedScalar = (bytes: Uint8Array): Redacted.Redacted<Uint8Array> =>
  Redacted.make(bytes, { label: "P-256 private key" })
