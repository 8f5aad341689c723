/**
 * A sealed message of the wallet protocol: HPKE in base mode, sequence number 0, with a fixed info and both keys as AAD.
 * Spec: Wallet action signing; wire contract 4.9.
 */
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { Hex } from "effect/encoding"
import { isHexText } from "./HexText.ts"
import { Hpke } from "./Hpke.ts"
import type { KeyPair } from "./KeyPair.ts"
import type { PublicKey } from "./PublicKey.ts"

export interface Sealed {
  /** The uncompressed point, 65 bytes. */
  readonly encapsulated: Uint8Array
  /** Ends with the tag of 16 bytes. */
  readonly ciphertext: Uint8Array
}

/** The HPKE info of OTP bundles, session keys and exports. */
export const info: Uint8Array = utf8ToBytes("turnkey_hpke")

const aadOf = (encapsulated: Uint8Array, recipient: PublicKey) =>
  concatBytes(encapsulated, hexToBytes(recipient.uncompressed))

/** Seals bytes for a recipient, each time with a new key. */
export const seal = Effect.fnUntraced(function* (recipient: PublicKey, plaintext: Uint8Array) {
  const hpke = yield* Hpke
  const { encapsulated, seal } = yield* hpke.sender(recipient, { info })
  const ciphertext = yield* seal(plaintext, aadOf(encapsulated, recipient))
  return { encapsulated, ciphertext } satisfies Sealed
})

/** Opens a message with the recipient's key. Fails with `NotOpened` if it was changed, or sealed for another key. */
export const open = Effect.fnUntraced(function* (recipient: KeyPair, { ciphertext, encapsulated }: Sealed) {
  const hpke = yield* Hpke
  const { open } = yield* hpke.recipient(recipient, encapsulated, { info })
  return yield* open(ciphertext, aadOf(encapsulated, recipient.publicKey))
})

const uncompressedHex = /^04[0-9a-fA-F]{128}$/u

/** A sealed message in JSON. */
export interface SealedText {
  readonly encappedPublic: string
  readonly ciphertext: string
}

/** Returns both members in hex. */
export const toText = ({ ciphertext, encapsulated }: Sealed): SealedText => ({
  encappedPublic: Hex.encode(encapsulated),
  ciphertext: Hex.encode(ciphertext),
})

/** Parses the two members of a sealed message; returns `undefined` when one is not valid. */
export const fromText = ({ ciphertext, encappedPublic }: { readonly [key: string]: unknown }): Sealed | undefined =>
  typeof encappedPublic === "string" && uncompressedHex.test(encappedPublic) && isHexText(ciphertext)
    ? { encapsulated: hexToBytes(encappedPublic), ciphertext: hexToBytes(ciphertext) }
    : undefined
