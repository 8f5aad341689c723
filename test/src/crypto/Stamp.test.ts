/** Signature header: parsing, malformed headers and failed verification. */
import { P256, Stamp } from "@countersign/core/crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { layers, node } from "./Layers.ts"

const scheme = "SIGNATURE_SCHEME_TK_API_P256"
const payload = '{"timestampMs":"1746736509954","type":"ACTIVITY_TYPE_EXPORT_WALLET"}'
const publicKey = `02${"ab".repeat(32)}`
const members = { publicKey, scheme, signature: "3006020101020101" }

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

const codeOf = (header: string) =>
  Effect.runSync(Effect.match(Stamp.parse(header), { onFailure: ({ code }) => code, onSuccess: () => "read" }))

describe("valid header", () => {
  // Two, one and no bytes of padding, and characters in which the two alphabets differ.
  const texts = ["", " ", "  ", "   ", "?>?>ÿÿ"].map((more) => JSON.stringify({ ...members, more }))

  it.each(texts)("parses both alphabets with and without padding: %s", (text) => {
    for (const header of [
      Buffer.from(text).toString("base64url"),
      Buffer.from(text).toString("base64"),
      Buffer.from(text).toString("base64").replaceAll("=", ""),
    ]) {
      expect(Effect.runSync(Stamp.parse(header))).toEqual({
        publicKey,
        signature: members.signature,
      })
    }
    expect(new Set(texts.map((one) => Buffer.from(one).toString("base64").match(/=*$/u)?.[0].length))).toEqual(
      new Set([0, 1, 2]),
    )
  })

  it("parses upper-case hex", () => {
    const upper = encoded({ ...members, publicKey: publicKey.toUpperCase(), signature: "AB" })
    expect(Effect.runSync(Stamp.parse(upper))).toEqual({ publicKey, signature: "AB" })
  })
})

// Proves: SIGN-24
describe("malformed header", () => {
  it.each<[string, string]>([
    ["nothing", ""],
    ["no base64", "{}"],
    ["spaces", ` ${encoded(members)}`],
    ["a line break", `${encoded(members)}\n`],
    ["padding inside", `${encoded(members).slice(0, 8)}==${encoded(members).slice(8)}`],
    ["too much padding", `${encoded(members)}===`],
    ["a length that no bytes have", "AAAAA"],
    ["no JSON", encoded("publicKey")],
    ["null", encoded("null")],
    ["a list", encoded([members])],
    ["a text", encoded('"text"')],
    ["no public key", encoded({ ...members, publicKey: undefined })],
    ["no scheme", encoded({ ...members, scheme: undefined })],
    ["no signature", encoded({ ...members, signature: undefined })],
    ["another scheme", encoded({ ...members, scheme: "SIGNATURE_SCHEME_TK_API_SECP256K1" })],
    ["a scheme in small letters", encoded({ ...members, scheme: scheme.toLowerCase() })],
    ["an uncompressed key", encoded({ ...members, publicKey: `04${"ab".repeat(64)}` })],
    ["a short key", encoded({ ...members, publicKey: publicKey.slice(0, -2) })],
    ["a key that is no hex", encoded({ ...members, publicKey: publicKey.replace(/b$/u, "g") })],
    ["a key that is a number", encoded({ ...members, publicKey: 2 })],
    ["an empty signature", encoded({ ...members, signature: "" })],
    ["half a byte", encoded({ ...members, signature: "300" })],
    ["a signature in base64", encoded({ ...members, signature: "MEUCIQ==" })],
    ["a signature that is a list", encoded({ ...members, signature: ["30"] })],
  ])("treats a header with %s as malformed", (_, header) => {
    expect(codeOf(header)).toBe("WALLET_SIGNATURE_MALFORMED")
  })
})

describe.each(layers)("on %s", (_, run) => {
  const stamped = Effect.gen(function* () {
    const key = yield* (yield* P256).generate
    return { key, header: yield* Stamp.make(key, payload) }
  })

  // Proves: SIGN-23, SIGN-24, SIGN-25
  it.effect("verifies a stamp and returns its public key", () =>
    run(
      Effect.gen(function* () {
        const { header, key } = yield* stamped
        expect(header).toMatch(/^[A-Za-z0-9_-]+$/u)
        expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({
          publicKey: key.publicKey.compressed,
          scheme,
          signature: expect.stringMatching(/^30[0-9a-f]+$/u),
        })
        expect(yield* Stamp.check(header, payload)).toEqual(key.publicKey)
      }),
    ),
  )

  // Proves: SIGN-22
  it.effect.each<[string, string]>([
    ["a space more", `${payload} `],
    ["a space less", payload.trimEnd().slice(0, -1)],
    ["other spelling of the same JSON", payload.replace(":", ": ")],
    ["nothing", ""],
  ])("refuses a stamp over another payload: %s", ([, other]) =>
    run(
      Effect.gen(function* () {
        const { header } = yield* stamped
        expect(yield* Effect.flip(Stamp.check(header, other))).toMatchObject({ code: "WALLET_SIGNATURE_INVALID" })
      }),
    ),
  )

  it.effect.each<[string, { readonly publicKey?: string; readonly signature?: string }]>([
    ["a signature that is not DER", { signature: "00".repeat(70) }],
    ["a signature that is too long", { signature: "30".repeat(5000) }],
    ["a key that is not on the curve", { publicKey: `02${"ff".repeat(32)}` }],
    ["another's key", { publicKey: "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" }],
  ])("refuses a stamp with %s", ([, change]) =>
    run(
      Effect.gen(function* () {
        const { header } = yield* stamped
        const changed = { ...JSON.parse(Buffer.from(header, "base64url").toString()), ...change }
        const error = yield* Effect.flip(Stamp.check(encoded(changed), payload))
        expect(error).toMatchObject({ _tag: "StampRefused", code: "WALLET_SIGNATURE_INVALID" })
      }),
    ),
  )
})

it.effect("a malformed stamp fails without revealing its content", () =>
  node(
    Effect.gen(function* () {
      const key = yield* (yield* P256).keyPair(Redacted.make("5ec7e7".padStart(64, "0")))
      const header = yield* Stamp.make(key, payload)
      for (const wrong of [`${header}?`, encoded({ ...members, note: "5ec7e7" })]) {
        const error = yield* Effect.flip(Stamp.check(wrong, payload))
        expect(`${error.message} ${JSON.stringify(error)} ${String(error)}`).not.toContain("5ec7e7")
      }
    }),
  ),
)
