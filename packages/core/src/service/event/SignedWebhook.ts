/**
 * A webhook with its signatures: the specified header, the headers of Standard Webhooks, and one signature per key of the platform.
 * Source: wire contract 6.2; https://www.standardwebhooks.com (`webhook-id.webhook-timestamp.body`); D-329, D-331.
 */
import { Effect } from "effect"
import { spelled } from "../../foundation/names/ServiceName.ts"
import { serviceNameOf, type WireNames } from "../../settings/WireNames.ts"
import { type SigningKeys, specifiedKey } from "./WebhookKeys.ts"

export interface UnsignedWebhook {
  /** The id of the event, the same on every redelivery. */
  readonly id: string
  readonly body: string
  /** Wall time of this attempt, Unix milliseconds: receivers refuse an attempt that is sent again later. */
  readonly sentAt: number
}

/** Returns the headers of a delivery. */
export const signedHeaders = Effect.fnUntraced(function* (
  { body, id, sentAt }: UnsignedWebhook,
  keys: SigningKeys,
  names: WireNames,
) {
  const serviceName = serviceNameOf(names)
  const timestamp = String(Math.floor(sentAt / 1000))
  const timed = `${id}.${timestamp}.${body}`
  const specified = yield* specifiedKey(keys).sign(body)
  const symmetric = yield* Effect.forEach(keys, (key) => Effect.map(key.authenticate(timed), (mac) => `v1,${mac}`))
  const byKey = yield* Effect.forEach(keys, (key) => Effect.map(key.sign(timed), (der) => `${key.id},${der}`))
  return {
    "Content-Type": "application/json",
    [spelled("X-Service-Signature", serviceName)]:
      names.signatureForm === "json" ? JSON.stringify({ v: "1", s: specified }) : specified,
    [spelled("X-Service-Key-Signatures", serviceName)]: byKey.join(" "),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": symmetric.join(" "),
  }
})
