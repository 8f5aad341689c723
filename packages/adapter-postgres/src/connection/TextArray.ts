/**
 * PostgreSQL's binary form of a one-dimensional text array. Texts need no escaping in it, and the server copies them instead of parsing
 * them character by character.
 * Source: PostgreSQL sources, array_recv (dimensions, nulls, type; length and first index of the dimension; each value with its length).
 */

const textType = 25
const headerBytes = 20
const lengthBytes = 4
/** The length of a null value. */
const nullLength = -1

const emptyArray = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, textType])

export const textArray = (values: ReadonlyArray<string | null>): Buffer => {
  if (values.length === 0) return emptyArray
  let size = headerBytes
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
  let offset = headerBytes
  for (const value of values) {
    const length = value === null ? nullLength : bytes.write(value, offset + lengthBytes, "utf8")
    bytes.writeInt32BE(length, offset)
    offset += lengthBytes + Math.max(0, length)
  }
  return bytes
}
