/**
 * What the sealed and signed texts of wallets say, by `node:crypto` and the wallet of `test/src/flows`.
 * Source: wire contract 4.9.
 */
import { createPublicKey, ECDH, verify } from "node:crypto"
import { Base58Check } from "@countersign/core/crypto"
import { hex, type NodeKeys, open } from "../flows/NodeHpke.ts"
import { sessionKeys } from "../flows/NodeWallet.ts"

type Members = Readonly<Record<string, unknown>>

/** Returns `undefined` for what cannot be read. */
const attempt = <Value>(read: () => Value | undefined): Value | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const membersOf = (text: string): Members | undefined =>
  attempt(() => {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
  })

const isHex = (value: unknown): value is string => typeof value === "string" && /^(?:[0-9a-f]{2})+$/iu.test(value)

/** Returns the uncompressed point of a public key in lower-case hex. */
const pointOf = (value: unknown): string | undefined =>
  attempt(() =>
    isHex(value) && /^(?:0[23].{64}|04.{128})$/u.test(value)
      ? String(ECDH.convertKey(value.toLowerCase(), "prime256v1", "hex", "hex", "uncompressed"))
      : undefined,
  )

/** Whether the key has signed the message, in DER. */
const isSignedBy = (publicKey: unknown, message: Uint8Array, signature: unknown): boolean => {
  const point = pointOf(publicKey)
  if (point === undefined || !isHex(signature)) return false
  const [x, y] = [point.slice(2, 66), point.slice(66)].map((half) => hex(half).toString("base64url"))
  const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" } })
  return verify("sha256", message, key, hex(signature))
}

const utf8 = new TextDecoder()

/** Returns the plain text of a sealed message. */
const openedBy = (keys: NodeKeys, { ciphertext, encappedPublic }: Members): Buffer | undefined =>
  attempt(() =>
    isHex(ciphertext) && isHex(encappedPublic) && /^04.{128}$/u.test(encappedPublic) && ciphertext.length >= 32
      ? open(keys, hex(encappedPublic), hex(ciphertext))
      : undefined,
  )

/** A compressed point, a key of 32 bytes and a tag. */
const sessionBytes = 33 + 32 + 16

/** Returns the private key of a session bundle. */
export const sessionKeyOf = (client: NodeKeys, bundle: string): string | undefined =>
  Base58Check.decode(bundle.trim())?.length === sessionBytes
    ? attempt(() => sessionKeys(client, bundle.trim()).privateKey)
    : undefined

/** Returns the code of an OTP bundle and the point of its key. */
export const otpAnswerOf = (target: NodeKeys, bundle: string): readonly [string, string] | undefined => {
  const plain = openedBy(target, membersOf(bundle.trim()) ?? {})
  const { otp_code, public_key } = (plain && membersOf(utf8.decode(plain))) ?? {}
  const point = pointOf(public_key)
  return typeof otp_code === "string" && point !== undefined ? [otp_code, point] : undefined
}

/** Returns the members of a bundle that the signer has signed for an organization. */
const signedMembersOf = (signer: NodeKeys, organizationId: string, bundle: string): Members | undefined => {
  const { data, dataSignature, enclaveQuorumPublic, version } = membersOf(bundle) ?? {}
  if (version !== "v1.0.0" || !isHex(data) || pointOf(enclaveQuorumPublic) !== signer.uncompressed) return undefined
  if (!isSignedBy(enclaveQuorumPublic, hex(data), dataSignature)) return undefined
  const members = membersOf(utf8.decode(hex(data)))
  return members?.["organizationId"] === organizationId ? members : undefined
}

/** Returns the point of the key to which a code is sealed. */
export const otpTargetOf = (signer: NodeKeys, organizationId: string, bundle: string): string | undefined =>
  pointOf(signedMembersOf(signer, organizationId, bundle)?.["targetPublic"])

/** Returns the words of an export bundle. */
export const wordsOf = (
  signer: NodeKeys,
  client: NodeKeys,
  organizationId: string,
  bundle: string,
): string | undefined => {
  const plain = openedBy(client, signedMembersOf(signer, organizationId, bundle) ?? {})
  return plain && utf8.decode(plain)
}

/** Returns the compressed key of a signature header that signs the payload; `undefined` for one that is not valid. */
export const stamperOf = (header: string, payload: string): string | undefined => {
  if (!/^[\w+/-]+={0,2}$/u.test(header)) return undefined
  const { publicKey, scheme, signature } = membersOf(Buffer.from(header, "base64").toString("latin1")) ?? {}
  const isStamp = typeof publicKey === "string" && publicKey.length === 66 && scheme === "SIGNATURE_SCHEME_TK_API_P256"
  return isStamp && isSignedBy(publicKey, Buffer.from(payload), signature) ? publicKey.toLowerCase() : undefined
}
