/** The subset of CBOR (RFC 8949) that an authenticator writes: integers, texts, bytes, arrays and maps. */
export type Cbor = number | string | Uint8Array | ReadonlyArray<Cbor> | ReadonlyMap<number | string, Cbor>

/** Encodes a major type and its argument in the shortest form. */
const head = (major: number, value: number): Uint8Array => {
  const type = major << 5
  if (value < 24) return Uint8Array.of(type | value)
  if (value < 0x100) return Uint8Array.of(type | 24, value)
  return Uint8Array.of(type | 25, value >> 8, value & 0xff)
}

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => new Uint8Array(Buffer.concat(parts))

export const encode = (value: Cbor): Uint8Array => {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === "string") return joined([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return joined([head(2, value.length), value])
  if (value instanceof Map) return joined([head(5, value.size), ...[...value].flat().map(encode)])
  const list = [...(value as ReadonlyArray<Cbor>)]
  return joined([head(4, list.length), ...list.map(encode)])
}
