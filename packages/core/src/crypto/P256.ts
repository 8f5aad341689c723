/**
 * Keys and signatures on P-256, as a service with two layers: `PortableCrypto` for any JavaScript, and one on Node's crypto.
 * Spec: Wallet action signing; wire contract 4.9.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { InvalidPrivateKey, KeyPair, Scalar } from "./KeyPair.ts"
import type { InvalidPublicKey, PublicKey } from "./PublicKey.ts"

export class P256 extends Context.Service<
  P256,
  {
    /** A fresh key pair. */
    readonly generate: Effect.Effect<KeyPair>
    /**
     * The key pair of a seed, the same each time: DeriveKeyPair of RFC 9180, 7.1.3. A seed has as much entropy as a key, and at
     * least 32 bytes; a shorter one is a defect.
     */
    readonly derive: (seed: Redacted.Redacted<Uint8Array>) => Effect.Effect<KeyPair>
    /** The key pair of a private key. */
    readonly keyPair: (scalar: Scalar) => Effect.Effect<KeyPair, InvalidPrivateKey>
    /** A public key from hex, compressed or uncompressed, in either case of letters. */
    readonly publicKey: (hex: string) => Effect.Effect<PublicKey, InvalidPublicKey>
    /** An ECDSA signature over SHA-256 of the message, DER. */
    readonly sign: (key: KeyPair, message: Uint8Array) => Effect.Effect<Uint8Array>
    /** Whether a DER signature is of this key over SHA-256 of the message. High S is as good as low S; what is not DER is false. */
    readonly verify: (key: PublicKey, message: Uint8Array, signature: Uint8Array) => Effect.Effect<boolean>
  }
>()("@countersign/core/P256") {}

/** The shortest seed of `derive`, in bytes. */
export const seedBytesMin = 32
