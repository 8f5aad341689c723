/**
 * Texts in PostgreSQL's binary form of an array of one dimension: what a text holds needs no escaping, and the server copies it instead
 * of reading it character by character.
 * Source: PostgreSQL sources, array_recv (dimensions, nulls, type; length and first index of the dimension; each value with its length).
 */

const textType = 25
const headBytes = 20
const lengthBytes = 4
/** The length of a value that is null. */
const none = -1

const nothing = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, textType])

export const textArray = (values: ReadonlyArray<string | null>): Buffer => {
  if (values.length === 0) return nothing
  let size = headBytes
  let hasNull = 0
  for (const value of values) {
    size += lengthBytes + (value === null ? 0 : Buffer.byteLength(value))
    if (value === null) hasNull = 1
  }
  const bytes = Buffer.allocUnsafe(size)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(hasNull, 4)
  bytes.writeInt32BE(textType, 8)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = headBytes
  for (const value of values) {
    const written = value === null ? none : bytes.write(value, at + lengthBytes, "utf8")
    bytes.writeInt32BE(written, at)
    at += lengthBytes + Math.max(0, written)
  }
  return bytes
}
