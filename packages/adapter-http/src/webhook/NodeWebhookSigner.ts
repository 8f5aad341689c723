/**
 * Signs webhooks on Node's crypto, with keys that it derives from the deployment's roots: one per platform and number.
 * Source: wire contract 6.2 (ECDSA on P-256 with SHA-256, DER; the public half as SPKI PEM); D-328, D-329.
 */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
} from "node:crypto"
import { generatedRootId, type PlatformWebhookKey, type WebhookKeyName, WebhookSigner } from "@countersign/core/ports"
import { Data, Effect, Layer, Redacted, Result } from "effect"
import { KeyObjects } from "../crypto/KeyObjects.ts"
import * as NodeP256 from "../crypto/NodeP256.ts"
import { thumbprintOf } from "./Thumbprint.ts"

/** The configured key cannot sign webhooks. The message says why and never contains the key. */
export class InvalidWebhookKey extends Data.TaggedError("InvalidWebhookKey")<{ readonly message: string }> {}

/** The roots from which the keys of platforms are derived. */
export interface Options {
  /**
   * PKCS#8 or SEC1. Several keys follow each other, the newest first: new keys of platforms are derived from the first, and existing ones
   * keep theirs. Without it the process generates a key for itself.
   */
  readonly privateKeyPem?: Redacted.Redacted
}

/** A root: its id, and its private key. */
interface Root {
  readonly id: string
  readonly key: KeyObject
}

/** How many derived keys a process remembers. A derivation costs about as much as four signatures. */
const keysMax = 1024

const blockPattern = /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?-----END [A-Z0-9 ]+-----/gu

const parse = Effect.fnUntraced(function* (pem: string) {
  const key = yield* Effect.try({
    try: () => createPrivateKey(pem),
    catch: () =>
      new InvalidWebhookKey({ message: "The webhook key is not an unencrypted PEM private key (PKCS#8 or SEC1)." }),
  })
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (key.asymmetricKeyType !== "ec" || curve !== "prime256v1") {
    const found = curve ?? key.asymmetricKeyType ?? "unknown"
    return yield* new InvalidWebhookKey({ message: `The webhook key must be on the curve P-256; it is ${found}.` })
  }
  return { id: thumbprintOf(createPublicKey(key)), key } satisfies Root
})

const parseAll = Effect.fnUntraced(function* (option: Redacted.Redacted) {
  // Environment variables often contain line breaks as `\n`.
  const text = Redacted.value(option).replaceAll("\\n", "\n")
  const [first = text, ...others] = text.match(blockPattern) ?? []
  return [yield* parse(first), ...(yield* Effect.forEach(others, parse))] as const
})

/** Returns why a key cannot sign webhooks; `undefined` if it can. */
export const problemOfKey = (pem: string): string | undefined => {
  const parsed = Effect.runSync(Effect.result(parseAll(Redacted.make(pem))))
  return Result.isFailure(parsed) ? parsed.failure.message : undefined
}

const generateRoot: Effect.Effect<readonly [Root]> = Effect.sync(() => [
  { id: generatedRootId, key: generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey },
])

const pemOf = (key: KeyObject): string => createPublicKey(key).export({ type: "spki", format: "pem" }).toString()

/** The signature is in DER, the default; naming it costs a third more. */
const signWith = (key: KeyObject) => (text: string) =>
  Effect.sync(() => sign("sha256", Buffer.from(text), key).toString("base64"))

/** 32 bytes for one purpose of one key. Keys of different purposes, platforms and numbers are independent. */
const seedOf = ({ key }: Root, purpose: "p256" | "hmac", { number, platformId }: WebhookKeyName): Uint8Array => {
  const { d = "" } = key.export({ format: "jwk" })
  const info = `${purpose}\u0000${platformId}\u0000${number}`
  return new Uint8Array(hkdfSync("sha256", Buffer.from(d, "base64url"), "countersign webhook keys", info, 32))
}

const derive = Effect.fnUntraced(function* (root: Root, name: WebhookKeyName, keys: KeyObjects) {
  const pair = yield* NodeP256.make(keys).derive(Redacted.make(seedOf(root, "p256", name)))
  const key = keys.private(pair)
  const mac = seedOf(root, "hmac", name)
  const macKey = createSecretKey(mac)
  const derived: PlatformWebhookKey = {
    id: thumbprintOf(createPublicKey(key)),
    publicKey: pemOf(key),
    secret: Redacted.make(`whsec_${Buffer.from(mac).toString("base64")}`, { label: "webhook secret" }),
    sign: signWith(key),
    authenticate: (text) => Effect.sync(() => createHmac("sha256", macKey).update(text).digest("base64")),
  }
  return derived
})

/** Provides `WebhookSigner`. Fails if one of the keys is not an unencrypted private key on P-256. */
export const layer = ({ privateKeyPem }: Options = {}): Layer.Layer<WebhookSigner, InvalidWebhookKey> =>
  Layer.effect(
    WebhookSigner,
    Effect.gen(function* () {
      const [newest, ...older] = yield* privateKeyPem === undefined ? generateRoot : parseAll(privateKeyPem)
      const roots = [newest, ...older]
      const objects = new KeyObjects(keysMax)
      const derivedKeys = new Map<string, PlatformWebhookKey>()

      const platformKey = Effect.fnUntraced(function* (name: WebhookKeyName) {
        const root = roots.find(({ id }) => id === name.rootId)
        if (root === undefined) return undefined
        const cacheKey = `${name.rootId} ${name.platformId} ${name.number}`
        const known = derivedKeys.get(cacheKey)
        if (known !== undefined) return known
        const derived = yield* derive(root, name, objects)
        const [oldest] = derivedKeys.keys()
        if (derivedKeys.size >= keysMax && oldest !== undefined) derivedKeys.delete(oldest)
        derivedKeys.set(cacheKey, derived)
        return derived
      })

      return WebhookSigner.of({
        sign: signWith(newest.key),
        publicKey: pemOf(newest.key),
        roots: [newest.id, ...older.map(({ id }) => id)],
        platformKey,
      })
    }),
  )
