/**
 * Bytes as the wire writes them: base64url. Padding is tolerated; a text that is not the one text of its bytes is not.
 * Source: wire contract 4.2, 4.3, 4.5.
 */
const pattern = /^[A-Za-z0-9_-]*={0,2}$/u

/** The text without its padding. */
export const unpadded = (text: string): string => text.replace(/={1,2}$/u, "")

/** The bytes of a text; undefined where it is none. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!pattern.test(text)) return undefined
  const bytes = Buffer.from(text, "base64url")
  return bytes.toString("base64url") === unpadded(text) ? Uint8Array.from(bytes) : undefined
}

export const textOf = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url")
