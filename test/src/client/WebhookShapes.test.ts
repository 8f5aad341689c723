/**
 * Headers and bodies of a webhook in the forms that servers give them, and in none of them.
 * Source: D-442; RFC 9110, 5.1 and 5.3.
 */
import type { IncomingHttpHeaders } from "node:http"
import { runInNewContext } from "node:vm"
import {
  verifyWebhook,
  type WebhookBody,
  type WebhookHeaders,
  type WebhookKeys,
  WebhookRefused,
  webhookBytesMax,
} from "@countersign/client/webhook"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { platformId, sentAt, signedWebhook, webhookKeys } from "./SignedWebhook.ts"

const [newKey, oldKey] = webhookKeys
const { body, headers } = await signedWebhook()

const forms: ReadonlyArray<WebhookKeys> = [[newKey], { secrets: [newKey.secret] }, { publicKey: oldKey.publicKey }]

const outcomeOf = (given: WebhookHeaders, text: WebhookBody, keys: WebhookKeys = [newKey]) =>
  verifyWebhook(given, text, keys, { platformId, now: () => sentAt }).then(
    () => "ACCEPTED",
    (error: unknown) => (error instanceof WebhookRefused ? error.reason : error),
  )

const renamed = (spell: (name: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [spell(name), value]))

const nodeHeaders: IncomingHttpHeaders = renamed((name) => name.toLowerCase())

describe("headers", () => {
  it.each<[string, WebhookHeaders]>([
    ["a Headers object", new Headers(headers)],
    ["a record", headers],
    ["the headers of node:http", nodeHeaders],
    ["a record of names in capitals", renamed((name) => name.toUpperCase())],
    ["a record of lists", Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))],
    ["a record with a header named get", { ...headers, get: "x" }],
  ])("are read from %s", async (_, given) => {
    for (const keys of forms) expect(await outcomeOf(given, body, keys)).toBe("ACCEPTED")
  })

  const repeatable = ["X-Service-Key-Signatures", "webhook-signature"] as const

  it.each(repeatable)("with several %s are read like one with all entries", async (name) => {
    const other = "AAAA,AAAA"
    const own = headers[name] ?? ""
    const keys = name === "webhook-signature" ? { secrets: [newKey.secret] } : [newKey]
    const appended = new Headers(headers)
    appended.append(name, other)
    const prepended: IncomingHttpHeaders = { ...nodeHeaders, [name.toLowerCase()]: [other, own] }
    for (const given of [appended, prepended]) expect(await outcomeOf(given, body, keys)).toBe("ACCEPTED")
  })

  it.each([
    ["webhook-id", "INVALID_TIMESTAMP"],
    ["webhook-timestamp", "INVALID_TIMESTAMP"],
    ["X-Service-Signature", "INVALID_SIGNATURE_HEADER"],
  ])("with several %s are refused as %s, even if all say the same", async (name, reason) => {
    const keys = name === "X-Service-Signature" ? { publicKey: oldKey.publicKey } : [newKey]
    const own = headers[name] ?? ""
    const inTwoCases = { ...headers, [name.toUpperCase()]: own, [name.toLowerCase()]: own }
    for (const given of [{ ...headers, [name]: [own, own] }, inTwoCases]) {
      expect(await outcomeOf(given, body, keys)).toBe(reason)
    }
  })

  it.each([
    ["text that is not base64", "not a signature"],
    ["JSON that is not closed", '{"v":"1"'],
    ["another version", '{"v":"2","s":"AAAA"}'],
    ["a number as version", '{"v":1,"s":"AAAA"}'],
    ["no signature", '{"v":"1"}'],
    ["an empty signature", '{"v":"1","s":""}'],
    ["a signature of another alphabet", '{"v":"1","s":"AA-_"}'],
    ["a signature without its padding", '{"v":"1","s":"AAA"}'],
    ["a list", '["AAAA"]'],
    ["empty", ""],
  ])("whose specified signature is %s are refused", async (_, value) => {
    const given = { "X-Service-Signature": value }
    expect(await outcomeOf(given, body, { publicKey: oldKey.publicKey })).toBe("INVALID_SIGNATURE_HEADER")
  })

  it("of any shape are refused with a reason", async () => {
    const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    const value = fc.oneof(printable, fc.constantFrom(...Object.values(headers)), fc.constant(undefined))
    const given = fc.record(Object.fromEntries(Object.keys(headers).map((name) => [name, value])))
    const property = fc.asyncProperty(given, fc.string(), fc.constantFrom(...forms), async (some, text, keys) => {
      expect(await outcomeOf(some, text, keys)).toMatch(/^(?!ACCEPTED)[A-Z_]+$/u)
    })
    await fc.assert(property, { numRuns: 300 })
  })
})

describe("a body", () => {
  const bytes = new TextEncoder().encode(body)

  it.each<[string, WebhookBody]>([
    ["a text", body],
    ["bytes", bytes],
    ["a Buffer", Buffer.from(body)],
    ["an ArrayBuffer", bytes.buffer],
    ["an ArrayBuffer of another realm", runInNewContext("Uint8Array.from(bytes).buffer", { bytes: [...bytes] })],
    ["a part of a larger buffer", Buffer.concat([Buffer.from("x"), bytes, Buffer.from("x")]).subarray(1, -1)],
  ])("is verified as %s", async (_, given) => {
    for (const keys of forms) expect(await outcomeOf(headers, given, keys)).toBe("ACCEPTED")
  })

  it.each([JSON.parse(body), null, undefined, 1, [body]])(
    "that was parsed, such as %o, is refused as parsed",
    async (given) => {
      expect(await outcomeOf(headers, given)).toBe("PARSED_BODY")
    },
  )

  it("that was parsed and written again is refused, unless no byte has changed", async () => {
    const spaced = await signedWebhook({ body: JSON.stringify(JSON.parse(body), null, 1) })
    expect(await outcomeOf(spaced.headers, spaced.body)).toBe("ACCEPTED")
    expect(await outcomeOf(spaced.headers, JSON.stringify(JSON.parse(spaced.body)))).toBe("SIGNATURE_MISMATCH")
  })

  it("that is not UTF-8 is refused, also if it is signed as text", async () => {
    expect(await outcomeOf(headers, Uint8Array.of(0xff, 0xfe))).toBe("SIGNATURE_MISMATCH")
  })

  it("above the limit is refused unread, and one of the size of the limit is verified", async () => {
    const padded = (size: number) => body.replace("{", `{${" ".repeat(size - bytes.length)}`)
    const largest = await signedWebhook({ body: padded(webhookBytesMax) })
    expect(await outcomeOf(largest.headers, largest.body)).toBe("ACCEPTED")
    const { body: text, headers: own } = await signedWebhook({ body: padded(webhookBytesMax + 1) })
    expect(await outcomeOf(own, Buffer.from(text))).toBe("BODY_TOO_LARGE")
    expect(await outcomeOf({}, "x".repeat(webhookBytesMax + 1))).toBe("BODY_TOO_LARGE")
  })
})
