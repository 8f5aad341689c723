/**
 * Webhook verification of the client, against the service's signer and the deliveries of a running service.
 * Source: wire contract 0.1 and 6.2.
 */
import { generateKeyPairSync } from "node:crypto"
import { NodeWebhookSigner } from "@countersign/adapter-http"
import { makeWebhookVerifier, type WebhookEvent, WebhookRefused } from "@countersign/client/webhook"
import { WebhookSigner } from "@countersign/core/ports"
import { harness } from "@countersign/test"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const event = {
  id: "Webhook:5b0f3f0a-6f5c-4f0e-9a53-7d0f6f0c1e11",
  type: "CARD.STATE_CHANGE",
  timestamp: "2026-01-02T03:04:05.678Z",
  data: { id: "Card:1", cardholderName: "Łukasz Żółć" },
}

const signer = await Effect.runPromise(Effect.provide(WebhookSigner, NodeWebhookSigner.layer()))
const { publicKey } = signer
const sign = (body: string) => Effect.runPromise(signer.sign(body))
const bytes = (text: string) => new TextEncoder().encode(text)
const json = (signature: string) => JSON.stringify({ v: "1", s: signature })

const body = JSON.stringify(event)
const signature = await sign(body)
const header = json(signature)

const pemOf = (curve: string) =>
  String(generateKeyPairSync("ec", { namedCurve: curve }).publicKey.export({ type: "spki", format: "pem" }))
const ed25519 = String(generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }))

/** Returns the reason of the refusal, or undefined for a verified body. */
const reasonOf = async (key: string, sent: Uint8Array, value: string | null | undefined) =>
  makeWebhookVerifier({ publicKey: key })
    .verify(sent, value)
    .then(
      () => undefined,
      (error: unknown) => (error instanceof WebhookRefused ? error.reason : error),
    )

