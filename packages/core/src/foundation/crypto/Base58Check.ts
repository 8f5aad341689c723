/**
 * base58check: base 58 with four bytes of a double SHA-256 at the end, in which the session bundle is written.
 * Spec: Wallet action signing; wire contract 4.9.
 */
import bs58check from "bs58check"

export const encode = (bytes: Uint8Array): string => bs58check.encode(bytes)

/** The bytes of a text; undefined where a character or the checksum is wrong. */
export const decode = (text: string): Uint8Array | undefined => bs58check.decodeUnsafe(text)
