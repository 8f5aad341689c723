/**
 * What a wallet signs, seals and opens, with `node:crypto` alone, as a new client writes it.
 * Source: wire contract 4.9.
 */
import { createHash, createPrivateKey, createPublicKey, ECDH, sign, verify } from "node:crypto"
import { curve, hex, keysOf, type NodeKeys, open, seal } from "./NodeHpke.ts"

const base64url = (bytes: Buffer): string => bytes.toString("base64url")
const jwkOf = (uncompressed: string) => ({
  kty: "EC",
  crv: "P-256",
  x: base64url(hex(uncompressed.slice(2, 66))),
  y: base64url(hex(uncompressed.slice(66))),
})

/** Signs bytes with ECDSA over SHA-256, in DER. */
export const signed = ({ privateKey, uncompressed }: NodeKeys, bytes: Buffer): Buffer => {
  const key = { ...jwkOf(uncompressed), d: base64url(hex(privateKey)) }
  return sign("sha256", bytes, createPrivateKey({ key, format: "jwk" }))
}

/** The value of the signature header for a `payloadToSign`. */
export const stamp = (keys: NodeKeys, payload: string): string => {
  const signature = signed(keys, Buffer.from(payload)).toString("hex")
  const envelope = { publicKey: keys.compressed, scheme: "SIGNATURE_SCHEME_TK_API_P256", signature }
  return base64url(Buffer.from(JSON.stringify(envelope)))
}

interface SignedBundle {
  readonly data: string
  readonly dataSignature: string
  readonly enclaveQuorumPublic: string
}

/** Returns the data of a bundle that the service has signed. */
const dataOf = (bundle: string): Readonly<Record<string, string>> => {
  const { data, dataSignature, enclaveQuorumPublic }: SignedBundle = JSON.parse(bundle)
  const signer = createPublicKey({ key: jwkOf(enclaveQuorumPublic), format: "jwk" })
  if (!verify("sha256", hex(data), signer, hex(dataSignature))) throw new Error("the bundle is not signed")
  return JSON.parse(hex(data).toString())
}

/** The `encryptedOtpBundle`: a code and the public key that signs, sealed to the target of a challenge's bundle. */
export const sealedCode = (bundle: string, keys: NodeKeys, code = "000000", ephemeral?: NodeKeys): string => {
  const target = hex(dataOf(bundle)["targetPublic"] ?? "")
  return JSON.stringify(seal(target, JSON.stringify({ otp_code: code, public_key: keys.uncompressed }), ephemeral))
}

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
export const sha256 = (bytes: Buffer | string): Buffer => createHash("sha256").update(bytes).digest()

const base58Check = (text: string): Buffer => {
  let number = 0n
  for (const character of text) number = number * 58n + BigInt(alphabet.indexOf(character))
  const digits = number.toString(16)
  const bytes = hex(digits.padStart(digits.length + (digits.length % 2), "0"))
  const payload = bytes.subarray(0, -4)
  if (!sha256(sha256(payload)).subarray(0, 4).equals(bytes.subarray(-4))) throw new Error("the checksum is wrong")
  return payload
}

/** The key of a session, from the `encryptedSessionSigningKey` of a sign-in or a refresh. */
export const sessionKeys = (client: NodeKeys, encryptedSessionSigningKey: string): NodeKeys => {
  const payload = base58Check(encryptedSessionSigningKey)
  const encapsulated = ECDH.convertKey(payload.subarray(0, 33), curve, undefined, undefined, "uncompressed")
  const scalar = open(client, Buffer.from(encapsulated), payload.subarray(33))
  return keysOf(scalar.toString("hex"))
}

/** The words of a wallet, from its `encryptedWalletCredentials`. */
export const exportedWords = (client: NodeKeys, encryptedWalletCredentials: string): string => {
  const { ciphertext = "", encappedPublic = "" } = dataOf(encryptedWalletCredentials)
  return open(client, hex(encappedPublic), hex(ciphertext)).toString()
}
