/** What is parsed of a browser and an authenticator: each form that is accepted, and each that is not. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { bytesOf, textOf, unpadded } from "../../../packages/adapter-http/src/wallet/Base64UrlText.ts"
import {
  attestedOf,
  authenticatorOf,
  bytesWithin,
  clientDataOf,
  relyingPartyHashOf,
} from "../../../packages/adapter-http/src/wallet/PasskeyParts.ts"
import { type Cbor, encode } from "../../../packages/test/src/harness/Cbor.ts"
import { passkeyDevice } from "../../../packages/test/src/harness/PasskeyDevice.ts"

const text = (value: unknown) => textOf(typeof value === "string" ? value : JSON.stringify(value))

describe("base64url", () => {
  it.each([
    ["", []],
    ["AQ", [1]],
    ["AQ==", [1]],
    ["AQI", [1, 2]],
    ["AQI=", [1, 2]],
    ["-_8", [0xfb, 0xff]],
  ])("%j is decoded", (encoded, bytes) => {
    expect(bytesOf(encoded)).toEqual(Uint8Array.from(bytes))
    expect(textOf(Uint8Array.from(bytes))).toBe(unpadded(encoded))
  })

  it.each(["A", "AR", "AQ===", "+/8", "A Q", "AQ\n", " AQ", "A=Q", "AQJ"])("%j is not", (encoded) => {
    expect(bytesOf(encoded)).toBeUndefined()
  })

  it("is of the UTF-8 of a text, and has no padding when it is removed", () => {
    expect(textOf("ż")).toBe("xbw")
    expect([unpadded("a=="), unpadded("a="), unpadded("a"), unpadded("=a")]).toEqual(["a", "a", "a", "=a"])
  })

  it("of an authenticator has at most 32,768 characters", () => {
    expect(bytesWithin("A".repeat(32_768))).toHaveLength(24_576)
    expect(bytesWithin("A".repeat(32_772))).toBeUndefined()
  })
})

describe("the data of a client", () => {
  const data = { type: "webauthn.get", challenge: "YQ", origin: "https://wallet.example" }

  it("is its type, challenge and origin", () => {
    expect(clientDataOf(text({ ...data, crossOrigin: false }))).toEqual(data)
    expect(clientDataOf(text({ ...data, type: "", challenge: "" }))).toEqual({ ...data, type: "", challenge: "" })
  })

  it.each<readonly [string, string]>([
    ["no base64url", "{}"],
    ["no JSON", text("{")],
    ["null", text("null")],
    ["a text", text('"text"')],
    ["no type", text({ ...data, type: undefined })],
    ["a type that is a number", text({ ...data, type: 1 })],
    ["no challenge", text({ ...data, challenge: undefined })],
    ["a challenge that is a number", text({ ...data, challenge: 1 })],
    ["no origin", text({ ...data, origin: undefined })],
    ["an origin that is a number", text({ ...data, origin: 1 })],
    ["an empty origin", text({ ...data, origin: "" })],
    ["bytes that are not UTF-8", textOf(Buffer.concat([Buffer.from('{"type":"'), Buffer.of(0xff), Buffer.from('"}')]))],
    ["more than 32,768 characters", text({ ...data, more: "x".repeat(25_000) })],
  ])("is not %s", (_, encoded) => {
    expect(clientDataOf(encoded)).toBeUndefined()
  })
})

describe("the data of an authenticator", () => {
  const head = (flags: number, counter = 7) => {
    const bytes = Buffer.alloc(37)
    createHash("sha256").update("wallet.example").digest().copy(bytes)
    bytes.writeUInt8(flags, 32)
    bytes.writeUInt32BE(counter, 33)
    return Uint8Array.from(bytes)
  }

  it.each([
    [0x00, false, false],
    [0x01, true, false],
    [0x04, false, true],
    [0x05, true, true],
  ])("with the flags %i says who was present and verified", (flags, userPresent, userVerified) => {
    expect(authenticatorOf(head(flags))).toEqual({
      relyingPartyHash: relyingPartyHashOf("wallet.example"),
      userPresent,
      userVerified,
      signatureCount: 7,
    })
  })

  it("has a counter of four bytes", () => {
    expect(authenticatorOf(head(1, 0xffff_ffff))?.signatureCount).toBe(4_294_967_295)
  })

  it("is whole, and nothing more", () => {
    const whole = head(1)
    for (const other of [undefined, new Uint8Array(), whole.subarray(1), Uint8Array.of(...whole, 0)])
      expect(authenticatorOf(other)).toBeUndefined()
    const extended = Uint8Array.of(...head(0x81), ...encode(new Map([["credProps", 1]])))
    expect(authenticatorOf(extended)?.userPresent).toBe(true)
    expect(authenticatorOf(extended.subarray(0, -1))).toBeUndefined()
  })

  it("names a relying party by the SHA-256 of its id", () => {
    expect(relyingPartyHashOf("wallet.example")).toBe(createHash("sha256").update("wallet.example").digest("hex"))
  })
})

describe("an attestation", () => {
  const device = passkeyDevice({ seed: "attestation" })
  const packed = passkeyDevice({ seed: "attestation", attestation: "packed" })
  const objectOf = (of: typeof device) => Buffer.from(of.register("YQ").attestationObject, "base64url")
  const authData = (() => {
    const object = objectOf(device)
    return Uint8Array.from(object.subarray(object.length - 37 - 18 - 32 - 77))
  })()
  const none: ReadonlyArray<readonly [string, Cbor]> = [
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ]
  const attested = (...members: ReadonlyArray<readonly [string, Cbor]>) => attestedOf(textOf(encode(new Map(members))))
  const signature = encode(1)

  it("has the key and the credential of its authenticator", () => {
    for (const of of [device, packed]) {
      const found = attestedOf(textOf(objectOf(of)))
      expect(textOf(found?.credentialId ?? "")).toBe(device.credentialId)
      expect(found?.publicKey).toHaveLength(77)
    }
    expect(attested(...none)?.publicKey).toHaveLength(77)
  })

  it.each<readonly [string, ReadonlyArray<readonly [string, Cbor]>]>([
    ["of another format", none.with(0, ["fmt", "fido-u2f"])],
    ["without a format", none.slice(1)],
    ["with a fourth member", [...none, ["more", 1]]],
    ["with a statement in the format without one", none.with(1, ["attStmt", new Map([["alg", -7]])])],
    ["with a statement that is a list", none.with(1, ["attStmt", []])],
    ["with data that are a text", none.with(2, ["authData", "text"])],
    ["with data that are cut off", none.with(2, ["authData", authData.subarray(0, -1)])],
    [
      "in the packed format without a signature",
      [["fmt", "packed"], ["attStmt", new Map([["alg", -7]])], ...none.slice(2)],
    ],
    [
      "in the packed format with a signature that is a text",
      [
        ["fmt", "packed"],
        [
          "attStmt",
          new Map<string, Cbor>([
            ["alg", -7],
            ["sig", "text"],
          ]),
        ],
        ...none.slice(2),
      ],
    ],
    [
      "in the packed format with a signature that has another form",
      [
        ["fmt", "packed"],
        [
          "attStmt",
          new Map<string, Cbor>([
            ["alg", -7],
            ["sig", signature],
          ]),
        ],
        ...none.slice(2),
      ],
    ],
    [
      "in the packed format with certificates",
      [
        ["fmt", "packed"],
        [
          "attStmt",
          new Map<string, Cbor>([
            ["alg", -257],
            ["sig", signature],
            ["x5c", []],
          ]),
        ],
        ...none.slice(2),
      ],
    ],
  ])("%s is not accepted", (_, members) => {
    expect(attested(...members)).toBeUndefined()
  })

  it("is one object in its shortest form", () => {
    const object = objectOf(device)
    const longer = Buffer.concat([Buffer.of(0xb8, 3), object.subarray(1)])
    for (const bytes of [Buffer.concat([object, Buffer.of(0)]), longer, Buffer.of(), Buffer.from(encode([1, 2, 3]))])
      expect(attestedOf(textOf(bytes))).toBeUndefined()
    expect(attestedOf("not base64url!")).toBeUndefined()
  })
})
