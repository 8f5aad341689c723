/**
 * HKDF-SHA256 on one-shot hashes: for short input two hashes cost less than a streaming HMAC object.
 * Source: RFC 5869, and RFC 9180, 4 (the labelled forms).
 */
import { hash } from "node:crypto"

const blockBytes = 64
const hashBytes = 32
const empty = new Uint8Array(0)

const sha256 = (data: Uint8Array): Uint8Array => hash("sha256", data, "buffer")

const concat = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Returns a block of the key combined with `byte`, followed by `room` zero bytes. */
const padded = (key: Uint8Array, byte: number, room: number): Uint8Array => {
  const block = new Uint8Array(blockBytes + room)
  block.fill(byte, 0, blockBytes)
  for (let at = 0; at < key.length; at++) block[at] = byte ^ (key[at] ?? 0)
  return block
}

const hmac = (rawKey: Uint8Array, data: Uint8Array): Uint8Array => {
  const key = rawKey.length > blockBytes ? sha256(rawKey) : rawKey
  const inner = padded(key, 0x36, data.length)
  inner.set(data, blockBytes)
  const outer = padded(key, 0x5c, hashBytes)
  outer.set(sha256(inner), blockBytes)
  return sha256(outer)
}

/** HKDF-Extract. HMAC pads an empty salt to a block of zeros, as RFC 5869 demands. */
export const extract = (salt: Uint8Array, ikm: Uint8Array): Uint8Array => hmac(salt, ikm)

export const expand = (prk: Uint8Array, info: Uint8Array, lengthBytes: number): Uint8Array => {
  if (lengthBytes > 255 * hashBytes) throw new RangeError("HKDF-SHA256 yields at most 8160 bytes.")
  const all = new Uint8Array(lengthBytes)
  let block: Uint8Array = empty
  for (let at = 0, counter = 1; at < lengthBytes; at += hashBytes, counter++) {
    block = hmac(prk, concat(block, info, Uint8Array.of(counter)))
    all.set(block.subarray(0, lengthBytes - at), at)
  }
  return all
}

const version = Buffer.from("HPKE-v1")

/** The labelled forms for a suite identifier: the KEM's or the full suite's. */
export const labelled = (suiteId: Uint8Array) => {
  const head = concat(version, suiteId)
  return {
    extract: (salt: Uint8Array, label: string, ikm: Uint8Array): Uint8Array =>
      extract(salt, concat(head, Buffer.from(label), ikm)),
    expand: (prk: Uint8Array, label: string, info: Uint8Array, lengthBytes: number): Uint8Array => {
      const length = Uint8Array.of(lengthBytes >> 8, lengthBytes & 0xff)
      return expand(prk, concat(length, head, Buffer.from(label), info), lengthBytes)
    },
  }
}

export { concat, empty }
