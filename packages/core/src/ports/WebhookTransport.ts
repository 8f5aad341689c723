/**
 * How a webhook leaves the house, and who signs it.
 * Source: wire contract 6.2.
 */
import { Context, type Effect } from "effect"

export interface WebhookRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** The exact bytes that were signed, as text. */
  readonly body: string
  readonly timeoutMillis: number
}

/** What came of one attempt. A redirect is an answer like any other and is not followed. */
export type WebhookResult =
  | { readonly _tag: "Answered"; readonly status: number; readonly body: string }
  /** No answer: refused target, no connection, or time ran out. The reason names no secret. */
  | { readonly _tag: "Unreachable"; readonly reason: string }

/** Why an address may not be a webhook endpoint, for the `details` of a 400. */
export interface EndpointRefusal {
  readonly reason: string
}

export class WebhookTransport extends Context.Service<
  WebhookTransport,
  {
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResult>
    /** Whether the address may be configured; names are resolved and checked again at each connect. */
    readonly check: (url: string) => Effect.Effect<EndpointRefusal | undefined>
  }
>()("@countersign/core/WebhookTransport") {}

/** The deployment's webhook key. The private half never leaves the port. */
export class WebhookSigner extends Context.Service<
  WebhookSigner,
  {
    /** ECDSA on P-256 over SHA-256 of the bytes, DER, base64. */
    readonly sign: (body: string) => Effect.Effect<string>
    /** The public half as SPKI PEM. */
    readonly publicKey: string
  }
>()("@countersign/core/WebhookSigner") {}
