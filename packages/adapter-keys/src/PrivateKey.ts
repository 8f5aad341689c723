/** A private key on P-256 from random bytes. Source: FIPS 186-5, A.2.1 (extra random bits); RFC 5915 and RFC 5480 (its form). */

/** The order of the curve. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** `ECPrivateKey` without the public key, on prime256v1. */
const before = Buffer.from("30310201010420", "hex")
const after = Buffer.from("a00a06082a8648ce3d030107", "hex")

/** Returns the key in PEM. `random`: at least 40 bytes, so that each key is as likely as any other. */
export const privateKeyOf = (random: Uint8Array): string => {
  const scalar = (BigInt(`0x${Buffer.from(random).toString("hex")}`) % (order - 1n)) + 1n
  const key = Buffer.from(scalar.toString(16).padStart(64, "0"), "hex")
  const base64 = Buffer.concat([before, key, after]).toString("base64")
  const lines = base64.match(/.{1,64}/gu) ?? []
  return `-----BEGIN EC PRIVATE KEY-----\n${lines.join("\n")}\n-----END EC PRIVATE KEY-----\n`
}
