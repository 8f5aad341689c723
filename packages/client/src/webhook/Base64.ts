/**
 * Reads base64 strictly: the alphabet of RFC 4648, padded, and nothing else.
 * Source: RFC 4648, 4.
 */

const encoded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=|[A-Za-z0-9+/]{2}))$/u

/** Returns the bytes, or `undefined` if the text is empty or is not base64. */
export const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  encoded.test(text) ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0)) : undefined
