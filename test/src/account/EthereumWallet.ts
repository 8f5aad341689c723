/** A wallet outside the service with a real key, which proves that it is its owner's. Source: EIP-191. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { keccak_256 } from "@noble/hashes/sha3.js"

const secretKey = new Uint8Array(32).fill(5)
export const address = `0x${Buffer.from(keccak_256(secp256k1.getPublicKey(secretKey, false).subarray(1)).subarray(12)).toString("hex")}`

/** Signs as a wallet does. */
export const sign = (message: string): string => {
  const digest = keccak_256(
    new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${Buffer.byteLength(message)}${message}`),
  )
  const [recovery = 0, ...rs] = secp256k1.sign(digest, secretKey, { prehash: false, format: "recovered" })
  return `0x${Buffer.from([...rs, 27 + recovery]).toString("hex")}`
}
