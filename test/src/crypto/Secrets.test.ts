/** Secrets: how they are generated, hashed and compared, as equal texts only, of whatever lengths. */
import { createHash, createHmac } from "node:crypto"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  agentToken,
  clientCredentials,
  deviceCode,
  digestLength,
  equal,
  hash,
  invitationCode,
  keyedHash,
} from "../../../packages/core/src/foundation/crypto/Secrets.ts"

it("finds equal texts equal, and no others", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(equal(a, a)).toBe(true)
      expect(equal(a, b)).toBe(a === b)
      expect(equal(a, `${a}${b}`)).toBe(b === "")
    }),
  )
})

it.each([
  ["", ""],
  ["abc", "abc"],
])("finds %j and %j equal", (a, b) => expect(equal(a, b)).toBe(true))

it.each([
  ["", "a"],
  ["a", ""],
  ["ab", "a"],
  ["aa", "a"],
  ["a", "aa"],
  ["abab", "ab"],
  ["abc", "abd"],
  ["xbc", "abc"],
  ["ab\u0000", "ab"],
])("finds %j and %j different", (a, b) => expect(equal(a, b)).toBe(false))

describe("a generated secret", () => {
  const drawn = <A>(secret: Effect.Effect<A, never, SecureRandom.SecureRandom>, first: number) =>
    Effect.runSync(Effect.provideService(secret, SecureRandom.SecureRandom, countingFrom(first)))
  /** Random bytes that count up, so that each place of a text shows its byte. */
  const countingFrom = (first: number) => {
    let next = first
    return SecureRandom.make((size) => Uint8Array.from({ length: size }, () => next++ & 0xff))
  }

  it("of an agent is `gat_` and 20 bytes in hex", () => {
    expect(drawn(agentToken, 0xf0)).toBe("gat_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff00010203")
  })

  it("of an API token is an id of 12 bytes and a secret of 24", () => {
    const { clientId, clientSecret } = drawn(clientCredentials, 0)
    expect([clientId, clientSecret]).toEqual([
      "client_000102030405060708090a0b",
      "secret_0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
    ])
  })

  it("of an invitation is 12 characters, each byte giving one of 32 by its remainder", () => {
    expect([drawn(invitationCode, 0), drawn(invitationCode, 20), drawn(invitationCode, 256 - 6)]).toEqual([
      "23456789ABCD",
      "NPQRSTUVWXYZ",
      "UVWXYZ234567",
    ])
  })

  it("of a device is `AGENT-` and two groups of four characters", () => {
    expect(drawn(deviceCode, 0)).toBe("AGENT-2345-6789")
  })
})

it("hashes a text with SHA-256, and with a key as HMAC, in hex", () => {
  expect(hash("żółć")).toBe(createHash("sha256").update("żółć").digest("hex"))
  expect(keyedHash(Buffer.from("key"), "żółć")).toBe(createHmac("sha256", "key").update("żółć").digest("hex"))
  expect(hash("")).toHaveLength(digestLength)
})
