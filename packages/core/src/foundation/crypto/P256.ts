/**
 * Keys and signatures on P-256, as a service with two layers: `PortableCrypto` for any JavaScript, and one on Node's crypto.
 * Spec: Wallet action signing; wire contract 4.9.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { InvalidPrivateKey, KeyPair, Scalar } from "./KeyPair.ts"
import type { InvalidPublicKey, PublicKey } from "./PublicKey.ts"

/** Bytes, or a text that means its UTF-8 bytes. The layer converts texts, because it knows the cheapest way. */
export type Message = Uint8Array | string

export class P256 extends Context.Service<
  P256,
  {
    /** Generates a key pair. */
    readonly generate: Effect.Effect<KeyPair>
    /**
     * Derives the same key pair from the same seed: DeriveKeyPair of RFC 9180, 7.1.3. A seed needs the entropy of a key and at least
     * 32 bytes; a shorter one is a defect.
     */
    readonly derive: (seed: Redacted.Redacted<Uint8Array>) => Effect.Effect<KeyPair>
    /** Derives the key pair of a private key. */
    readonly keyPair: (scalar: Scalar) => Effect.Effect<KeyPair, InvalidPrivateKey>
    /** Parses a public key from hex, compressed or uncompressed, in either letter case. */
    readonly publicKey: (hex: string) => Effect.Effect<PublicKey, InvalidPublicKey>
    /** Signs SHA-256 of the message with ECDSA. Returns DER in hex. */
    readonly sign: (key: KeyPair, message: Message) => Effect.Effect<string>
    /**
     * Verifies an ECDSA signature, DER in hex, over SHA-256 of the message. High S is accepted like low S. Text that is not DER or not
     * hex is `false`.
     */
    readonly verify: (key: PublicKey, message: Message, signature: string) => Effect.Effect<boolean>
    /**
     * Returns the key of the hex if it made the signature: `publicKey` and `verify` in one call. It is a plain function, because every
     * signed request calls it: the steps of effects would cost as much as parsing the request's header.
     */
    readonly signer: (hex: string, message: Message, signature: string) => PublicKey | undefined
  }
>()("@countersign/core/P256") {}

/** The shortest seed of `derive`, in bytes. */
export const seedBytesMin = 32
