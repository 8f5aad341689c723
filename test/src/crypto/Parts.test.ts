/** What both layers share: texts and bytes from outside, bounds, and the messages of failures. */
import { createHash, createHmac } from "node:crypto"
import {
  BundleRefused,
  bundleRefusals,
  checkExport,
  InvalidPrivateKey,
  InvalidPublicKey,
  isEncapsulated,
  Mac,
  NotOpened,
  privateHex,
  pskOf,
  redactedScalar,
  SignedBundle,
  Stamp,
  scalarBytes,
} from "@countersign/core/crypto"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import * as ByteDigest from "../../../packages/core/src/foundation/crypto/ByteDigest.ts"
import { isHexText } from "../../../packages/core/src/foundation/crypto/HexText.ts"
import { membersOf } from "../../../packages/core/src/foundation/crypto/JsonObject.ts"
import { textOf } from "../../../packages/core/src/foundation/crypto/Utf8.ts"
import { node } from "./Layers.ts"

const refusalOf = <A>(effect: Effect.Effect<A, BundleRefused | Stamp.StampRefused, never>) =>
  Effect.runSync(Effect.map(Effect.flip(effect), ({ message }) => message))

describe("a failure says what is wrong and nothing more", () => {
  it.each([
    [new NotOpened(), "Could not be opened."],
    [InvalidPublicKey.notHex(), "A public key is 66 hex digits beginning with 02 or 03, or 130 beginning with 04."],
    [InvalidPublicKey.notOnCurve(), "The public key is not a point of P-256."],
    [
      InvalidPrivateKey.make(),
      "A private key of P-256 is 32 bytes, or 64 hex digits, from 1 to the order of the curve.",
    ],
  ])("%s", (failure, message) => {
    expect(failure.message).toBe(message)
  })

  it.each([
    ["MALFORMED", "The bundle cannot be read."],
    ["UNTRUSTED_SIGNER", "The bundle names another signing key than the expected one."],
    ["INVALID_SIGNATURE", "The bundle is not signed by the key that it names."],
    ["ORGANIZATION_MISMATCH", "The bundle belongs to another organization."],
    ["NOT_OPENED", "The bundle could not be opened."],
  ] as const)("of a bundle: %s", (reason, message) => {
    expect(new BundleRefused({ reason }).message).toBe(message)
    expect(Object.keys(bundleRefusals)).toContain(reason)
  })

  it("of a bundle that is no JSON, and of a signature header that is malformed or does not verify", () => {
    expect(refusalOf(node(SignedBundle.verify("", {})))).toBe("The bundle cannot be read.")
    expect(refusalOf(Stamp.parse(""))).toBe(
      "The wallet signature is not base64url JSON with publicKey, scheme and signature.",
    )
    const stamp = { publicKey: `02${"ab".repeat(32)}`, signature: "3006020101020101" }
    expect(refusalOf(node(Stamp.verify(stamp, "{}")))).toBe("The wallet signature does not verify.")
  })
})

describe("a pre-shared key", () => {
  const psk = (keyBytes: number, idBytes: number) => ({
    info: new Uint8Array(),
    psk: { id: new Uint8Array(idBytes), key: Redacted.make(new Uint8Array(keyBytes)) },
  })

  it("has at least 32 bytes and an identifier", () => {
    expect(pskOf(psk(32, 1))).toEqual({ id: new Uint8Array(1), key: new Uint8Array(32) })
    expect(() => pskOf(psk(31, 1))).toThrow(new RangeError("A pre-shared key has at least 32 bytes."))
    expect(() => pskOf(psk(32, 0))).toThrow(new RangeError("A pre-shared key has an identifier."))
  })

  it("may be absent", () => {
    expect(pskOf({ info: new Uint8Array() })).toBeUndefined()
  })
})

it("exports at most 255 bytes of a secret", () => {
  expect(() => checkExport(255)).not.toThrow()
  expect(() => checkExport(256)).toThrow(new RangeError("An exported secret has at most 255 bytes."))
})

