/**
 * Parses what a browser and an authenticator send: client data, authenticator data, and the attestation with the key.
 * Source: wire contract 4.3, 4.5; Web Authentication, 5.8.1, 6.1 and 6.5.
 */
import { createHash } from "node:crypto"
import type { AuthenticatorState, ClientData } from "@countersign/core/ports"
import { isoCBOR, parseAuthenticatorData } from "@simplewebauthn/server/helpers"
import { bytesOf } from "./Base64UrlText.ts"
import { isProper } from "./CoseKey.ts"

/** Length limit of each text, above what authenticators send. Longer texts are not parsed. */
const textLengthMax = 32 * 1024

/** Returns `undefined` instead of throwing on malformed input. */
const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

export const bytesWithin = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  text.length > textLengthMax ? undefined : bytesOf(text)

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

export const clientDataOf = (text: string): ClientData | undefined =>
  attempt(() => {
    const value: unknown = JSON.parse(strictUtf8.decode(bytesWithin(text)))
    if (typeof value !== "object" || value === null) return undefined
    const { challenge, origin, type }: { challenge?: unknown; origin?: unknown; type?: unknown } = value
    return typeof type === "string" && typeof challenge === "string" && typeof origin === "string" && origin !== ""
      ? { type, challenge, origin }
      : undefined
  })

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

/** SHA-256 of a relying party's id, in hex. */
export const relyingPartyHashOf = (relyingPartyId: string): string =>
  createHash("sha256").update(relyingPartyId).digest("hex")

export interface Authenticator extends AuthenticatorState {
  /** Present in registrations only. */
  readonly credentialId?: Uint8Array
  /** COSE key; present in registrations only. */
  readonly publicKey?: Uint8Array
}

/** Bytes before the credential id: the data of every authenticator, and those with the model and the length of the id. */
const headBytes = 37
const attestedHeadBytes = headBytes + 18

type ParsedData = ReturnType<typeof parseAuthenticatorData>

/**
 * Whether the data ends with the key and the extensions as they were decoded. The decoder also accepts a text or bytes that are cut off,
 * and would return another key than was sent.
 */
const isWhole = (
  bytes: Uint8Array,
  { credentialID, credentialPublicKey, extensionsDataBuffer }: ParsedData,
): boolean => {
  const begin = credentialID === undefined ? headBytes : attestedHeadBytes + credentialID.length
  const decoded = [credentialPublicKey, extensionsDataBuffer].flatMap((part) => (part === undefined ? [] : [part]))
  return Buffer.concat(decoded).equals(bytes.subarray(begin))
}

export const authenticatorOf = (bytes: Uint8Array | undefined): Authenticator | undefined =>
  attempt(() => {
    if (bytes === undefined) return undefined
    const parsed = parseAuthenticatorData(Uint8Array.from(bytes))
    if (!isWhole(bytes, parsed)) return undefined
    const { counter, credentialID, credentialPublicKey, flags, rpIdHash } = parsed
    return {
      relyingPartyHash: hex(rpIdHash),
      userPresent: flags.up,
      userVerified: flags.uv,
      signatureCount: counter,
      ...(credentialID === undefined ? {} : { credentialId: credentialID }),
      ...(credentialPublicKey === undefined ? {} : { publicKey: credentialPublicKey }),
    }
  })

/**
 * The accepted attestation formats: an empty statement, or a signature by the credential's own key. Certificate chains are not evaluated,
 * so statements with one are refused.
 */
const formats: ReadonlyMap<unknown, (statement: ReadonlyMap<unknown, unknown>) => boolean> = new Map([
  ["none", (statement) => statement.size === 0],
  [
    "packed",
    (statement) => {
      const signature = statement.get("sig")
      return statement.size === 2 && signature instanceof Uint8Array && isProper(statement.get("alg"), signature)
    },
  ],
])

/** Returns the authenticator of an attestation in an accepted format; its statement is not verified yet. */
export const attestedOf = (text: string): Authenticator | undefined =>
  attempt(() => {
    const bytes = bytesWithin(text)
    if (bytes === undefined) return undefined
    const object = isoCBOR.decodeFirst<Parameters<typeof isoCBOR.encode>[0]>(bytes)
    if (!(object instanceof Map) || object.size !== 3) return undefined
    // The decoder also accepts longer forms and trailing bytes. Authenticators send the shortest form.
    if (hex(isoCBOR.encode(object)) !== hex(bytes)) return undefined
    const data = object.get("authData")
    const statement = object.get("attStmt")
    const isAccepted = statement instanceof Map && formats.get(object.get("fmt"))?.(statement) === true
    return isAccepted && data instanceof Uint8Array ? authenticatorOf(data) : undefined
  })
