/**
 * Reads the signatures of a webhook, its id and its time from the values of headers. Input of any shape gives a refusal.
 * Source: wire contract 6.2 (the specified header); https://www.standardwebhooks.com; D-331.
 */
import { bytesOfBase64 } from "./Base64.ts"
import { jsonOf } from "./WebhookBody.ts"
import { WebhookRefused } from "./WebhookRefused.ts"

/** Limits of what is read: a rotation needs two entries. */
const headerLengthMax = 8192
const entriesMax = 8

/** Returns the DER signature of the specified header. The JSON form is the default of the service, the plain form a choice of a deployment. */
export const specifiedSignature = (header = ""): Uint8Array => {
  const text = header.trim()
  const { s, v } = text.startsWith("{") ? (jsonOf(text) ?? {}) : { s: text, v: "1" }
  const bytes = v === "1" && typeof s === "string" ? bytesOfBase64(s) : undefined
  if (bytes === undefined) throw new WebhookRefused("INVALID_SIGNATURE_HEADER")
  return bytes
}

/** A named signature: by the id of its key, or by the version of its scheme. */
export interface NamedSignature {
  readonly name: string
  readonly signature: Uint8Array
}

/** Returns the entries `name,base64` of a header, which spaces separate, and between the values of a repeated header commas, too. */
export const namedSignatures = (header = ""): ReadonlyArray<NamedSignature> => {
  const entries = header.length > headerLengthMax ? [] : header.split(/,? +/u).filter((entry) => entry !== "")
  const found = entries.slice(0, entriesMax).flatMap((entry) => {
    const comma = entry.indexOf(",")
    const signature = bytesOfBase64(entry.slice(comma + 1))
    return comma < 1 || signature === undefined ? [] : [{ name: entry.slice(0, comma), signature }]
  })
  if (found.length === 0) throw new WebhookRefused("INVALID_SIGNATURE_HEADER")
  return found
}

/** What the signatures of an attempt cover beside the body. */
export interface Attempt {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
}

/** Returns the id and the time of an attempt. A repeated header has no single value, and is refused. */
export const attemptOf = (id = "", timestamp = ""): Attempt => {
  if (!/^[\x21-\x7e]{1,255}$/u.test(id) || !/^[1-9]\d{0,11}$/u.test(timestamp)) {
    throw new WebhookRefused("INVALID_TIMESTAMP")
  }
  return { id, timestamp: Number(timestamp) }
}

/** Returns the signed bytes of an attempt: `id.timestamp.body`. */
export const attemptBytes = ({ id, timestamp }: Attempt, body: Uint8Array): Uint8Array => {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}