describe("a webhook verifier", () => {
  it.each([
    ["the JSON form of the header", publicKey, header],
    ["the plain form of the header", publicKey, signature],
    ["a public key in one line", publicKey.replaceAll("\n", "\\n"), header],
  ])("returns the event for %s", async (_, key, value) => {
    expect(await makeWebhookVerifier({ publicKey: key }).verify(bytes(body), value)).toEqual(event)
  })

  it("returns a test event without data with empty data", async () => {
    const { data: _, ...test } = { ...event, type: "TEST" }
    const text = JSON.stringify(test)
    expect(await makeWebhookVerifier({ publicKey }).verify(bytes(text), json(await sign(text)))).toEqual({
      ...test,
      data: {},
    })
  })

  it.each([
    ["an altered body", `${body} `],
    ["an empty body", ""],
    ["another event's body", body.replace("STATE_CHANGE", "FUNDING_SOURCE_CHANGE")],
  ])("refuses %s as SIGNATURE_MISMATCH", async (_, text) => {
    expect(await reasonOf(publicKey, bytes(text), header)).toBe("SIGNATURE_MISMATCH")
  })

  it("refuses every altered byte of a signature", async () => {
    const der = Buffer.from(signature, "base64")
    for (const at of der.keys()) {
      const altered = Buffer.from(der)
      altered[at] = (altered[at] ?? 0) ^ 1
      expect(await reasonOf(publicKey, bytes(body), json(altered.toString("base64")))).toBe("SIGNATURE_MISMATCH")
    }
  })

  it("refuses the signature of another key as SIGNATURE_MISMATCH", async () => {
    expect(await reasonOf(pemOf("prime256v1"), bytes(body), header)).toBe("SIGNATURE_MISMATCH")
  })

  it.each([
    ["null", null],
    ["undefined", undefined],
    ["an empty text", ""],
    ["text that is not base64", "not a signature"],
    ["JSON that is not closed", '{"v":"1"'],
    ["another version", JSON.stringify({ v: "2", s: signature })],
    ["a number as version", JSON.stringify({ v: 1, s: signature })],
    ["no signature", JSON.stringify({ v: "1" })],
    ["an empty signature", json("")],
    ["a signature that is not base64", json("***")],
    ["a list", JSON.stringify([signature])],
  ])("refuses the header that is %s as INVALID_SIGNATURE_HEADER", async (_, value) => {
    expect(await reasonOf(publicKey, bytes(body), value)).toBe("INVALID_SIGNATURE_HEADER")
  })

  it.each([
    ["empty", ""],
    ["text", "no key at all"],
    ["PEM of nothing", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"],
    ["PEM that is not base64", "-----BEGIN PUBLIC KEY-----\n***\n-----END PUBLIC KEY-----\n"],
    ["a private key's PEM", publicKey.replaceAll("PUBLIC", "PRIVATE")],
    ["cut short", publicKey.replace(/.{8}\n-----END/u, "\n-----END")],
    ["on secp256k1", pemOf("secp256k1")],
    ["on P-384", pemOf("secp384r1")],
    ["on Ed25519", ed25519],
    [
      "a point off the curve",
      `-----BEGIN PUBLIC KEY-----\n${Buffer.from(`3059301306072a8648ce3d020106082a8648ce3d03010703420004${"11".repeat(64)}`, "hex").toString("base64")}\n-----END PUBLIC KEY-----`,
    ],
  ])("refuses a public key that is %s as INVALID_PUBLIC_KEY", async (_, key) => {
    expect(await reasonOf(key, bytes(body), header)).toBe("INVALID_PUBLIC_KEY")
  })

  it.each([
    ["is not JSON", "not json"],
    ["is a list", "[]"],
    ["has no id", JSON.stringify({ ...event, id: undefined })],
    ["has a number as type", JSON.stringify({ ...event, type: 1 })],
  ])("refuses a signed body that %s as INVALID_BODY", async (_, text) => {
    expect(await reasonOf(publicKey, bytes(text), json(await sign(text)))).toBe("INVALID_BODY")
  })

  it("refuses a body that is not UTF-8 before it parses it", async () => {
    expect(await reasonOf(publicKey, Uint8Array.of(0xff, 0xfe), header)).toBe("SIGNATURE_MISMATCH")
  })

  it("reads the signature of a request from the configured header", async () => {
    const request = (name: string) =>
      new Request("http://localhost/", { method: "POST", headers: { [name]: header }, body })
    const renamed = makeWebhookVerifier({ publicKey, signatureHeader: "X-Acme-Signature" })
    expect(await makeWebhookVerifier({ publicKey }).verifyRequest(request("x-service-signature"))).toEqual(event)
    expect(await renamed.verifyRequest(request("x-acme-signature"))).toEqual(event)
    await expect(renamed.verifyRequest(request("x-service-signature"))).rejects.toMatchObject({
      name: "WebhookRefused",
      reason: "INVALID_SIGNATURE_HEADER",
      message: 'The signature header must be `{"v":"1","s":"<base64>"}` or a base64 signature.',
    })
  })

  it("types the data of an event by its type", async () => {
    const verified = await makeWebhookVerifier({ publicKey }).verify(bytes(body), header)
    if (verified.type !== "CARD.STATE_CHANGE") throw new Error(verified.type)
    const holder: string = verified.data.id
    expect(holder).toBe("Card:1")
  })
})

describe("a running service", () => {
  it("sends webhooks that the verifier returns as events", async () => {
    await using service = await harness()
    const verifier = makeWebhookVerifier({ publicKey: service.webhooks.publicKey() })
    const events: Array<WebhookEvent> = []
    service.webhooks.deliverTo(async (request) => {
      events.push(await verifier.verifyRequest(request))
      return new Response()
    })
    const { id: customerId } = await service.client.customers.createCustomer({
      payload: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
    })
    const { data } = await service.client.accounts.listInternalAccounts({ query: { customerId, currency: "USD" } })
    const accountId = data[0]?.id ?? ""
    await service.client.sandbox.sandboxFundInternalAccount({ params: { accountId }, payload: { amount: 1_250 } })
    await service.webhooks.waitFor("INTERNAL_ACCOUNT.BALANCE_UPDATED")
    const amounts = events.flatMap((each) =>
      each.type === "INTERNAL_ACCOUNT.BALANCE_UPDATED" ? [[each.data.id, each.data.balance.amount]] : [],
    )
    expect(amounts).toEqual([[accountId, 1_250]])
  })
})
