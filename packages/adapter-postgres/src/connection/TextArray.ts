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

export const textArray = (values: ReadonlyArray<string | null>): Buffer => {
  let size = headBytes
  let hasNull = 0
  for (const value of values) {
    // A UTF-16 unit takes three bytes at the most.
    size += lengthBytes + (value === null ? 0 : 3 * value.length)
    if (value === null) hasNull = 1
  }
  const bytes = Buffer.allocUnsafe(size)
  const isEmpty = values.length === 0
  bytes.writeInt32BE(isEmpty ? 0 : 1, 0)
  bytes.writeInt32BE(hasNull, 4)
  bytes.writeInt32BE(textType, 8)
  if (isEmpty) return bytes.subarray(0, 12)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = headBytes
  for (const value of values) {
    const written = value === null ? none : bytes.write(value, at + lengthBytes, "utf8")
    bytes.writeInt32BE(written, at)
    at += lengthBytes + Math.max(0, written)
  }
  return bytes.subarray(0, at)
}
