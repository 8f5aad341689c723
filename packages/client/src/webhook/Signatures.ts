/**
 * Checks signatures with Web Cryptography.
 * Source: wire contract 0.1 and 6.2 (ECDSA on P-256 with SHA-256, DER, SPKI PEM); https://www.standardwebhooks.com (HMAC); D-442.
 */
import { bytesOfBase64 } from "./Base64.ts"
import { WebhookRefused } from "./WebhookRefused.ts"

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const hmac = { name: "HMAC", hash: "SHA-256" }

/** Bytes of one of both numbers of a signature. */
const numberBytes = 32

/** Reads a positive DER integer at an offset as 32 bytes, with the offset after it. */
const integerAt = (der: Uint8Array, at: number): readonly [bytes: Uint8Array, end: number] | undefined => {
  const [tag, length = 0, first = 0, second = 0] = der.subarray(at)
  const end = at + 2 + length
  const isPadded = first === 0 && length > 1
  const digits = der.subarray(at + 2 + (isPadded ? 1 : 0), end)
  const isMinimal = length > 0 && first < 0x80 && (!isPadded || second >= 0x80)
  if (tag !== 2 || !isMinimal || end > der.length || digits.length > numberBytes) return undefined
  const bytes = new Uint8Array(numberBytes)
  bytes.set(digits, numberBytes - digits.length)
  return [bytes, end]
}

/** Returns both numbers of a DER signature, one after the other, as Web Cryptography takes them. */
export const rawSignature = (der: Uint8Array): Uint8Array<ArrayBuffer> | undefined => {
  const r = der[0] === 0x30 && der[1] === der.length - 2 ? integerAt(der, 2) : undefined
  const s = r === undefined ? undefined : integerAt(der, r[1])
  return r === undefined || s === undefined || s[1] !== der.length ? undefined : Uint8Array.of(...r[0], ...s[0])
}

const subtleCrypto = () => {
  const { subtle } = crypto
  if (subtle === undefined)
    throw new TypeError("Web Cryptography is missing: a browser has it for https and localhost.")
  return subtle
}

const label = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/u

const importedKey = async (pem: string) => {
  // Environment variables often carry line breaks as `\n`.
  const base64 = label.exec(pem.replaceAll("\\n", "\n"))?.[1]?.replace(/\s/gu, "")
  const spki = base64 === undefined ? undefined : bytesOfBase64(base64)
  const subtle = subtleCrypto()
  return subtle.importKey("spki", spki ?? new Uint8Array(), algorithm, false, ["verify"]).catch(() => {
    throw new WebhookRefused("INVALID_PUBLIC_KEY")
  })
}

/** Whether the key, an SPKI PEM, has signed the message. Throws `WebhookRefused` if it is not a key on P-256. */
export const isSignedBy = async (pem: string, message: Uint8Array, der: Uint8Array): Promise<boolean> => {
  const key = await importedKey(pem)
  const raw = rawSignature(der)
  return raw !== undefined && subtleCrypto().verify(algorithm, key, raw, message)
}

/** Whether a secret of Standard Webhooks has authenticated the message. Throws `WebhookRefused` if it is not a secret. */
export const isAuthenticatedBy = async (secret: string, message: Uint8Array, mac: Uint8Array): Promise<boolean> => {
  const bytes = secret.startsWith("whsec_") ? bytesOfBase64(secret.slice(6)) : undefined
  if (bytes === undefined) throw new WebhookRefused("INVALID_SECRET")
  const subtle = subtleCrypto()
  const key = await subtle.importKey("raw", bytes, hmac, false, ["verify"])
  return subtle.verify(hmac, key, mac, message)
}
