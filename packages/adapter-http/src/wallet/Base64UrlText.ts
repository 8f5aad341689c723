/**
 * Bytes as base64url text. Padding is accepted; a text that is not the canonical one of its bytes is not.
 * Source: wire contract 4.2, 4.3, 4.5.
 */
const pattern = /^[A-Za-z0-9_-]*={0,2}$/u

/** Removes the padding. */
export const unpadded = (text: string): string => text.replace(/={1,2}$/u, "")

/** Decodes a text; `undefined` if it is not canonical base64url. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!pattern.test(text)) return undefined
  const bytes = Buffer.from(text, "base64url")
  return bytes.toString("base64url") === unpadded(text) ? Uint8Array.from(bytes) : undefined
}

export const textOf = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url")
