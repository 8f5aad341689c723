/**
 * HPKE (RFC 9180) with the one suite that wallets use, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, in all its modes.
 * Spec: Wallet action signing; wire contract 4.9.
 */
import { Context, Data, type Effect, Redacted } from "effect"
import type { KeyPair } from "./KeyPair.ts"
import type { PublicKey } from "./PublicKey.ts"

/** Decryption failed. The cause (key, tag or encapsulated key) is not disclosed. */
export class NotOpened extends Data.TaggedError("NotOpened") {
  override get message() {
    return "Could not be opened."
  }
}

/** The parameters that both sides share. */
export interface HpkeOptions {
  readonly info: Uint8Array
  /** At least 32 bytes of key; a shorter one is a defect. */
  readonly psk?: { readonly id: Uint8Array; readonly key: Redacted.Redacted<Uint8Array> }
}

/** The mode of a message for its sender: `sender` authenticates it. */
export interface SenderOptions extends HpkeOptions {
  /** Authenticates the sender to the recipient. */
  readonly sender?: KeyPair
  /** Replaces the generated key. For known-answer tests only: a reused key reveals both messages. */
  readonly ephemeralForTests?: KeyPair
}

/** The mode of a message for its recipient, which must be that of the sender. */
export interface RecipientOptions extends HpkeOptions {
  /** The sender that the message must be authenticated by. */
  readonly sender?: PublicKey
}

/** Derives further shared secrets. */
interface Exporter {
  /** At most 255 bytes; more is a defect. */
  readonly export: (context: Uint8Array, lengthBytes: number) => Effect.Effect<Redacted.Redacted<Uint8Array>>
}

/** The messages of one sender, in order: the first call is sequence number 0. */
export interface SenderContext extends Exporter {
  /** The uncompressed point, 65 bytes. */
  readonly encapsulated: Uint8Array
  /** Ciphertext followed by the tag of 16 bytes. */
  readonly seal: (plaintext: Uint8Array, aad: Uint8Array) => Effect.Effect<Uint8Array>
}

/** The same messages at the recipient, in the same order. A failed one does not advance the sequence. */
export interface RecipientContext extends Exporter {
  readonly open: (ciphertext: Uint8Array, aad: Uint8Array) => Effect.Effect<Uint8Array, NotOpened>
}

/** The primitives of a layer's HPKE, exposed so that tests can run the vectors of each. */
export interface HpkePrimitives {
  /** Returns the x coordinate of the shared point. */
  readonly sharedSecret: (key: KeyPair, peer: PublicKey) => Effect.Effect<Redacted.Redacted<Uint8Array>>
  /** HKDF-SHA256, extract and expand. More than 8160 bytes is a defect. */
  readonly hkdf: (ikm: Uint8Array, salt: Uint8Array, info: Uint8Array, lengthBytes: number) => Effect.Effect<Uint8Array>
  /** AES-256-GCM with a nonce of 12 bytes and a tag of 16 at the end. */
  readonly aeadSeal: (
    key: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
  ) => Effect.Effect<Uint8Array>
  readonly aeadOpen: (
    key: Uint8Array,
    nonce: Uint8Array,
    ciphertext: Uint8Array,
    aad: Uint8Array,
  ) => Effect.Effect<Uint8Array, NotOpened>
}

export class Hpke extends Context.Service<
  Hpke,
  {
    readonly sender: (recipient: PublicKey, options: SenderOptions) => Effect.Effect<SenderContext>
    /** `encapsulated` is the uncompressed point. */
    readonly recipient: (
      recipient: KeyPair,
      encapsulated: Uint8Array,
      options: RecipientOptions,
    ) => Effect.Effect<RecipientContext, NotOpened>
    readonly primitives: HpkePrimitives
  }
>()("@countersign/core/Hpke") {}

/** The shortest pre-shared key, in bytes (RFC 9180, 5.1.2). */
const pskBytesMin = 32

/** Returns the pre-shared key in clear. Throws for one that RFC 9180 forbids: a defect of the caller. */
export const pskOf = ({ psk }: HpkeOptions): { readonly id: Uint8Array; readonly key: Uint8Array } | undefined => {
  if (psk === undefined) return undefined
  const key = Redacted.value(psk.key)
  if (key.length < pskBytesMin) throw new RangeError(`A pre-shared key has at least ${pskBytesMin} bytes.`)
  if (psk.id.length === 0) throw new RangeError("A pre-shared key has an identifier.")
  return { id: psk.id, key }
}

/** Whether the bytes are an uncompressed point, the only valid form of an encapsulated key. Libraries also accept other forms. */
export const isEncapsulated = (bytes: Uint8Array): boolean => bytes.length === 65 && bytes[0] === 4

/** RFC 9180 allows more, but @hpke/core encodes the length in one byte, so that the two sides would derive different secrets. */
const exportBytesMax = 255

/** Throws a `RangeError` if an exported secret would have more than 255 bytes. */
export const checkExport = (lengthBytes: number): void => {
  if (lengthBytes > exportBytesMax) throw new RangeError(`An exported secret has at most ${exportBytesMax} bytes.`)
}
