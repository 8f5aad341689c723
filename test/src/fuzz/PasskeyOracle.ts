/**
 * What a passkey's bytes say, read by offsets and by a CBOR decoder of this folder, and its signatures by `node:crypto`.
 * Source: Web Authentication 6.1 (authenticator data) and 6.5 (attested credential data); RFC 9053 (keys of COSE).
 */
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"
import { type Item, integerOf, isShortest, memberOf, readItem, wholeItem } from "./CborItems.ts"

export interface ReadAuthenticator {
  readonly relyingPartyHash: string
  readonly userPresent: boolean
  readonly userVerified: boolean
  readonly signatureCount: number
  readonly credentialId?: Buffer
  readonly publicKey?: Buffer
}

const attested = 0x40
const extended = 0x80

/** Returns the credential that begins at 37, and where it ends; `undefined` if it is not well-formed. */
const credentialOf = (data: Buffer) => {
  if (data.length < 55) return undefined
  const begin = 55 + data.readUInt16BE(53)
  const key = readItem(data, begin)
  if (key === undefined || !isShortest(key.item)) return undefined
  return { credentialId: data.subarray(55, begin), publicKey: data.subarray(begin, key.end), end: key.end }
}

/** Returns what authenticator data says; `undefined` if it is not well-formed. */
export const readAuthenticator = (bytes: Uint8Array): ReadAuthenticator | undefined => {
  const data = Buffer.from(bytes)
  if (data.length < 37) return undefined
  const flags = data.readUInt8(32)
  const found = (flags & attested) === 0 ? { end: 37 } : credentialOf(data)
  if (found === undefined) return undefined
  const { end, ...credential } = found
  const extensions = (flags & extended) === 0 ? { end } : readItem(data, end)
  if (extensions?.end !== data.length) return undefined
  return {
    relyingPartyHash: data.toString("hex", 0, 32),
    userPresent: (flags & 0x01) !== 0,
    userVerified: (flags & 0x04) !== 0,
    signatureCount: data.readUInt32BE(33),
    ...credential,
  }
}

export interface ReadAttestation {
  readonly format: string
  readonly statement: Item
  readonly data: Uint8Array
  readonly authenticator: ReadAuthenticator
}

/** Returns what an attestation object says; `undefined` if it is not the shortest CBOR of its three members. */
export const readAttestation = (bytes: Uint8Array): ReadAttestation | undefined => {
  const object = wholeItem(bytes)
  const [format, statement, data] = ["fmt", "attStmt", "authData"].map((name) => memberOf(object, name))
  if (object === undefined || !isShortest(object) || object.items?.length !== 6) return undefined
  if (format?.major !== 3 || statement?.major !== 5 || data?.major !== 2 || data.bytes === undefined) return undefined
  const authenticator = readAuthenticator(data.bytes)
  return (
    authenticator && { format: Buffer.from(format.bytes ?? []).toString(), statement, data: data.bytes, authenticator }
  )
}

const base64url = (item: Item | undefined): string => Buffer.from(item?.bytes ?? []).toString("base64url")

type KeyReader = (key: Item) => Parameters<typeof createPublicKey>[0]

const algorithms = new Map<number | undefined, KeyReader>([
  [
    -7,
    (key: Item) => ({
      format: "jwk" as const,
      key: { kty: "EC", crv: "P-256", x: base64url(memberOf(key, -2)), y: base64url(memberOf(key, -3)) },
    }),
  ],
  [
    -8,
    (key: Item) => ({ format: "jwk" as const, key: { kty: "OKP", crv: "Ed25519", x: base64url(memberOf(key, -2)) } }),
  ],
  [
    -257,
    (key: Item) => ({
      format: "jwk" as const,
      key: { kty: "RSA", n: base64url(memberOf(key, -1)), e: base64url(memberOf(key, -2)) },
    }),
  ],
])

/** Returns the key of COSE with its algorithm. Throws if it is not a key. */
const keyOf = (cose: Uint8Array): readonly [KeyObject, number] => {
  const item = wholeItem(cose)
  const algorithm = integerOf(memberOf(item, 3))
  const options = item && algorithms.get(algorithm)?.(item)
  if (options === undefined || algorithm === undefined) throw new Error(`an unknown algorithm: ${algorithm}`)
  return [createPublicKey(options), algorithm]
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest()

/** Whether a key of COSE has signed authenticator data and client data. */
export const isSignedBy = (cose: Uint8Array, data: Uint8Array, client: Uint8Array, signature: Uint8Array): boolean => {
  const [key, algorithm] = keyOf(cose)
  const signed = Buffer.concat([data, sha256(client)])
  return verify(algorithm === -8 ? null : "sha256", signed, key, signature)
}

/** Whether the bytes are a key of COSE. */
export const isKey = (cose: Uint8Array): boolean => {
  try {
    return keyOf(cose).length > 0
  } catch {
    return false
  }
}
