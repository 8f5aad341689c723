/**
 * The body of a webhook as it was received.
 * Source: wire contract 6.2 (the signature covers the bytes).
 */
import { WebhookRefused } from "./WebhookRefused.ts"

/** The received bytes, or their text. A parsed body is refused: written as JSON again, it can differ from what was signed. */
export type WebhookBody = Uint8Array | ArrayBuffer | string

/** The largest body that is verified, in bytes. The largest event, 1,000 errors of an import with all their problems, is smaller. */
export const webhookBytesMax = 16 * 1024 * 1024

const isBytes = (body: unknown): body is Uint8Array | ArrayBuffer =>
  // By its name, since the bytes of another realm are no instances of the own class.
  ArrayBuffer.isView(body) || Object.prototype.toString.call(body) === "[object ArrayBuffer]"

/** Returns the bytes of a body. Throws `WebhookRefused` for one that is parsed or too large. */
export const bytesOf = (body: WebhookBody): Uint8Array => {
  if (typeof body !== "string" && !isBytes(body)) throw new WebhookRefused("PARSED_BODY")
  if ((typeof body === "string" ? body.length : body.byteLength) > webhookBytesMax) {
    throw new WebhookRefused("BODY_TOO_LARGE")
  }
  if (typeof body === "string") return new TextEncoder().encode(body)
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : new Uint8Array(body)
}

/** Returns the JSON object of a text or of bytes in UTF-8; `undefined` for anything else. */
export const jsonOf = (body: Uint8Array | string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const text = typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body)
    return Object(JSON.parse(text))
  } catch {
    return undefined
  }
}
