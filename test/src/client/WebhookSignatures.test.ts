/**
 * The signatures of webhooks: every altered byte, public keys that cannot be read, and vectors of another implementation.
 * Source: wire contract 0.1 and 6.2; https://www.standardwebhooks.com; D-442.
 */
import { generateKeyPairSync, sign, verify } from "node:crypto"
import { verifyWebhook, type WebhookKeys, WebhookRefused } from "@countersign/client/webhook"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { rawSignature } from "../../../packages/client/src/webhook/Signatures.ts"
import { sentAt, signedWebhook, webhookKeys } from "./SignedWebhook.ts"

const [newKey, { publicKey }] = webhookKeys
const { body, event, headers } = await signedWebhook()
const { s: signature } = JSON.parse(headers["X-Service-Signature"] ?? "") as { readonly s: string }

const outcomeOf = (given: Readonly<Record<string, string>>, keys: WebhookKeys, text = body, now = sentAt) =>
  verifyWebhook(given, text, keys, { now: () => now }).then(
    () => "ACCEPTED",
    (error: unknown) => (error instanceof WebhookRefused ? error.reason : error),
  )

const specified = (value: string, key = publicKey) => outcomeOf({ "x-service-signature": value }, { publicKey: key })

const pemOf = (curve: string) =>
  String(generateKeyPairSync("ec", { namedCurve: curve }).publicKey.export({ type: "spki", format: "pem" }))
const ed25519 = String(generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }))

describe("the specified signature", () => {
  it.each([
    ["in its JSON form", JSON.stringify({ v: "1", s: signature }), publicKey],
    ["in its plain form", signature, publicKey],
    ["by a public key in one line", signature, publicKey.replaceAll("\n", "\\n")],
  ])("verifies %s", async (_, value, key) => {
    expect(await specified(value, key)).toBe("ACCEPTED")
  })

  it("is refused if any byte is altered, removed or appended", async () => {
    const der = Buffer.from(signature, "base64")
    const altered = [...der.keys()].map((at) => Buffer.from(der.map((byte, index) => (index === at ? byte ^ 1 : byte))))
    const resized = [der.subarray(1), der.subarray(0, -1), Buffer.concat([der, Buffer.of(0)])]
    for (const wrong of [...altered, ...resized]) {
      expect(await specified(wrong.toString("base64"))).toBe("SIGNATURE_MISMATCH")
    }
  })

  it("is refused by another key", async () => {
    expect(await specified(signature, pemOf("prime256v1"))).toBe("SIGNATURE_MISMATCH")
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
  ])("is not checked with a public key that is %s", async (_, key) => {
    expect(await specified(signature, key)).toBe("INVALID_PUBLIC_KEY")
  })
})

describe("a signature in DER", () => {
  it("becomes the signature of the same two numbers, whatever their lengths", () => {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const lengths = new Set<number>()
    for (let n = 0; n < 300; n++) {
      const message = Buffer.from(String(n))
      const der = sign("sha256", message, pair.privateKey)
      lengths.add(der.length)
      const raw = rawSignature(der) ?? Buffer.alloc(0)
      expect(verify("sha256", message, { key: pair.publicKey, dsaEncoding: "ieee-p1363" }, raw)).toBe(true)
    }
    expect(lengths.size).toBeGreaterThan(1)
  })

  it.each([
    ["of small numbers", "3006020101020102", `${"00".repeat(31)}01${"00".repeat(31)}02`],
    [
      "of numbers with the highest bit",
      `3046022100${"ff".repeat(32)}022100${"80".repeat(32)}`,
      "ff".repeat(32) + "80".repeat(32),
    ],
  ])("%s is padded to 32 bytes each", (_, der, raw) => {
    expect(Buffer.from(rawSignature(Buffer.from(der, "hex")) ?? []).toString("hex")).toBe(raw)
  })

  it.each([
    ["nothing", ""],
    ["another tag", "3106020101020102"],
    ["another length", "3007020101020102"],
    ["a byte after it", "300602010102010200"],
    ["a byte inside after the numbers", "300702010102010200"],
    ["no second number", "3003020101"],
    ["an empty number", "300502000201020"],
    ["a number of no bytes", "30050200020102"],
    ["a negative number", "3006020180020102"],
    ["a number with a needless zero", "300702020001020102"],
    ["a number of another tag", "3006030101020102"],
    ["a number of 33 bytes", `3026022101${"00".repeat(32)}020102`],
    ["a number that ends outside", "3006020101020202"],
    ["a long form of the length", "308106020101020102"],
  ])("with %s is refused", (_, der) => {
    expect(rawSignature(Buffer.from(der, "hex"))).toBeUndefined()
  })

  it("of any bytes gives 64 bytes or nothing", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect([undefined, 64]).toContain(rawSignature(bytes)?.length)
      }),
    )
  })
})

/** Made with the library `standardwebhooks` 1.1.1: `new Webhook(secret).sign(id, date, body)`. */
const vectors = [
  {
    secret: "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    seconds: 1614265330,
    text: '{"test": 2432232314}',
    symmetric: "v1,YO/ulmd+VFtlnbodv7yLOOsS6RlBZ48h++gXZrGOpZo=",
  },
  {
    secret: "whsec_CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg=",
    id: "Webhook:5b0f3f0a-6f5c-4f0e-9a53-7d0f6f0c1e11",
    seconds: 1614265331,
    text: '{"id":"Webhook:5b0f3f0a-6f5c-4f0e-9a53-7d0f6f0c1e11","type":"TEST","timestamp":"2026-01-02T03:04:05Z","platformId":"PlatformConfig:1","data":{"name":"Łukasz 🎉"}}',
    symmetric: "v1,6ZKoGthWTHDHZmRoaPpChpO5fYDRglmhp76p83xGHxI=",
  },
  {
    secret: "whsec_CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=",
    id: "Webhook:1",
    seconds: 1614265332,
    text: "",
    symmetric: "v1,fTXcOmcUEwFGCeWk67bhGHFeVStDGzwbTxjvfgblLp8=",
  },
]

describe("the signatures of the library standardwebhooks", () => {
  it.each(vectors)("verify here: $id", async ({ id, seconds, secret, symmetric, text }) => {
    const given = {
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1a,AAAA ${symmetric}`,
    }
    const outcome = (sent: string) => outcomeOf(given, { secrets: [secret] }, sent, seconds * 1000)
    // A body that is not an event is refused only after its signature was accepted.
    expect(await outcome(text)).toBe(text.includes("platformId") ? "ACCEPTED" : "INVALID_BODY")
    expect(await outcome(`${text} `)).toBe("SIGNATURE_MISMATCH")
  })
})

describe("a process without Web Cryptography", () => {
  it("is reported as such, and not as a key that cannot be read", async () => {
    const { subtle } = crypto
    Object.defineProperty(crypto, "subtle", { configurable: true, value: undefined })
    const verified = verifyWebhook(headers, body, [newKey], { now: () => sentAt })
    await expect(verified).rejects.toThrow("Web Cryptography is missing")
    Object.defineProperty(crypto, "subtle", { configurable: true, value: subtle })
    expect(await verifyWebhook(headers, body, [newKey], { now: () => sentAt })).toEqual(event)
  })
})
