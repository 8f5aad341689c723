/**
 * Verifies webhooks, in browsers and on servers: the signature, the time of the attempt, and the platform.
 * Source: wire contract 0.1 and 6.2 (ECDSA on P-256 with SHA-256, DER); https://www.standardwebhooks.com; D-302, D-331.
 */
import { Mac, P256, PortableCrypto } from "@countersign/core/crypto"
import { serviceNameDefault, spelled } from "@countersign/core/models"
import { Clock, Effect, Layer, ManagedRuntime, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64, Hex } from "effect/encoding"
import { neutralEvents } from "./NeutralEvent.ts"
import { pointOf } from "./PublicKeyPem.ts"
import { attemptBytes, attemptOf, namedSignatures, parseJson, specifiedSignature } from "./SignatureHeaders.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"
import { WebhookRefused } from "./WebhookRefused.ts"

/** A key of the platform: an entry of `GET /webhooks/keys`. */
export interface WebhookPublicKey {
  readonly id: string
  /** SPKI PEM. */
  readonly publicKey: string
}

export interface WebhookVerifierOptions {
  /** The platform whose events are accepted: the `id` of `GET /config`. Without it, events of every platform are. */
  readonly platformId?: string
  /** The platform's keys: `data` of `GET /webhooks/keys`. Fetch them again after a refusal with `UNKNOWN_KEY`. */
  readonly keys?: ReadonlyArray<WebhookPublicKey>
  /** Secrets of `POST /webhooks/keys/{keyId}/reveal`, for the symmetric signatures of Standard Webhooks. */
  readonly secrets?: ReadonlyArray<string>
  /** One public key as SPKI PEM (`GET /webhooks/public-key`), for the specified header, which has no time and so does not prevent replays. */
  readonly publicKey?: string
  /** How far the time of an attempt may be from now. Default: 300. */
  readonly toleranceSeconds?: number
  /** The service's name in the deployment, `Service` by default: in the header `X-Service-Signature`, and in the names of fields and values. */
  readonly serviceName?: string
  /** The specified signature header, if a proxy renames it; `X-Service-Signature` by default. */
  readonly signatureHeader?: string
  /** Unix milliseconds. Default: the system's clock. */
  readonly now?: () => number
}

/** Both methods reject with `WebhookRefused`. */
export interface WebhookVerifier {
  /** Returns the event of a body and its specified header. Pass the bytes as they were received, before anything parses them. */
  readonly verify: (body: Uint8Array, signature: string | null | undefined) => Promise<WebhookEvent>
  /** Returns the event of a request, whose body it reads. With `keys` or `secrets` it accepts only signatures that contain the time. */
  readonly verifyRequest: (request: Request) => Promise<WebhookEvent>
}

const portable = Layer.provide(PortableCrypto.layer, SecureRandom.layerWebCrypto)

const refuse = (reason: WebhookRefused["reason"]) => Effect.fail(new WebhookRefused(reason))

const decodeText = (body: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body)
  } catch {
    return ""
  }
}

/** The options of one verifier, with what it derives from them once. */
interface Verification extends WebhookVerifierOptions {
  readonly signatureHeader: string
  /** Returns the event with the names of the contract. */
  readonly neutral: ReturnType<typeof neutralEvents>
}

/** Returns the event of a signed body. `id` is the one that the signatures of an attempt cover. */
const eventOf = Effect.fnUntraced(function* (body: Uint8Array, { neutral, platformId }: Verification, id?: string) {
  const value = parseJson(decodeText(body)) ?? {}
  const isEnvelope = ["id", "type", "timestamp"].every((name) => typeof value[name] === "string")
  if (!isEnvelope || (id !== undefined && value["id"] !== id)) return yield* refuse("INVALID_BODY")
  if (platformId !== undefined && value["platformId"] !== platformId) return yield* refuse("FOREIGN_PLATFORM")
  // `data` comes from the service and is signed. As with every answer of the client, its schema is only a type.
  return { data: {}, ...neutral(value) } as WebhookEvent
})

const isSignedBy = Effect.fnUntraced(function* (publicKey: string, message: Uint8Array, signature: string) {
  const p256 = yield* P256
  const key = yield* Effect.mapError(
    p256.publicKey(pointOf(publicKey) ?? ""),
    () => new WebhookRefused("INVALID_PUBLIC_KEY"),
  )
  return yield* p256.verify(key, message, signature)
})

