/**
 * Webhook keys on the wire: public keys, never secrets. The secret of a key is in an answer of its own, which nothing stores.
 * Source: wire contract 6.2; D-330.
 */
import { Schema } from "effect"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { overlap, WebhookKeyState } from "./WebhookKeyRing.ts"

export const WebhookKeyResource = Schema.Struct({
  id: Schema.String.annotate({ description: "The thumbprint of the public key (RFC 7638)." }),
  publicKey: Schema.String.annotate({ description: "SPKI PEM of a key on P-256." }),
  state: WebhookKeyState,
  createdAt: Timestamp,
  retiresAt: Schema.optionalKey(
    Timestamp.annotate({ description: "From this time on the key signs nothing. Absent for the newest key." }),
  ),
}).annotate({ identifier: "WebhookKey" })
export type WebhookKeyResource = typeof WebhookKeyResource.Type

/** The keys that sign a platform's webhooks, newest first and without pages. During a rotation two of them sign. */
export const WebhookKeyListResponse = Schema.Struct({ data: Schema.Array(WebhookKeyResource) }).annotate({
  identifier: "WebhookKeyListResponse",
})
export type WebhookKeyListResponse = typeof WebhookKeyListResponse.Type

/** Optional body of `POST /webhooks/keys/rotate`. */
export const WebhookKeyRotateRequest = Schema.Struct({
  overlapSeconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: overlap.minSeconds, maximum: overlap.maxSeconds })).annotate({
      description: `How long the previous key still signs beside the new one. Default: ${overlap.defaultSeconds}. With 0 the other keys retire at once.`,
    }),
  ),
}).annotate({ identifier: "WebhookKeyRotateRequest" })
export type WebhookKeyRotateRequest = typeof WebhookKeyRotateRequest.Type

/** Answer of `POST /webhooks/keys/{keyId}/reveal`. Each call is audited. */
export const WebhookSecretResponse = Schema.Struct({
  secret: Schema.String.annotate({
    ...secret,
    description: "`whsec_` and base64: the secret that libraries of Standard Webhooks take.",
  }),
}).annotate({ identifier: "WebhookSecretResponse" })
export type WebhookSecretResponse = typeof WebhookSecretResponse.Type
