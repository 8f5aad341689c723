/** The bounds of the primitives on Node's crypto, and the packing of saved worlds. Source: RFC 5869, RFC 9180; D-471. */
import { gzipSync } from "node:zlib"
import { WorldPacking } from "@countersign/core/ports"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as AesGcm from "../../../packages/adapter-http/src/crypto/AesGcm.ts"
import { concat, expand } from "../../../packages/adapter-http/src/crypto/Hkdf.ts"
import { schedule } from "../../../packages/adapter-http/src/crypto/HpkeSchedule.ts"
import * as NodePacking from "../../../packages/adapter-http/src/crypto/NodePacking.ts"

const bytes = (length: number, value = 7) => new Uint8Array(length).fill(value)

it("joins bytes in their order", () => {
  expect(concat()).toEqual(new Uint8Array())
  expect(concat(Uint8Array.of(1, 2), new Uint8Array(), Uint8Array.of(3))).toEqual(Uint8Array.of(1, 2, 3))
})

describe("AES-GCM", () => {
  const [key, nonce] = [bytes(32), bytes(12)]

  it("seals nothing to its tag alone, and opens no shorter text", () => {
    const sealed = AesGcm.seal(key, nonce, bytes(0), bytes(3))
    expect(sealed).toHaveLength(16)
    expect(AesGcm.open(key, nonce, sealed, bytes(3))).toEqual(bytes(0))
    expect(() => AesGcm.open(key, nonce, sealed.subarray(1), bytes(3))).toThrow(
      new RangeError("A ciphertext must have at least the 16 bytes of its tag."),
    )
  })

  it("opens a text with its key, nonce and additional data only", () => {
    const sealed = AesGcm.seal(key, nonce, bytes(5, 1), bytes(3))
    expect(AesGcm.open(key, nonce, sealed, bytes(3))).toEqual(bytes(5, 1))
    for (const [withKey, withNonce, aad] of [
      [bytes(32, 8), nonce, bytes(3)],
      [key, bytes(12, 8), bytes(3)],
      [key, nonce, bytes(4)],
    ] as const)
      expect(() => AesGcm.open(withKey, withNonce, sealed, aad)).toThrow()
  })
})

it("HKDF yields at most 255 blocks", () => {
  expect(expand(bytes(32), bytes(0), 8160)).toHaveLength(8160)
  expect(expand(bytes(32), bytes(0), 0)).toHaveLength(0)
  expect(() => expand(bytes(32), bytes(0), 8161)).toThrow(new RangeError("HKDF-SHA256 yields at most 8160 bytes."))
})

it("the nonce of a message is the first one with its number", () => {
  const { nonceAt } = schedule(bytes(32), { info: bytes(0) }, false)
  const first = nonceAt(0)
  const difference = (sequence: number) => [...nonceAt(sequence)].map((byte, at) => byte ^ (first[at] ?? 0)).slice(5)
  expect(first).toHaveLength(12)
  expect(nonceAt(0)).toEqual(first)
  expect(difference(1)).toEqual([0, 0, 0, 0, 0, 0, 1])
  expect(difference(255)).toEqual([0, 0, 0, 0, 0, 0, 255])
  expect(difference(256)).toEqual([0, 0, 0, 0, 0, 1, 0])
  expect(difference(0x01_02_03_04_05_06)).toEqual([0, 1, 2, 3, 4, 5, 6])
})

describe("the packing of a state", () => {
  const { pack, unpack } = Effect.runSync(
    Effect.map(Effect.provide(Effect.service(WorldPacking), NodePacking.layer), (found) => found ?? expect.fail()),
  )
  const unpacked = (text: string, bytesMax = 100) => Effect.runPromise(unpack(text, bytesMax))
  const packed = (state: Uint8Array) => gzipSync(state).toString("base64")

  it("is gzip in Base64, which unpacks to the same text", async () => {
    const text = await Effect.runPromise(pack("żółć €"))
    expect(Buffer.from(text, "base64").subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b))
    expect(Buffer.from(text, "base64").toString("base64")).toBe(text)
    expect(await unpacked(text)).toBe("żółć €")
  })

  it("does not unpack more bytes than are allowed, other bytes, or bytes that are not UTF-8", async () => {
    expect(await unpacked(packed(bytes(100, 0x61)))).toBe("a".repeat(100))
    for (const text of [packed(bytes(101, 0x61)), "AAAA", "", packed(Uint8Array.of(0xff))])
      expect(await unpacked(text)).toBeUndefined()
  })
})
