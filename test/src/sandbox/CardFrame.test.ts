/** The URL of the page that shows a sandbox card: opened as it was made, until it expires. Source: wire contract 3.4. */
import { generateKeyPairSync, sign } from "node:crypto"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { frameMillis, framePath, frameUrl, openFrame } from "../../../packages/core/src/sandbox/CardFrame.ts"

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  return { privateKey, pem: publicKey.export({ type: "spki", format: "pem" }).toString() }
}
const { pem, privateKey } = pair()
const frame = { cardId: "Card:1 a&b", expMonth: 11, expYear: 2029, expiresAt: 1_800_000_000_000 }

const urlOf = () =>
  Effect.runSync(
    frameUrl("https://pay.example", frame, (text) =>
      Effect.succeed(sign("sha256", Buffer.from(text), privateKey).toString("base64")),
    ),
  )
const queryOf = (url: string) => new Map(new URL(url).searchParams)
const opened = (query: ReadonlyMap<string, string>, now = frame.expiresAt - 1, key = pem) => openFrame(key, query, now)
const altered = { _tag: "Altered" }

describe("the URL of a card", () => {
  it("contains what its page shows, and a signature that a URL can have", () => {
    const url = urlOf()
    expect(url.startsWith(`https://pay.example${framePath}?card=Card%3A1%20a%26b&month=11&year=2029&`)).toBe(true)
    expect(Object.fromEntries(queryOf(url))).toEqual({
      card: frame.cardId,
      month: "11",
      year: "2029",
      expires: String(frame.expiresAt),
      signature: expect.stringMatching(/^[\w-]+$/u),
    })
    expect(frameMillis).toBe(300_000)
  })

  it("opens until it expires", () => {
    // Signatures differ in length and characters each time.
    for (let count = 0; count < 20; count++) expect(opened(queryOf(urlOf()))).toEqual({ _tag: "Frame", frame })
    expect(opened(queryOf(urlOf()), frame.expiresAt)).toEqual({ _tag: "Expired" })
  })

  it.each([
    ["card", "Card:2"],
    ["month", "12"],
    ["year", "2030"],
    ["expires", String(frame.expiresAt + 1)],
    ["signature", "AAAA"],
    ["signature", "!"],
    ["signature", ""],
  ])("does not open with another %s: %s", (name, value) => {
    expect(opened(new Map([...queryOf(urlOf()), [name, value]]))).toEqual(altered)
  })

  it.each(["card", "month", "year", "expires", "signature"])("does not open without its %s", (name) => {
    const query = queryOf(urlOf())
    query.delete(name)
    expect(opened(query)).toEqual(altered)
  })

  it("does not open with another key, or with a text that is no key", () => {
    for (const key of [pair().pem, "no key", ""]) expect(opened(queryOf(urlOf()), undefined, key)).toEqual(altered)
  })

  it("does not open with any bytes as a signature or in the place of a key, and answers each", () => {
    const query = queryOf(urlOf())
    const bytes = fc.uint8Array({ maxLength: 200 })
    const der = bytes.map((rest) => Uint8Array.from([0x30, rest.length, 2, 1, ...rest]))
    const point = fc.uint8Array({ minLength: 64, maxLength: 64 }).map((rest) => Uint8Array.from([4, ...rest]))
    const key = fc.oneof(
      fc.constant(pem),
      fc.oneof(bytes, point).map((each) => `-----BEGIN PUBLIC KEY-----\n${Buffer.from(each).toString("base64")}\n`),
    )
    fc.assert(
      fc.property(fc.oneof(bytes, der), key, (signature, publicKey) => {
        const changed = new Map([...query, ["signature", Buffer.from(signature).toString("base64url")]])
        expect(opened(changed, frame.expiresAt - 1, publicKey)).toEqual(altered)
      }),
    )
  })
})
