/**
 * Verifies the signature of a webhook, in browsers and on servers.
 * Source: wire contract 0.1 and 6.2 (ECDSA on P-256 with SHA-256 over the bytes of the body, DER).
 */
import { P256, PortableCrypto } from "@countersign/core/crypto"
import { Effect, Layer, ManagedRuntime, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64, Hex } from "effect/encoding"
import { pointOf } from "./PublicKeyPem.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"
import { WebhookRefused } from "./WebhookRefused.ts"

export interface WebhookVerifierOptions {
  /** The service's public key as SPKI PEM: the answer of `GET /webhooks/public-key`. */
  readonly publicKey: string
  /** The header that carries the signature; `X-Service-Signature` by default. A deployment may have another prefix. */
  readonly signatureHeader?: string
}

/** Both methods reject with `WebhookRefused`. */
export interface WebhookVerifier {
  /** Returns the event of a body. Pass the bytes as they were received, before anything parses them. */
  readonly verify: (body: Uint8Array, signature: string | null | undefined) => Promise<WebhookEvent>
  /** Returns the event of a request, whose body it reads. */
  readonly verifyRequest: (request: Request) => Promise<WebhookEvent>
}

const parseJson = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return undefined
  }
}

const portable = Layer.provide(PortableCrypto.layer, SecureRandom.layerWebCrypto)

/** Returns the DER signature of a header as hex. The JSON form is the default of the service, the plain form a choice of a deployment. */
const signatureOf = (header: string | null | undefined): Result.Result<string, WebhookRefused> => {
  const text = header?.trim() ?? ""
  const { s, v } = text.startsWith("{") ? (parseJson(text) ?? {}) : { s: text, v: "1" }
  const bytes = v === "1" && typeof s === "string" && s !== "" ? Result.getOrUndefined(Base64.decode(s)) : undefined
  return bytes === undefined
    ? Result.fail(new WebhookRefused("INVALID_SIGNATURE_HEADER"))
    : Result.succeed(Hex.encode(bytes))
}

const decodeText = (body: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body)
  } catch {
    return ""
  }
}

const eventOf = (body: Uint8Array): Result.Result<WebhookEvent, WebhookRefused> => {
  const value = parseJson(decodeText(body)) ?? {}
  const isEnvelope = ["id", "type", "timestamp"].every((name) => typeof value[name] === "string")
  // `data` comes from the service and is signed. As with every answer of the client, its schema is only a type.
  return isEnvelope
    ? Result.succeed({ data: {}, ...value } as WebhookEvent)
    : Result.fail(new WebhookRefused("INVALID_BODY"))
}

const verified = Effect.fnUntraced(function* (publicKey: string, body: Uint8Array, header: string | null | undefined) {
  const p256 = yield* P256
  const key = yield* p256
    .publicKey(pointOf(publicKey) ?? "")
    .pipe(Effect.mapError(() => new WebhookRefused("INVALID_PUBLIC_KEY")))
  const signature = yield* Effect.fromResult(signatureOf(header))
  if (!(yield* p256.verify(key, body, signature))) return yield* Effect.fail(new WebhookRefused("SIGNATURE_MISMATCH"))
  return yield* Effect.fromResult(eventOf(body))
})

/** Makes a verifier of one deployment's webhooks. */
export const makeWebhookVerifier = ({
  publicKey,
  signatureHeader = "X-Service-Signature",
}: WebhookVerifierOptions): WebhookVerifier => {
  const runtime = ManagedRuntime.make(portable)
  const verify: WebhookVerifier["verify"] = (body, signature) =>
    runtime.runPromise(verified(publicKey, body, signature))
  return {
    verify,
    verifyRequest: async (request) =>
      verify(new Uint8Array(await request.arrayBuffer()), request.headers.get(signatureHeader)),
  }
}
