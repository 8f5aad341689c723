/**
 * Why a webhook is refused: a stable reason and its message.
 * Source: wire contract 6.2.
 */

const messages = {
  INVALID_PUBLIC_KEY: "The public key must be an SPKI PEM of a key on P-256.",
  INVALID_SIGNATURE_HEADER:
    "The signature header is missing or cannot be read: a service with a name of its own needs the option `serviceName`.",
  SIGNATURE_MISMATCH: "The signature does not match the body and the public key.",
  UNKNOWN_KEY: "None of the given keys signed the webhook: fetch the platform's keys again, and verify once more.",
  INVALID_TIMESTAMP:
    "The headers `webhook-id` and `webhook-timestamp` must be there once, with an id and Unix seconds.",
  TIMESTAMP_OUT_OF_TOLERANCE:
    "The webhook was sent too long ago, or the clocks differ: compare `now` with the header `webhook-timestamp`.",
  FOREIGN_PLATFORM: "The event belongs to another platform.",
  INVALID_SECRET: "A webhook secret must be `whsec_` and base64.",
  PARSED_BODY: "The body has been parsed: pass its bytes or its text as they were received.",
  BODY_TOO_LARGE: "The body is larger than any event.",
  INVALID_BODY: "The signed body must be JSON with `id`, `type` and `timestamp`.",
} as const

/** A stable name of the check that a webhook fails. */
export type WebhookRefusalReason = keyof typeof messages

/** The webhook is not an event of the service. `reason` is stable; `message` is for people. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused"
  readonly reason: WebhookRefusalReason

  constructor(reason: WebhookRefusalReason) {
    super(messages[reason])
    this.reason = reason
  }
}
