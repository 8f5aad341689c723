/**
 * What a browser and an authenticator hand over, read: client data, authenticator data, and the attestation that holds the key.
 * Source: wire contract 4.3, 4.5; Web Authentication, 5.8.1, 6.1 and 6.5.
 */
import { createHash } from "node:crypto"
import type { AuthenticatorState, ClientData } from "@countersign/core/ports"
import { isoCBOR, parseAuthenticatorData } from "@simplewebauthn/server/helpers"
import { bytesOf } from "./Base64UrlText.ts"
import { isProper } from "./CoseKey.ts"

/** Longer than any authenticator writes it; what is longer is not read. */
const textLengthMax = 32 * 1024

/** Nothing that a stranger wrote may throw. */
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

/** SHA-256 of a relying party's id, as an authenticator writes it. */
export const relyingPartyHashOf = (relyingPartyId: string): string =>
  createHash("sha256").update(relyingPartyId).digest("hex")

export interface Authenticator extends AuthenticatorState {
  /** Of a registration alone. */
  readonly credentialId?: Uint8Array
  /** COSE, of a registration alone. */
  readonly publicKey?: Uint8Array
}

export const authenticatorOf = (bytes: Uint8Array | undefined): Authenticator | undefined =>
  attempt(() => {
    if (bytes === undefined) return undefined
    const { counter, credentialID, credentialPublicKey, flags, rpIdHash } = parseAuthenticatorData(
      Uint8Array.from(bytes),
    )
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
 * The formats that are read, and what their statements hold: nothing, or a signature by the credential's own key. No chain of certificates
 * is evaluated, so none is taken.
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

/** The authenticator of an attestation whose statement may be true. */
export const attestedOf = (text: string): Authenticator | undefined =>
  attempt(() => {
    const bytes = bytesWithin(text)
    if (bytes === undefined) return undefined
    const object = isoCBOR.decodeFirst<Parameters<typeof isoCBOR.encode>[0]>(bytes)
    if (!(object instanceof Map) || object.size !== 3) return undefined
    // As authenticators write it, in the shortest form and with nothing behind it: the decoder reads more than that.
    if (hex(isoCBOR.encode(object)) !== hex(bytes)) return undefined
    const data = object.get("authData")
    const statement = object.get("attStmt")
    const isRead = statement instanceof Map && formats.get(object.get("fmt"))?.(statement) === true
    return isRead && data instanceof Uint8Array ? authenticatorOf(data) : undefined
  })
