/**
 * The thumbprint of a public key on P-256, by which keys are named.
 * Source: RFC 7638, 3 (SHA-256 of the required members in lexicographic order, base64url).
 */
import { createHash, type KeyObject } from "node:crypto"

export const thumbprintOf = (publicKey: KeyObject): string => {
  const { crv, kty, x, y } = publicKey.export({ format: "jwk" })
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url")
}