/** Checks the specified header: the signature of one key, and with several given keys of any of them. */
const verifySpecified = Effect.fnUntraced(function* (
  options: Verification,
  body: Uint8Array,
  header: string | null | undefined,
) {
  const { keys = [], publicKey } = options
  const all = [...(publicKey === undefined ? [] : [publicKey]), ...keys.map((key) => key.publicKey)]
  const signature = yield* Effect.fromResult(specifiedSignature(header))
  // All keys are read, so that an invalid one is always reported.
  const checks = yield* Effect.forEach(all, (key) => isSignedBy(key, body, signature))
  if (checks.length === 0) return yield* refuse("INVALID_PUBLIC_KEY")
  return checks.includes(true) ? yield* eventOf(body, options) : yield* refuse("SIGNATURE_MISMATCH")
})

const secretBytes = (secret: string) => {
  const bytes = secret.startsWith("whsec_") ? Result.getOrUndefined(Base64.decode(secret.slice(6))) : undefined
  return bytes === undefined || bytes.length === 0 ? refuse("INVALID_SECRET") : Effect.succeed(bytes)
}

/** Checks the signatures by key; an entry of a key that is not given says nothing. */
const verifyByKey = Effect.fnUntraced(function* (
  keys: ReadonlyArray<WebhookPublicKey>,
  message: Uint8Array,
  header: string | null,
) {
  const entries = yield* Effect.fromResult(namedSignatures(header))
  const known = entries.flatMap(({ name, signature }) =>
    keys.filter(({ id }) => id === name).map(({ publicKey }) => ({ publicKey, signature })),
  )
  if (known.length === 0) return yield* refuse("UNKNOWN_KEY")
  const checks = yield* Effect.forEach(known, ({ publicKey, signature }) =>
    isSignedBy(publicKey, message, Hex.encode(signature)),
  )
  return checks.includes(true) ? undefined : yield* refuse("SIGNATURE_MISMATCH")
})

/** Checks the `v1` signatures of Standard Webhooks; entries of other schemes say nothing. */
const verifyBySecret = Effect.fnUntraced(function* (
  secrets: ReadonlyArray<string>,
  message: Uint8Array,
  header: string | null,
) {
  const entries = yield* Effect.fromResult(namedSignatures(header))
  const keys = yield* Effect.forEach(secrets, secretBytes)
  const isAuthentic = entries.some(
    ({ name, signature }) => name === "v1" && keys.some((key) => Mac.isAuthentic(key, message, signature)),
  )
  return isAuthentic ? undefined : yield* refuse("SIGNATURE_MISMATCH")
})

/** Checks a request by the strongest signature for which the options have a key: by key, symmetric, or the specified one. */
const verifyHeaders = Effect.fnUntraced(function* (options: Verification, headers: Headers, body: Uint8Array) {
  const { keys = [], now, secrets = [], signatureHeader, toleranceSeconds = 300 } = options
  if (keys.length + secrets.length === 0) return yield* verifySpecified(options, body, headers.get(signatureHeader))
  const attempt = yield* Effect.fromResult(attemptOf(headers.get("webhook-id"), headers.get("webhook-timestamp")))
  const message = attemptBytes(attempt, body)
  const byKey = headers.get(signatureHeader.replace(/-Signature$/iu, "-Key-Signatures"))
  if (keys.length > 0 && (byKey !== null || secrets.length === 0)) yield* verifyByKey(keys, message, byKey)
  else yield* verifyBySecret(secrets, message, headers.get("webhook-signature"))
  const millis = now === undefined ? yield* Clock.currentTimeMillis : now()
  if (!(Math.abs(millis / 1000 - attempt.timestamp) <= toleranceSeconds)) {
    return yield* refuse("TIMESTAMP_OUT_OF_TOLERANCE")
  }
  return yield* eventOf(body, options, attempt.id)
})

/** Makes a verifier of one platform's webhooks. */
export const makeWebhookVerifier = (options: WebhookVerifierOptions): WebhookVerifier => {
  const runtime = ManagedRuntime.make(portable)
  const { serviceName = serviceNameDefault } = options
  const { signatureHeader = spelled("X-Service-Signature", serviceName) } = options
  const verification = { ...options, signatureHeader, neutral: neutralEvents(serviceName) }
  return {
    verify: (body, signature) => runtime.runPromise(verifySpecified(verification, body, signature)),
    verifyRequest: async (request) =>
      runtime.runPromise(verifyHeaders(verification, request.headers, new Uint8Array(await request.arrayBuffer()))),
  }
}

/** Verifies one request, whose body it reads. Rejects with `WebhookRefused`. */
export const verifyWebhook = (request: Request, options: WebhookVerifierOptions): Promise<WebhookEvent> =>
  makeWebhookVerifier(options).verifyRequest(request)
