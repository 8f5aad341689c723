/**
 * Verifies webhooks, in browsers and on servers: the signature, the time of the attempt, and the platform.
 * Source: wire contract 6.2; https://www.standardwebhooks.com; D-331, D-442.
 */
import { serviceNameDefault, spelled } from "@countersign/core/names"
import { neutralEvents } from "./NeutralEvent.ts"
import { type Attempt, attemptBytes, attemptOf, namedSignatures, specifiedSignature } from "./SignatureHeaders.ts"
import { isAuthenticatedBy, isSignedBy } from "./Signatures.ts"
import { bytesOf, jsonOf, type WebhookBody } from "./WebhookBody.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"
import { headerOf, type WebhookHeaders } from "./WebhookHeaders.ts"
import type { WebhookKeySource, WebhookKeys, WebhookPublicKey } from "./WebhookKeys.ts"
import { WebhookRefused } from "./WebhookRefused.ts"

/** Which webhooks are accepted: of which platform, how old, and under which name of the service. */
export interface VerifyWebhookOptions {
  /** The platform whose events are accepted: the `id` of `GET /config`. Without it, events of every platform are. */
  readonly platformId?: string
  /** How far the time of an attempt may be from now. Default: 300. */
  readonly toleranceSeconds?: number
  /** The service's name in the deployment, `Service` by default: in the header `X-Service-Signature`, and in the names of fields and values. */
  readonly serviceName?: string
  /** Unix milliseconds. Default: the system's clock. */
  readonly now?: () => number
}

const refuseUnless = (holds: boolean, reason: WebhookRefused["reason"]): void => {
  if (!holds) throw new WebhookRefused(reason)
}

/** Whether one of the checks succeeds. All run, so that a key that cannot be read is always reported. */
const some = async (checks: ReadonlyArray<Promise<boolean>>) => (await Promise.all(checks)).includes(true)

/** An emergency rotation retires a key at once: a copy of it must not sign for receivers that know the listed keys. */
const mayVerify = ({ retiresAt, state }: WebhookPublicKey, { timestamp }: Attempt): boolean =>
  state !== "RETIRED" && !(retiresAt !== undefined && Date.parse(retiresAt) <= timestamp * 1000)

const isList = (keys: WebhookKeys): keys is ReadonlyArray<WebhookPublicKey> => Array.isArray(keys)

/** Checks the signatures by key; an entry of a key that is not given says nothing. */
const verifyByKey = async (
  keys: ReadonlyArray<WebhookPublicKey> | WebhookKeySource,
  attempt: Attempt,
  body: Uint8Array,
  header: string | undefined,
) => {
  const entries = namedSignatures(header)
  const knownIn = (given: ReadonlyArray<WebhookPublicKey>) =>
    entries.flatMap(({ name, signature }) =>
      given
        .filter((key) => key.id === name && mayVerify(key, attempt))
        .map(({ publicKey }) => ({ publicKey, signature })),
    )
  const first = knownIn(isList(keys) ? keys : await keys.current())
  const known = first.length > 0 || isList(keys) ? first : knownIn(await keys.refreshed())
  refuseUnless(known.length > 0, "UNKNOWN_KEY")
  const message = attemptBytes(attempt, body)
  const checks = known.map(({ publicKey, signature }) => isSignedBy(publicKey, message, signature))
  refuseUnless(await some(checks), "SIGNATURE_MISMATCH")
}

/** Checks the `v1` signatures of Standard Webhooks; entries of other schemes say nothing. */
const verifyBySecret = async (
  secrets: ReadonlyArray<string>,
  attempt: Attempt,
  body: Uint8Array,
  header: string | undefined,
) => {
  const entries = namedSignatures(header).filter(({ name }) => name === "v1")
  const message = attemptBytes(attempt, body)
  const checks = secrets.flatMap((secret) =>
    entries.map(({ signature }) => isAuthenticatedBy(secret, message, signature)),
  )
  refuseUnless(await some(checks), "SIGNATURE_MISMATCH")
}

/** Returns the envelope of a signed body. `attempt` is absent for the specified header, which covers the body alone. */
const envelopeOf = (body: Uint8Array, platformId: string | undefined, attempt?: Attempt) => {
  const value = jsonOf(body) ?? {}
  const isEnvelope = ["id", "type", "timestamp"].every((name) => typeof value[name] === "string")
  refuseUnless(isEnvelope && (attempt === undefined || value["id"] === attempt.id), "INVALID_BODY")
  refuseUnless(platformId === undefined || value["platformId"] === platformId, "FOREIGN_PLATFORM")
  return value
}

/**
 * Returns the event of a webhook. Pass the body as it was received, before anything parses it. Rejects with `WebhookRefused`, whose
 * `reason` is stable. With keys or secrets it accepts only signatures that contain the time.
 */
export const verifyWebhook = async (
  headers: WebhookHeaders,
  body: WebhookBody,
  keys: WebhookKeys,
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> => {
  const { now = Date.now, platformId, serviceName = serviceNameDefault, toleranceSeconds = 300 } = options
  const neutral = neutralEvents(serviceName)
  // `data` comes from the service and is signed. As with every answer of the client, its schema is only a type.
  const eventOf = (envelope: Parameters<typeof neutral>[0]) => ({ data: {}, ...neutral(envelope) }) as WebhookEvent
  const bytes = bytesOf(body)
  if ("publicKey" in keys) {
    const signature = specifiedSignature(headerOf(headers, spelled("X-Service-Signature", serviceName)))
    refuseUnless(await isSignedBy(keys.publicKey, bytes, signature), "SIGNATURE_MISMATCH")
    return eventOf(envelopeOf(bytes, platformId))
  }
  const attempt = attemptOf(headerOf(headers, "webhook-id"), headerOf(headers, "webhook-timestamp"))
  // Before the signature, whose check costs more. The comparison is false for a time that is not a number.
  const isTimely = Math.abs(now() / 1000 - attempt.timestamp) <= toleranceSeconds
  refuseUnless(isTimely, "TIMESTAMP_OUT_OF_TOLERANCE")
  if ("secrets" in keys) {
    await verifyBySecret(keys.secrets, attempt, bytes, headerOf(headers, "webhook-signature"))
  } else {
    const header = headerOf(headers, spelled("X-Service-Key-Signatures", serviceName))
    await verifyByKey(keys, attempt, bytes, header)
  }
  return eventOf(envelopeOf(bytes, platformId, attempt))
}
