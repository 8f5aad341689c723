/**
 * Why a webhook is refused: a stable reason and its message.
 * Source: wire contract 6.2.
 */

const messages = {
  INVALID_PUBLIC_KEY: "The public key must be an SPKI PEM of a key on P-256.",
  INVALID_SIGNATURE_HEADER: 'The signature header must be `{"v":"1","s":"<base64>"}` or a base64 signature.',
  SIGNATURE_MISMATCH: "The signature does not match the body and the public key.",
  INVALID_BODY: "The signed body must be JSON with `id`, `type` and `timestamp`.",
} as const

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
