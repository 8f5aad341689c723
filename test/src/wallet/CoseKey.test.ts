/** The keys that a passkey may have, and the form of their signatures: each bound and each part. */
import { generateKeyPairSync, sign } from "node:crypto"
import { describe, expect, it } from "vitest"
import { algorithmIds, algorithmOf, isAdmitted, isProper } from "../../../packages/adapter-http/src/wallet/CoseKey.ts"
import { type Cbor, encode } from "../../../packages/test/src/harness/Cbor.ts"

type Parameters = ReadonlyArray<readonly [label: number, value: Cbor]>

const bytes = (text: string | undefined) => new Uint8Array(Buffer.from(text ?? "", "base64url"))
const coseOf = (parameters: Parameters) => encode(new Map(parameters))

const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" })
const { x, y } = p256.publicKey.export({ format: "jwk" })
const ed25519 = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" })

const es256: Parameters = [
  [1, 2],
  [3, -7],
  [-1, 1],
  [-2, bytes(x)],
  [-3, bytes(y)],
]
const eddsa: Parameters = [
  [1, 1],
  [3, -8],
  [-1, 6],
  [-2, bytes(ed25519.x)],
]
/** A modulus of this many bits; a public key is read without its factors. */
const rs256 = (bits: number): Parameters => {
  const modulus = new Uint8Array(Math.ceil(bits / 8)).fill(0xff)
  modulus[0] = 0xff >> (modulus.length * 8 - bits)
  return [
    [1, 3],
    [3, -257],
    [-1, modulus],
    [-2, Uint8Array.of(1, 0, 1)],
  ]
}
const having = (key: Parameters, label: number, value: Cbor): Parameters =>
  key.map((each) => (each[0] === label ? [label, value] : each))
const lacking = (key: Parameters, label: number): Parameters => key.filter((each) => each[0] !== label)

describe("a public key", () => {
  it("may be of three algorithms, the smallest first", () => {
    expect(algorithmIds).toEqual([-7, -8, -257])
  })

  it.each([
    ["ES256", es256, -7],
    ["EdDSA", eddsa, -8],
    ["RS256 of 2048 bits", rs256(2048), -257],
    ["RS256 of 8192 bits", rs256(8192), -257],
    ["RS256 with an exponent of 3", having(rs256(2048), -2, Uint8Array.of(3)), -257],
  ] as const)("of %s is admitted, and names its algorithm", (_, key, algorithm) => {
    expect([isAdmitted(coseOf(key)), algorithmOf(coseOf(key))]).toEqual([true, algorithm])
  })

  it.each([
    ["RS256 of 2047 bits", rs256(2047)],
    ["RS256 of 8193 bits", rs256(8193)],
    ["RS256 without a modulus", lacking(rs256(2048), -1)],
    ["RS256 without an exponent", lacking(rs256(2048), -2)],
    ["RS256 with an exponent of 1", having(rs256(2048), -2, Uint8Array.of(1))],
    ["RS256 with an even exponent", having(rs256(2048), -2, Uint8Array.of(1, 0, 0))],
    ["another algorithm", having(es256, 3, -35)],
    ["the type of another algorithm", having(es256, 1, 3)],
    ["another curve", having(es256, -1, 2)],
    ["another curve of the same type", having(eddsa, -1, 7)],
    ["no curve", lacking(es256, -1)],
    ["no y", lacking(es256, -3)],
    ["an x that is a text", having(es256, -2, String(x))],
    ["a point that is not on its curve", having(es256, -3, bytes(x))],
  ])("with %s is not admitted", (_, key) => {
    expect(isAdmitted(coseOf(key))).toBe(false)
  })

  it("is an object of CBOR", () => {
    expect([isAdmitted(encode(1)), algorithmOf(encode(1))]).toEqual([false, undefined])
    expect(isAdmitted(Uint8Array.of(0xff))).toBe(false)
    expect(algorithmOf(encode(new Map()))).toBeUndefined()
  })
})

describe("a signature of ES256", () => {
  const der = (...integers: ReadonlyArray<ReadonlyArray<number>>) => {
    const content = integers.flatMap((integer) => [0x02, integer.length, ...integer])
    return Uint8Array.of(0x30, content.length, ...content)
  }
  const changed = (at: number, value: number) => der([1], [2]).with(at, value)

  it("of a library has its canonical form", () => {
    for (const text of ["a", "b", "c", "d"])
      expect(isProper(-7, sign("sha256", Buffer.from(text), p256.privateKey))).toBe(true)
  })

  it.each([
    ["two small integers", der([1], [0x7f])],
    ["integers whose first bit is that of a number", der([0, 0x80], [0, 0xff, 1])],
  ])("of %s has its canonical form", (_, signature) => {
    expect(isProper(-7, signature)).toBe(true)
  })

  it.each([
    ["nothing", new Uint8Array()],
    ["the first integer alone", der([1])],
    ["the tag of another structure", changed(0, 0x31)],
    ["a length above that of its content", changed(1, 7)],
    ["a length below that of its content", changed(1, 5)],
    ["another first tag", changed(2, 0x03)],
    ["another second tag", changed(5, 0x03)],
    ["a second length above that of its content", changed(6, 2)],
    ["a second length below that of its content", changed(6, 0)],
    ["bytes behind its end", Uint8Array.of(...der([1], [2]), 0)],
    ["a third integer", der([1], [2], [3])],
    ["a negative first integer", der([0x80], [1])],
    ["a negative second integer", der([1], [0xff])],
    ["a first integer with a needless zero", der([0, 0x7f], [1])],
    ["a second integer with a needless zero", der([1], [0, 1])],
    ["a first integer of 0", der([0], [1])],
    ["an empty first integer", der([], [1])],
    ["an empty second integer", der([1], [])],
  ])("of %s has not", (_, signature) => {
    expect(isProper(-7, signature)).toBe(false)
  })
})

it("knows one form of the signatures of other algorithms", () => {
  for (const algorithm of [-8, -257, undefined]) expect(isProper(algorithm, Uint8Array.of(1, 2, 3))).toBe(true)
})
