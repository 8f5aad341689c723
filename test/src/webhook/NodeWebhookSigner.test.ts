/** The webhook key: configured or generated, always on P-256, and verified as a receiver verifies it. */
import { createHmac, generateKeyPairSync, type KeyObject, verify } from "node:crypto"
import { NodeWebhookSigner } from "@countersign/adapter-http"
import { WebhookSigner } from "@countersign/core/ports"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as SeededKey from "../../../packages/test/src/harness/SeededKey.ts"

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

const seeded = [SeededKey.pem("one"), SeededKey.pem("two")] as const

/** Derives a key with these roots, the newest first. */
const derived = (roots: ReadonlyArray<string>, platformId: string, number: number, rootAt = 0) =>
  Effect.gen(function* () {
    const { platformKey, roots: ids } = yield* WebhookSigner
    return yield* platformKey({ platformId, number, rootId: ids[rootAt] ?? "another" })
  }).pipe(Effect.provide(NodeWebhookSigner.layer({ privateKeyPem: Redacted.make(roots.join("\n")) }), { local: true }))

describe("a derived key", () => {
  it.effect("is the same in every process and release", () =>
    Effect.gen(function* () {
      const key = yield* derived(seeded, "PlatformConfig:1", 1)
      expect(key?.id).toBe("Csy5JtvAvWb0AsExbvuT3EZF0N2xZMgOFU-dUeSATt8")
      expect(key && Redacted.value(key.secret)).toBe("whsec_sk2esSNXX4KQ8IT5mgEj2n5rjdM0WI9R1Tqu7cjhNao=")
    }),
  )

  it.effect("differs by root, platform and number, in its key pair and in its secret", () =>
    Effect.gen(function* () {
      const keys = [
        yield* derived(seeded, "PlatformConfig:1", 1),
        yield* derived(seeded, "PlatformConfig:1", 2),
        yield* derived(seeded, "PlatformConfig:11", 1),
        yield* derived(seeded, "PlatformConfig:1", 11),
        yield* derived(seeded, "PlatformConfig:1", 1, 1),
      ]
      expect(new Set(keys.map((key) => key?.id)).size).toBe(5)
      expect(new Set(keys.map((key) => key && Redacted.value(key.secret))).size).toBe(5)
    }),
  )

  it.effect("of an earlier root is the same when a newer root comes before it, and undefined without its root", () =>
    Effect.gen(function* () {
      const [one, two] = seeded
      const before = yield* derived([one], "PlatformConfig:1", 1)
      const after = yield* derived([two, one], "PlatformConfig:1", 1, 1)
      expect(after?.id).toBe(before?.id)
      expect(yield* derived([two], "PlatformConfig:1", 1, 1)).toBeUndefined()
    }),
  )

  it.effect("signs what its public key verifies, and hides its secret in text", () =>
    Effect.gen(function* () {
      const key = yield* derived(seeded, "PlatformConfig:1", 1)
      if (key === undefined) throw new Error("the root is missing")
      expect(verify("sha256", Buffer.from(body), key.publicKey, Buffer.from(yield* key.sign(body), "base64"))).toBe(
        true,
      )
      const macKey = Buffer.from(Redacted.value(key.secret).slice(6), "base64")
      expect(yield* key.authenticate(body)).toBe(createHmac("sha256", macKey).update(body).digest("base64"))
      expect(JSON.stringify(key)).not.toContain(Redacted.value(key.secret))
    }),
  )
})

describe("several configured keys", () => {
  it.effect("are refused if one of them is not a key on P-256", () =>
    Effect.gen(function* () {
      const wrong = pemOf(generateKeyPairSync("ec", { namedCurve: "secp384r1" }).privateKey, "pkcs8")
      const error = yield* Effect.flip(signedBy({ privateKeyPem: Redacted.make(`${seeded[0]}${wrong}`) }))
      expect(error.message).toBe("The webhook key must be on the curve P-256; it is secp384r1.")
    }),
  )
})
