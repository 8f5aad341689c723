/**
 * Secrets: drawn by the secure random service, stored only as hashes, compared in constant time.
 * Source: wire contract 1.5, 11 (11, 12); D-006.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"

/** SHA-256 of a text, hex. The secrets that we draw have at least 160 random bits, so that no slow hash is needed. */
export const hash = (text: string): string => Hex.encode(sha256(utf8ToBytes(text)))

/** Whether two texts of one length are equal, in a time that does not tell where they differ. */
export const equal = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(b.length, 1))
  return difference === 0
}

/** An agent access token: `gat_` and 40 hex digits. */
export const agentToken = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return `gat_${Hex.encode(yield* random.randomBytes(20))}`
})

/** A client id and client secret of an API token. */
export const clientCredentials = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return {
    clientId: `client_${Hex.encode(yield* random.randomBytes(12))}`,
    clientSecret: `secret_${Hex.encode(yield* random.randomBytes(24))}`,
  }
})

/** 32 characters that nobody confuses: no 0 and O, no 1 and I. */
const unambiguous = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

/** A device code: `AGENT-` and two groups of four unambiguous characters. */
export const deviceCode = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const text = Array.from(yield* random.randomBytes(8), (byte) => unambiguous.charAt(byte % 32)).join("")
  return `AGENT-${text.slice(0, 4)}-${text.slice(4)}`
})
