/**
 * AES-256-GCM with a 12-byte nonce and a 16-byte tag at the end of the ciphertext.
 * Source: RFC 9180, 7.3.
 */
import { createCipheriv, createDecipheriv } from "node:crypto"
import { concat } from "./Hkdf.ts"

const algorithm = "aes-256-gcm"
const tagBytes = 16
const options = { authTagLength: tagBytes }

export const seal = (key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Uint8Array => {
  const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(aad)
  return concat(cipher.update(plaintext), cipher.final(), cipher.getAuthTag())
}

/** Decrypts and verifies. Throws if the tag does not match. */
export const open = (key: Uint8Array, nonce: Uint8Array, ciphertext: Uint8Array, aad: Uint8Array): Uint8Array => {
  const end = ciphertext.length - tagBytes
  if (end < 0) throw new RangeError(`A ciphertext must have at least the ${tagBytes} bytes of its tag.`)
  const decipher = createDecipheriv(algorithm, key, nonce, options).setAAD(aad).setAuthTag(ciphertext.subarray(end))
  return concat(decipher.update(ciphertext.subarray(0, end)), decipher.final())
}
