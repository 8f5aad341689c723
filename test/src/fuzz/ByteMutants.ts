/** Mutations of bytes, which an input has as characters below 256. */
import { type Draw, mutantBytes } from "../crypto/Mutants.ts"
import type { Mutator } from "./Target.ts"

/** Bytes at the borders of lengths, types and signs. */
const borders = [0x00, 0x01, 0x17, 0x18, 0x1f, 0x20, 0x30, 0x40, 0x7f, 0x80, 0xff]

/** Returns the bytes of a text; in UTF-8 if it has a character that is not a byte. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(text, /^[\0-\xff]*$/u.test(text) ? "latin1" : "utf8"))

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

/** Adds a small number to an unsigned integer of one, two or four bytes, most significant first. */
const moved = (draw: Draw, bytes: Uint8Array): Uint8Array => {
  const copy = Buffer.from(bytes)
  const size = Math.min([1, 2, 4][draw(3)] ?? 1, copy.length)
  const at = draw(copy.length - size + 1)
  const limit = 256 ** size
  copy.writeUIntBE((copy.readUIntBE(at, size) + limit + draw(9) - 4) % limit, at, size)
  return copy
}

/** Repeats a region at another place. */
const repeated = (draw: Draw, bytes: Uint8Array): Uint8Array => {
  const from = draw(bytes.length)
  const region = bytes.subarray(from, from + 1 + draw(32))
  const at = draw(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), region, bytes.subarray(at)])
}

const withBorder = (draw: Draw, bytes: Uint8Array): Uint8Array =>
  bytes.with(draw(bytes.length), borders[draw(borders.length)] ?? 0)

export const mutantOfBytes = (draw: Draw, bytes: Uint8Array): Uint8Array => {
  if (bytes.length === 0) return Uint8Array.of(draw(256))
  const kind = draw(6)
  if (kind === 0) return moved(draw, bytes)
  if (kind === 1) return repeated(draw, bytes)
  if (kind === 2) return withBorder(draw, bytes)
  return mutantBytes(draw, bytes)
}

export const byteMutator: Mutator = (draw, input) => textOf(mutantOfBytes(draw, bytesOf(input)))
