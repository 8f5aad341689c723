/**
 * base58check: base 58 with a checksum of four bytes of a double SHA-256. Session bundles and wallet addresses use it.
 * Spec: Wallet action signing; wire contract 4.9.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { createBase58check } from "@scure/base"

const base58check = createBase58check(sha256)

/** Returns the text of the bytes and their checksum. */
export const encode = (bytes: Uint8Array): string => base58check.encode(bytes)

/** Returns the bytes of a text, or `undefined` where a character or the checksum is wrong. */
export const decode = (text: string): Uint8Array | undefined => {
  try {
    return base58check.decode(text)
  } catch {
    return undefined
  }
}
