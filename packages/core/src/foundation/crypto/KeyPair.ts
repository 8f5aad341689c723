/**
 * A key pair of P-256. The private half is a scalar of 32 bytes, which shows itself nowhere.
 * Spec: Wallet action signing.
 */
import { hexToBytes } from "@noble/hashes/utils.js"
import { Data, Redacted } from "effect"
import { Hex } from "effect/encoding"
import type { PublicKey } from "./PublicKey.ts"

/** Made by `P256`, which derives the public half. */
export interface KeyPair {
  readonly publicKey: PublicKey
  readonly privateKey: Redacted.Redacted<Uint8Array>
}

/** What was given as a private key is none. Nothing of it is told. */
export class InvalidPrivateKey extends Data.TaggedError("InvalidPrivateKey")<{ readonly message: string }> {
  static readonly make = () =>
    new InvalidPrivateKey({
      message: "A private key of P-256 is 32 bytes, or 64 hex digits, from 1 to the order of the curve.",
    })
}

/** A private key as it is given: 32 bytes, or 64 hex digits. */
export type Scalar = Redacted.Redacted<Uint8Array> | Redacted.Redacted<string>

/** The bytes of a scalar; undefined where there are not 32. Whether it is in range is for the curve to say. */
export const scalarBytes = (scalar: Scalar): Uint8Array | undefined => {
  const given = Redacted.value<Uint8Array | string>(scalar)
  if (typeof given === "string") return /^[0-9a-fA-F]{64}$/u.test(given) ? hexToBytes(given) : undefined
  return given.length === 32 ? given : undefined
}

/** The private key as hex, for a client that keeps it as text. */
export const privateHex = (key: KeyPair): Redacted.Redacted =>
  Redacted.make(Hex.encode(Redacted.value(key.privateKey)), { label: "P-256 private key" })

/** Keeps a scalar from being shown. */
export const redactedScalar = (bytes: Uint8Array): Redacted.Redacted<Uint8Array> =>
  Redacted.make(bytes, { label: "P-256 private key" })
