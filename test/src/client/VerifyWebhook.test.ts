/**
 * Verification of whole requests: signatures by key and by secret, the time of the attempt, the platform, and headers of any shape.
 * Source: wire contract 6.2; https://www.standardwebhooks.com; D-331.
 */
import { NodeWebhookSigner } from "@countersign/adapter-http"
import { verifyWebhook, WebhookRefused, type WebhookVerifierOptions } from "@countersign/client/webhook"
import { WebhookSigner, WireNames } from "@countersign/core/ports"
import { Effect, Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { signedHeaders } from "../../../packages/core/src/service/event/SignedWebhook.ts"
import { receive } from "../guides/VerifiedWebhook.ts"

const platformId = "PlatformConfig:5b0f3f0a-6f5c-4f0e-9a53-7d0f6f0c1e11"
const id = "Webhook:6b0f3f0a-6f5c-4f0e-9a53-7d0f6f0c1e11"
const event = { id, type: "TEST", timestamp: "2026-01-02T03:04:05Z", platformId, data: { name: "Łukasz 🎉" } }
const body = JSON.stringify(event)
const sentAt = Date.UTC(2026, 0, 2, 3, 4, 5)

const signer = await Effect.runPromise(Effect.provide(WebhookSigner, NodeWebhookSigner.layer()))
const keyOf = async (number: number, platform = platformId) => {
  const key = await Effect.runPromise(signer.platformKey({ platformId: platform, number, rootId: signer.roots[0] }))
  if (key === undefined) throw new Error("the root is missing")
  return key
}
const [newKey, oldKey, otherKey] = [await keyOf(2), await keyOf(1), await keyOf(1, "PlatformConfig:other")]
const headers = await Effect.runPromise(
  Effect.flatMap(WireNames, (names) => signedHeaders({ id, body, sentAt }, [newKey, oldKey], names)),
)

const request = (changes: Readonly<Record<string, string | undefined>> = {}, text = body) =>
  new Request("https://receiver.example/", {
    method: "POST",
    body: text,
    headers: Object.fromEntries(
      Object.entries({ ...headers, ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    ),
  })

const now = () => sentAt
const byKeys: WebhookVerifierOptions = { platformId, keys: [newKey], now }
const bySecret: WebhookVerifierOptions = { platformId, secrets: [Redacted.value(newKey.secret)], now }

const reasonOf = (sent: Request, options: WebhookVerifierOptions) =>
  verifyWebhook(sent, options).then(
    () => "ACCEPTED",
    (error: unknown) => (error instanceof WebhookRefused ? error.reason : error),
  )

describe("a delivery during a rotation", () => {
  it.each<[string, WebhookVerifierOptions]>([
    ["the new key", { keys: [newKey] }],
    ["the old key", { keys: [oldKey] }],
    ["both keys", { keys: [oldKey, newKey] }],
    ["the new secret", { secrets: [Redacted.value(newKey.secret)] }],
    ["the old secret", { secrets: [Redacted.value(oldKey.secret)] }],
    [
      "the new secret beside another platform's",
      { secrets: [otherKey, newKey].map((key) => Redacted.value(key.secret)) },
    ],
    ["the old public key and the specified header alone", { publicKey: oldKey.publicKey }],
  ])("is accepted with %s", async (_, options) => {
    expect(await verifyWebhook(request(), { platformId, now, ...options })).toEqual(event)
  })
})

describe("a whole request", () => {
  it.each<[string, string, WebhookVerifierOptions, Readonly<Record<string, string | undefined>>]>([
    ["a key that did not sign", "UNKNOWN_KEY", { ...byKeys, keys: [otherKey] }, {}],
    [
      "another key under the id of the one that signed",
      "SIGNATURE_MISMATCH",
      { ...byKeys, keys: [{ ...otherKey, id: newKey.id }] },
      {},
    ],
    [
      "a given key that is not a key",
      "INVALID_PUBLIC_KEY",
      { ...byKeys, keys: [{ id: newKey.id, publicKey: "none" }] },
      {},
    ],
    [
      "another platform's secret",
      "SIGNATURE_MISMATCH",
      { ...bySecret, secrets: [Redacted.value(otherKey.secret)] },
      {},
    ],
    ["a secret without its prefix", "INVALID_SECRET", { ...bySecret, secrets: ["AAAA"] }, {}],
    ["an empty secret", "INVALID_SECRET", { ...bySecret, secrets: ["whsec_"] }, {}],
    ["another platform than expected", "FOREIGN_PLATFORM", { ...byKeys, platformId: "PlatformConfig:other" }, {}],
    [
      "another platform than expected, by secret",
      "FOREIGN_PLATFORM",
      { ...bySecret, platformId: "PlatformConfig:other" },
      {},
    ],
    [
      "another platform than expected, by the specified header",
      "FOREIGN_PLATFORM",
      { publicKey: oldKey.publicKey, platformId: "PlatformConfig:other" },
      {},
    ],
    ["another id", "SIGNATURE_MISMATCH", byKeys, { "webhook-id": `${id}0` }],
    ["another time", "SIGNATURE_MISMATCH", byKeys, { "webhook-timestamp": "1767323046" }],
    ["another time, by secret", "SIGNATURE_MISMATCH", bySecret, { "webhook-timestamp": "1767323046" }],
    ["no id", "INVALID_TIMESTAMP", byKeys, { "webhook-id": undefined }],
    ["no time", "INVALID_TIMESTAMP", byKeys, { "webhook-timestamp": undefined }],
    ["a time that is not a number", "INVALID_TIMESTAMP", bySecret, { "webhook-timestamp": "1e9" }],
    ["no signature by key", "INVALID_SIGNATURE_HEADER", byKeys, { "X-Service-Key-Signatures": undefined }],
    [
      "only the specified header, although keys are given",
      "INVALID_TIMESTAMP",
      byKeys,
      { "X-Service-Key-Signatures": undefined, "webhook-id": undefined },
    ],
    ["no symmetric signature", "INVALID_SIGNATURE_HEADER", bySecret, { "webhook-signature": undefined }],
    [
      "a symmetric signature of an unknown scheme only",
      "SIGNATURE_MISMATCH",
      bySecret,
      { "webhook-signature": (headers["webhook-signature"] ?? "").replaceAll("v1,", "v2,") },
    ],
    [
      "a header above 8192 characters",
      "INVALID_SIGNATURE_HEADER",
      byKeys,
      { "X-Service-Key-Signatures": `${headers["X-Service-Key-Signatures"]}${" ".repeat(8192)}x` },
    ],
  ])("is refused with %s as %s", async (_, reason, options, changes) => {
    expect(await reasonOf(request(changes), options)).toBe(reason)
  })

  it.each([byKeys, bySecret])("is refused with an altered body", async (options) => {
    expect(await reasonOf(request({}, `${body} `), options)).toBe("SIGNATURE_MISMATCH")
  })

  it.each([byKeys, bySecret])(
    "is accepted within the tolerance of its time, and refused as a replay after it",
    async (options) => {
      const after = (seconds: number, more: WebhookVerifierOptions = {}) =>
        reasonOf(request(), { ...options, ...more, now: () => sentAt + seconds * 1000 })
      expect(await Promise.all([after(-300), after(300), after(20, { toleranceSeconds: 20 })])).toEqual(
        Array(3).fill("ACCEPTED"),
      )
      expect(
        await Promise.all([after(-301), after(301), after(21, { toleranceSeconds: 20 }), after(Number.NaN)]),
      ).toEqual(Array(4).fill("TIMESTAMP_OUT_OF_TOLERANCE"))
    },
  )

  it("reads the headers, and the names in the data, of a deployment with another name", async () => {
    const data = { stateReason: "CLOSED_BY_ACME", platformCardId: "CLOSED_BY_SERVICE" }
    const text = JSON.stringify({ ...event, type: "CARD.STATE_CHANGE", data })
    const names = { serviceName: "Acme", signatureForm: "json" } as const
    const sent = await Effect.runPromise(signedHeaders({ id, body: text, sentAt }, [newKey], names))
    const received = () => new Request("https://receiver.example/", { method: "POST", body: text, headers: sent })
    const neutral = { stateReason: "CLOSED_BY_SERVICE", platformCardId: "CLOSED_BY_SERVICE" }
    for (const keys of [{ keys: [newKey] }, { publicKey: newKey.publicKey }]) {
      const options = { ...keys, platformId, now }
      expect(await verifyWebhook(received(), { ...options, serviceName: "Acme" })).toMatchObject({ data: neutral })
      expect(await reasonOf(received(), options)).toBe("INVALID_SIGNATURE_HEADER")
    }
    const unknown = JSON.stringify({ ...event, type: "LATER.TYPE", data })
    const later = await Effect.runPromise(signedHeaders({ id, body: unknown, sentAt }, [newKey], names))
    const request = new Request("https://receiver.example/", { method: "POST", body: unknown, headers: later })
    expect(await verifyWebhook(request, { ...byKeys, serviceName: "Acme" })).toMatchObject({ data })
  })

  it("reads the headers that a proxy has renamed", async () => {
    const renamed = {
      "X-Acme-Key-Signatures": headers["X-Service-Key-Signatures"],
      "X-Service-Key-Signatures": undefined,
    }
    expect(await reasonOf(request(renamed), { ...byKeys, signatureHeader: "X-Acme-Signature" })).toBe("ACCEPTED")
    expect(await reasonOf(request(renamed), byKeys)).toBe("INVALID_SIGNATURE_HEADER")
  })

  it("prefers signatures by key, and uses secrets where the deployment sends none", async () => {
    const both = { ...byKeys, secrets: [Redacted.value(newKey.secret)] }
    expect(await reasonOf(request({ "webhook-signature": undefined }), both)).toBe("ACCEPTED")
    expect(await reasonOf(request({ "X-Service-Key-Signatures": undefined }), both)).toBe("ACCEPTED")
    expect(await reasonOf(request({ "X-Service-Key-Signatures": `${newKey.id},AAAA` }), both)).toBe(
      "SIGNATURE_MISMATCH",
    )
  })

  it("is refused with a reason for headers and bodies of any shape", async () => {
    const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    const header = fc.oneof(printable, fc.constantFrom(...Object.values(headers)), fc.constant(undefined))
    await fc.assert(
      fc.asyncProperty(
        header,
        header,
        header,
        header,
        header,
        fc.string(),
        fc.constantFrom(byKeys, bySecret),
        async (a, b, c, d, e, text, options) => {
          const changes = {
            "webhook-id": a,
            "webhook-timestamp": b,
            "webhook-signature": c,
            "X-Service-Key-Signatures": d,
            "X-Service-Signature": e,
          }
          expect(await reasonOf(request(changes, text), options)).toMatch(/^(?!ACCEPTED)[A-Z_]+$/u)
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** Made with the library `standardwebhooks` 1.1.1: `new Webhook(secret).sign(id, date, body)`. */
const vectors = [
  {
    secret: "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    seconds: 1614265330,
    body: '{"test": 2432232314}',
    signature: "v1,YO/ulmd+VFtlnbodv7yLOOsS6RlBZ48h++gXZrGOpZo=",
  },
  {
    secret: "whsec_CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg=",
    id: "Webhook:5b0f3f0a-6f5c-4f0e-9a53-7d0f6f0c1e11",
    seconds: 1614265331,
    body: '{"id":"Webhook:5b0f3f0a-6f5c-4f0e-9a53-7d0f6f0c1e11","type":"TEST","timestamp":"2026-01-02T03:04:05Z","platformId":"PlatformConfig:1","data":{"name":"Łukasz 🎉"}}',
    signature: "v1,6ZKoGthWTHDHZmRoaPpChpO5fYDRglmhp76p83xGHxI=",
  },
  {
    secret: "whsec_CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=",
    id: "Webhook:1",
    seconds: 1614265332,
    body: "",
    signature: "v1,fTXcOmcUEwFGCeWk67bhGHFeVStDGzwbTxjvfgblLp8=",
  },
]

describe("the signatures of the library standardwebhooks", () => {
  it.each(vectors)("verify here: $id", async (vector) => {
    const standard = {
      "webhook-id": vector.id,
      "webhook-timestamp": String(vector.seconds),
      "webhook-signature": `v1a,AAAA ${vector.signature}`,
    }
    const options = { secrets: [vector.secret], now: () => vector.seconds * 1000 }
    const isEvent = vector.body.includes("platformId")
    // A body that is not an event is refused only after its signature was accepted.
    expect(await reasonOf(request(standard, vector.body), options)).toBe(isEvent ? "ACCEPTED" : "INVALID_BODY")
    expect(await reasonOf(request(standard, `${vector.body} `), options)).toBe("SIGNATURE_MISMATCH")
  })
})

describe("the receiver of the guide", () => {
  it("processes an event of its own platform, and rejects one of another", async () => {
    const process = () => new Response("processed")
    expect(await (await receive(request(), byKeys, process)).text()).toBe("processed")
    await expect(receive(request(), { ...byKeys, platformId: "PlatformConfig:other" }, process)).rejects.toThrow()
  })
})
