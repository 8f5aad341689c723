/**
 * Sends webhooks.
 * Source: wire contract 6.2.
 */
import { Context, type Effect } from "effect"

/** One attempt to deliver an event, signed already. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** The exact signed bytes, as text. */
  readonly body: string
  /** Time limit of the whole attempt. */
  readonly timeoutMillis: number
}

/** The result of one attempt. A redirect is a response like any other and is not followed. */
export type WebhookResult =
  | { readonly _tag: "Answered"; readonly status: number; readonly body: string }
  /** No response: forbidden target, no connection, or a time-out. The reason contains no secret. */
  | { readonly _tag: "Unreachable"; readonly reason: string }

/** Why an address is not allowed as a webhook endpoint, for the `details` of a 400. */
export interface EndpointRefusal {
  readonly reason: string
}

export class WebhookTransport extends Context.Service<
  WebhookTransport,
  {
    /** Makes one attempt. What goes wrong is its result, never a failure: the service attempts again later. */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResult>
    /** Checks whether the address is allowed; names are resolved and checked again at each connection. */
    readonly check: (url: string) => Effect.Effect<EndpointRefusal | undefined>
    /**
     * Whether every caller of the service can reach by itself what the transport reaches, so that the body of an answer tells it nothing
     * new. Absent: not so.
     */
    readonly showsAnswers?: boolean
  }
>()("@countersign/core/WebhookTransport") {}
