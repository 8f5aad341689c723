/**
 * Signs webhooks with the deployment's key on Node's crypto.
 * Source: wire contract 6.2 (ECDSA on P-256 with SHA-256, DER; the public half as SPKI PEM).
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { WebhookSigner } from "@countersign/core/ports"
import { Data, Effect, Layer, Redacted } from "effect"

/** The configured key cannot sign webhooks. The message says why and never contains the key. */
export class InvalidWebhookKey extends Data.TaggedError("InvalidWebhookKey")<{ readonly message: string }> {}

export interface Options {
  /** PKCS#8 or SEC1. Without it the process generates a key for itself. */
  readonly privateKeyPem?: Redacted.Redacted
}

const parse = Effect.fnUntraced(function* (pem: Redacted.Redacted) {
  const key = yield* Effect.try({
    // Environment variables often contain line breaks as `\n`.
    try: () => createPrivateKey(Redacted.value(pem).replaceAll("\\n", "\n")),
    catch: () =>
      new InvalidWebhookKey({ message: "The webhook key is not an unencrypted PEM private key (PKCS#8 or SEC1)." }),
  })
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (key.asymmetricKeyType !== "ec" || curve !== "prime256v1") {
    const found = curve ?? key.asymmetricKeyType ?? "unknown"
    return yield* new InvalidWebhookKey({ message: `The webhook key must be on the curve P-256; it is ${found}.` })
  }
  return key
})

const generateKey: Effect.Effect<KeyObject> = Effect.sync(
  () => generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey,
)

export const layer = ({ privateKeyPem }: Options = {}): Layer.Layer<WebhookSigner, InvalidWebhookKey> =>
  Layer.effect(
    WebhookSigner,
    Effect.gen(function* () {
      const key = yield* privateKeyPem === undefined ? generateKey : parse(privateKeyPem)
      return WebhookSigner.of({
        sign: (body) =>
          Effect.sync(() => sign("sha256", Buffer.from(body), { key, dsaEncoding: "der" }).toString("base64")),
        publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }).toString(),
      })
    }),
  )
