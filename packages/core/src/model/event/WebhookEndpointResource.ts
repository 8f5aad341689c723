/**
 * The webhook endpoint of a platform on the wire.
 * Source: D-332, D-333.
 */
import { Schema } from "effect"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { CircuitState } from "./Circuit.ts"
import { type WebhookEndpoint, WebhookEndpointState } from "./WebhookEndpoint.ts"

/** The largest number of waiting events that is counted. */
export const waitingEventsMax = 1000

export const WebhookEndpointResource = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  state: WebhookEndpointState.annotate({
    description:
      "`UNSET`, `DISABLED`: events are recorded, not sent. `PENDING`: the endpoint has not proven yet that it is the platform's; events wait. `ACTIVE`: events are sent.",
  }),
  circuit: CircuitState.annotate({
    description:
      "`CLOSED`: events are sent. `OPEN`: too many deliveries failed, and events wait until `nextAttemptAt`. `HALF_OPEN`: one event is sent as a probe; a success closes the circuit.",
  }),
  consecutiveFailures: Schema.Int,
  nextAttemptAt: Schema.optionalKey(
    Timestamp.annotate({ description: "When the next probe is sent, at the earliest." }),
  ),
  lastSuccessAt: Schema.optionalKey(Timestamp.annotate({ description: "Exact to a minute." })),
  lastFailure: Schema.optionalKey(Schema.Struct({ at: Timestamp, reason: Schema.String })),
  waitingEvents: Schema.Int.annotate({
    description: `Events that are not delivered yet; ${waitingEventsMax} stands for ${waitingEventsMax} or more.`,
  }),
}).annotate({ identifier: "WebhookEndpoint" })
export type WebhookEndpointResource = typeof WebhookEndpointResource.Type

export const toWebhookEndpoint = (
  { circuit, lastFailure, lastSuccessAt, state, url }: WebhookEndpoint,
  waitingEvents: number,
): WebhookEndpointResource => ({
  ...(url === undefined ? {} : { url }),
  state,
  circuit: circuit.state,
  consecutiveFailures: circuit.failures,
  ...(circuit.state === "OPEN" && circuit.until !== undefined ? { nextAttemptAt: iso(circuit.until) } : {}),
  ...(lastSuccessAt === undefined ? {} : { lastSuccessAt: iso(lastSuccessAt) }),
  ...(lastFailure === undefined ? {} : { lastFailure: { at: iso(lastFailure.at), reason: lastFailure.reason } }),
  waitingEvents,
})