it("takes 65 bytes that begin with 4 as an encapsulated key", () => {
  const point = (length: number, first: number) => new Uint8Array(length).fill(first, 0, 1)
  expect(isEncapsulated(point(65, 4))).toBe(true)
  for (const other of [point(64, 4), point(66, 4), point(65, 2), point(0, 4)]) expect(isEncapsulated(other)).toBe(false)
})

describe("a private key", () => {
  const digits = "0123456789abcdefABCDEF".padEnd(64, "7")
  const scalar = Buffer.from(digits, "hex")

  it("is 32 bytes or 64 hex digits", () => {
    expect(scalarBytes(Redacted.make(digits))).toEqual(new Uint8Array(scalar))
    expect(scalarBytes(Redacted.make(new Uint8Array(scalar)))).toEqual(new Uint8Array(scalar))
    for (const text of [digits.slice(1), `${digits}7`, digits.replace("7", "g"), ` ${digits}`, `${digits}\n`, ""])
      expect(scalarBytes(Redacted.make(text))).toBeUndefined()
    for (const length of [0, 31, 33]) expect(scalarBytes(Redacted.make(new Uint8Array(length)))).toBeUndefined()
  })

  it("is shown by its name, as bytes and as hex", () => {
    const privateKey = redactedScalar(new Uint8Array(scalar))
    const publicKey = { compressed: "", uncompressed: "" }
    const hex = privateHex({ privateKey, publicKey })
    expect([String(privateKey), String(hex)]).toEqual(Array(2).fill("<redacted:P-256 private key>"))
    expect(Redacted.value(hex)).toBe(digits.toLowerCase())
  })
})

describe("a text from outside", () => {
  it.each(["00", "aF09", "ABCDEF"])("is hex: %s", (text) => {
    expect(isHexText(text)).toBe(true)
  })

  it.each(["", "0", "000", "0g", " 00", "00\n", "0x00", 10, null, undefined, ["00"]])("is not hex: %j", (value) => {
    expect(isHexText(value)).toBe(false)
  })

  it("is a JSON object with its members", () => {
    expect(membersOf('{"a":1,"b":[null]}')).toEqual({ a: 1, b: [null] })
  })

  it.each(["", "{", "null", "[]", "[{}]", "1", '"a"', "true", "undefined"])("is no JSON object: %s", (text) => {
    expect(membersOf(text)).toBeUndefined()
  })

  it("has the replacement character in the place of bytes that are not UTF-8", () => {
    expect(textOf(Buffer.from("żółć €"))).toBe("żółć €")
    expect(textOf(Uint8Array.of(0x61, 0xff, 0x62))).toBe("a\ufffdb")
    expect(textOf(new Uint8Array())).toBe("")
  })
})

describe("a message authentication code", () => {
  const key = Buffer.from("key")
  const message = Buffer.from("message")
  const mac = createHmac("sha256", key).update(message).digest()

  it("authenticates its message under its key", () => {
    expect(Mac.isAuthentic(key, message, mac)).toBe(true)
    expect(Mac.isAuthentic(Buffer.from("kez"), message, mac)).toBe(false)
    expect(Mac.isAuthentic(key, Buffer.from("messagf"), mac)).toBe(false)
  })

  it("has 32 bytes, of which each counts", () => {
    for (let at = 0; at < mac.length; at++)
      expect(Mac.isAuthentic(key, message, mac.with(at, (mac[at] ?? 0) ^ 1))).toBe(false)
    for (const other of [mac.subarray(1), mac.subarray(0, -1), Buffer.concat([mac, Buffer.of(0)]), Buffer.of()])
      expect(Mac.isAuthentic(key, message, other)).toBe(false)
  })
})

it("digests bytes that arrive in pieces like the whole", () => {
  const digest = ByteDigest.make()
  expect(ByteDigest.make().hex()).toBe(createHash("sha256").digest("hex"))
  for (const piece of ["one ", "", "two"]) digest.add(Buffer.from(piece))
  expect(digest.hex()).toBe(createHash("sha256").update("one two").digest("hex"))
})
