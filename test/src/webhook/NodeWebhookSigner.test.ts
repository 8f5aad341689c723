/** The webhook key: configured or generated, always on P-256, and verified as a receiver verifies it. */
import { generateKeyPairSync, type KeyObject, verify } from "node:crypto"
import { NodeWebhookSigner } from "@countersign/adapter-http"
import { WebhookSigner } from "@countersign/core/ports"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"

const body = '{"text":"żółć €"}'

const signedBy = (options: NodeWebhookSigner.Options) =>
  Effect.gen(function* () {
    const { publicKey, sign } = yield* WebhookSigner
    return { publicKey, signature: yield* sign(body) }
  }).pipe(Effect.provide(NodeWebhookSigner.layer(options), { local: true }))

const pemOf = (key: KeyObject, type: "pkcs8" | "sec1") => String(key.export({ type, format: "pem" }))

const p256 = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
const publicPem = String(p256.publicKey.export({ type: "spki", format: "pem" }))

describe("a configured key", () => {
  it.effect.each<[string, string]>([
    ["PKCS#8", pemOf(p256.privateKey, "pkcs8")],
    ["SEC1", pemOf(p256.privateKey, "sec1")],
    ["PKCS#8 in one line", pemOf(p256.privateKey, "pkcs8").replaceAll("\n", "\\n")],
  ])("as %s makes signatures that its public key verifies", ([, pem]) =>
    Effect.gen(function* () {
      const { publicKey, signature } = yield* signedBy({ privateKeyPem: Redacted.make(pem) })
      expect(publicKey).toBe(publicPem)
      const der = Buffer.from(signature, "base64")
      expect(der.toString("base64")).toBe(signature)
      // A DER sequence of two integers.
      expect([der[0], der[1], der[2]]).toEqual([0x30, der.length - 2, 0x02])
      expect(verify("sha256", Buffer.from(body), publicPem, der)).toBe(true)
      expect(verify("sha256", Buffer.from(`${body} `), publicPem, der)).toBe(false)
    }),
  )

  const encrypted = String(
    p256.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" }),
  )
  const unreadable = "The webhook key is not an unencrypted PEM private key (PKCS#8 or SEC1)."

  it.effect.each<[string, string, string]>([
    ["text", "no key at all", unreadable],
    ["nothing", "", unreadable],
    ["a public key", publicPem, unreadable],
    ["an encrypted key", encrypted, unreadable],
    [
      "a key on P-384",
      pemOf(generateKeyPairSync("ec", { namedCurve: "secp384r1" }).privateKey, "pkcs8"),
      "The webhook key must be on the curve P-256; it is secp384r1.",
    ],
    [
      "a key on secp256k1",
      pemOf(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey, "sec1"),
      "The webhook key must be on the curve P-256; it is secp256k1.",
    ],
    [
      "an Ed25519 key",
      pemOf(generateKeyPairSync("ed25519").privateKey, "pkcs8"),
      "The webhook key must be on the curve P-256; it is ed25519.",
    ],
    [
      "an RSA key",
      pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey, "pkcs8"),
      "The webhook key must be on the curve P-256; it is rsa.",
    ],
  ])("that is %s is refused", ([, pem, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(signedBy({ privateKeyPem: Redacted.make(pem) }))
      expect(error).toMatchObject({ _tag: "InvalidWebhookKey", message })
    }),
  )
})

describe("a generated key", () => {
  it.effect("differs each time and makes valid signatures", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* signedBy({}), yield* signedBy({})]
      expect(first.publicKey).not.toBe(second.publicKey)
      expect(first.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/u)
      const der = Buffer.from(first.signature, "base64")
      expect(verify("sha256", Buffer.from(body), first.publicKey, der)).toBe(true)
      expect(verify("sha256", Buffer.from(body), second.publicKey, der)).toBe(false)
    }),
  )
})
