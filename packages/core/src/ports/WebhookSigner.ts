/**
 * Signs webhooks with keys of their platforms. A key is derived from a root of the deployment whenever it is needed, and never stored.
 * Source: wire contract 6.2; D-328, D-329.
 */
import { Context, type Effect, type Redacted } from "effect"

/** Names one key of a platform: the root from which it is derived, and its number. */
export interface WebhookKeyName {
  readonly platformId: string
  readonly rootId: string
  readonly number: number
}

/** A key of a platform: a key pair on P-256, and a secret for the symmetric signatures of Standard Webhooks. */
export interface PlatformWebhookKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly id: string
  /** SPKI PEM. */
  readonly publicKey: string
  /** `whsec_` and 32 bytes in base64. */
  readonly secret: Redacted.Redacted
  /** Signs SHA-256 of the text with ECDSA. Returns DER in base64. */
  readonly sign: (text: string) => Effect.Effect<string>
  /** Returns HMAC-SHA256 of the text with the secret, in base64. */
  readonly authenticate: (text: string) => Effect.Effect<string>
}

/** The id of a root that the process has generated for itself. Keys of such a root are lost when the process ends. */
export const generatedRootId = "generated"

/** The deployment's webhook keys. Private keys never leave the port. */
export class WebhookSigner extends Context.Service<
  WebhookSigner,
  {
    /** Signs SHA-256 of the bytes with the newest root itself: texts of the deployment, never webhooks. Returns DER in base64. */
    readonly sign: (body: string) => Effect.Effect<string>
    /** The public key of the newest root as SPKI PEM. */
    readonly publicKey: string
    /** The ids of the roots, newest first. New keys of platforms are derived from the first. */
    readonly roots: readonly [string, ...ReadonlyArray<string>]
    /** Derives a key; `undefined`: the process does not have its root. */
    readonly platformKey: (name: WebhookKeyName) => Effect.Effect<PlatformWebhookKey | undefined>
  }
>()("@countersign/core/WebhookSigner") {}
