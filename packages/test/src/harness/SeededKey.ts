/** A P-256 key that is derived from a seed, the same on each run. Not for production. */
import { createECDH, createHash, createPrivateKey } from "node:crypto"

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url")

/** Returns the private key of a seed as PKCS#8 PEM. */
export const pem = (seed: number | string): string => {
  const secret = createHash("sha256").update(`countersign test key ${seed}`).digest()
  const curve = createECDH("prime256v1")
  curve.setPrivateKey(secret)
  const point = curve.getPublicKey()
  const key = {
    kty: "EC",
    crv: "P-256",
    d: base64url(secret),
    x: base64url(point.subarray(1, 33)),
    y: base64url(point.subarray(33)),
  }
  return createPrivateKey({ key, format: "jwk" }).export({ type: "pkcs8", format: "pem" }).toString()
}
