/**
 * Reads a public key of P-256 from PEM.
 * Source: wire contract 6.2 (SPKI PEM); RFC 5480, 2 (the structure); RFC 7468, 13 (its text).
 */
import { Result } from "effect"
import { Base64, Hex } from "effect/encoding"

/** DER of `SubjectPublicKeyInfo` up to the point, for `id-ecPublicKey` on `secp256r1`: one prefix for each length of a point. */
const algorithm = "301306072a8648ce3d020106082a8648ce3d030107"
const uncompressed = new RegExp(`^3059${algorithm}034200(04[0-9a-f]{128})$`, "u")
const compressed = new RegExp(`^3039${algorithm}032200(0[23][0-9a-f]{64})$`, "u")

const label = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/u

/** Returns the point in hex, or undefined for anything else than the SPKI PEM of a P-256 key. It may not lie on the curve. */
export const pointOf = (pem: string): string | undefined => {
  // Environment variables often carry line breaks as `\n`.
  const base64 = label.exec(pem.replaceAll("\\n", "\n"))?.[1]?.replace(/\s/gu, "")
  const bytes = base64 === undefined ? undefined : Result.getOrUndefined(Base64.decode(base64))
  if (bytes === undefined) return undefined
  const der = Hex.encode(bytes)
  return (uncompressed.exec(der) ?? compressed.exec(der))?.[1]
}
