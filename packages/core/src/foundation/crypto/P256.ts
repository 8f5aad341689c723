/**
 * Keys and signatures on P-256, as a service with two layers: `PortableCrypto` for any JavaScript, and one on Node's crypto.
 * Spec: Wallet action signing; wire contract 4.9.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { InvalidPrivateKey, KeyPair, Scalar } from "./KeyPair.ts"
import type { InvalidPublicKey, PublicKey } from "./PublicKey.ts"

/** Bytes, or a text that stands for its UTF-8. Texts stay texts up to the layer, which knows the cheapest way to its bytes. */
export type Message = Uint8Array | string

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
    /** An ECDSA signature over SHA-256 of the message, DER, hex. */
    readonly sign: (key: KeyPair, message: Message) => Effect.Effect<string>
    /**
     * Whether a signature, DER in hex, is of this key over SHA-256 of the message. High S is as good as low S; what is not DER, or not
     * hex, is false.
     */
    readonly verify: (key: PublicKey, message: Message, signature: string) => Effect.Effect<boolean>
    /**
     * The key of the hex, if the signature is its own. `publicKey` and `verify` in one, and a plain function, since it is on the way of
     * every signed request: the steps of effects would cost as much as reading the request's header.
     */
    readonly signer: (hex: string, message: Message, signature: string) => PublicKey | undefined
  }
>()("@countersign/core/P256") {}

/** The shortest seed of `derive`, in bytes. */
export const seedBytesMin = 32
