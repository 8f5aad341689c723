/** Bytes and texts that differ from what was made, as mistakes and attackers make them. */
import * as fc from "fast-check"

const at = (length: number) => fc.nat({ max: Math.max(0, length - 1) })

/** Always different from the bytes. */
export const mutatedBytes = (bytes: Uint8Array): fc.Arbitrary<Uint8Array> => {
  const flipped = fc.tuple(at(bytes.length), fc.integer({ min: 1, max: 255 })).map(([index, mask]) => {
    const copy = Uint8Array.from(bytes)
    copy[index] = (copy[index] ?? 0) ^ mask
    return copy
  })
  const cut = at(bytes.length).map((length) => bytes.slice(0, length))
  const longer = fc.uint8Array({ minLength: 1, maxLength: 8 }).map((more) => Uint8Array.of(...bytes, ...more))
  const shifted = fc.uint8Array({ minLength: 1, maxLength: 2 }).map((more) => Uint8Array.of(...more, ...bytes))
  const removed = at(bytes.length).map((index) => Uint8Array.of(...bytes.slice(0, index), ...bytes.slice(index + 1)))
  const differs = (other: Uint8Array) => Buffer.compare(other, bytes) !== 0
  return fc.oneof({ arbitrary: flipped, weight: 4 }, cut, longer, shifted, removed).filter(differs)
}

const latin = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code))

/** Always different from the text, and mostly of its own characters. */
export const mutatedText = (text: string): fc.Arbitrary<string> => {
  const index = at(text.length)
  const own = index.map((from) => text.charAt(from))
  const char = fc.oneof({ arbitrary: own, weight: 3 }, latin, fc.constantFrom("\u0000", "ż", "\ud800", "=", "\n"))
  const replaced = fc.tuple(index, char).map(([from, one]) => text.slice(0, from) + one + text.slice(from + 1))
  const inserted = fc.tuple(index, char).map(([from, one]) => text.slice(0, from) + one + text.slice(from))
  const removed = fc
    .tuple(index, fc.integer({ min: 1, max: 9 }))
    .map(([from, count]) => text.slice(0, from) + text.slice(from + count))
  const cut = index.map((length) => text.slice(0, length))
  const doubled = fc.tuple(index, index).map(([from, to]) => text + text.slice(Math.min(from, to), Math.max(from, to)))
  return fc.oneof({ arbitrary: replaced, weight: 4 }, inserted, removed, cut, doubled).filter((other) => other !== text)
}
