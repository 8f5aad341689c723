/**
 * The webhook endpoint of a platform: whether events are sent to it, and how deliveries went.
 * Source: wire contract 6.2; D-332, D-333. Times are wall time in milliseconds.
 */
import { Schema } from "effect"
import { Circuit, closedCircuit } from "./Circuit.ts"
import { WebhookEndpointMachine } from "./WebhookEndpointMachine.ts"

export const WebhookEndpointState = Schema.Literals(["UNSET", "PENDING", "ACTIVE", "DISABLED"])
export type WebhookEndpointState = typeof WebhookEndpointState.Type

/** The stored data. The record has the platform's id. */
export const WebhookEndpoint = Schema.Struct({
  /** The URL that the state is about. */
  url: Schema.optionalKey(Schema.String),
  state: WebhookEndpointState,
  circuit: Circuit,
  /** The proof that is asked for: its number, and how many challenges were sent since when. */
  proof: Schema.Struct({ number: Schema.Int, windowStart: Schema.Int, sent: Schema.Int }),
  lastSuccessAt: Schema.optionalKey(Schema.Int),
  /** The reason names a status or a failed connection, never the body of an answer. */
  lastFailure: Schema.optionalKey(Schema.Struct({ at: Schema.Int, reason: Schema.String })),
})
export type WebhookEndpoint = typeof WebhookEndpoint.Type

export const unsetEndpoint: WebhookEndpoint = {
  state: WebhookEndpointMachine.follow(null, "Create").state,
  circuit: closedCircuit,
  proof: { number: 0, windowStart: 0, sent: 0 },
}

/** Whether endpoints must prove that they are the platform's before they receive events, or are taken at their word. */
export type EndpointTrust = "PROOF" | "WORD"

const requested = (endpoint: WebhookEndpoint, trust: EndpointTrust): WebhookEndpoint => ({
  ...endpoint,
  state: WebhookEndpointMachine.follow(endpoint.state, trust === "PROOF" ? "RequireProof" : "Trust").state,
  circuit: closedCircuit,
  proof: { ...endpoint.proof, number: endpoint.proof.number + 1 },
})

/** Returns the endpoint with another URL, or without one. A disabled endpoint stays disabled. Challenges stay counted. */
export const withUrl = (endpoint: WebhookEndpoint, url: string | undefined, trust: EndpointTrust): WebhookEndpoint => {
  const { proof, state } = endpoint
  if (url === undefined) {
    return state === "UNSET"
      ? endpoint
      : { ...unsetEndpoint, state: WebhookEndpointMachine.follow(state, "Unset").state, proof }
  }
  const fresh = { url, state, circuit: closedCircuit, proof }
  return state === "DISABLED" ? fresh : requested(fresh, trust)
}

/** Returns the endpoint as enabled; its circuit is closed, and an endpoint that must prove itself does so again. */
export const enabled = requested

export const disabled = (endpoint: WebhookEndpoint): WebhookEndpoint => ({
  ...endpoint,
  state: WebhookEndpointMachine.follow(endpoint.state, "Disable").state,
})

/** At most this many challenges are sent for a platform in this time, to whatever URLs. */
const challengeLimit = { max: 10, windowMillis: 60 * 60_000 } as const

/** Returns the endpoint with one more challenge sent; or when the next one may be sent. */
export const challenged = (
  endpoint: WebhookEndpoint,
  now: number,
): WebhookEndpoint | { readonly notBefore: number } => {
  const { number, sent, windowStart } = endpoint.proof
  const end = windowStart + challengeLimit.windowMillis
  if (now >= end) return { ...endpoint, proof: { number, windowStart: now, sent: 1 } }
  return sent < challengeLimit.max
    ? { ...endpoint, proof: { number, windowStart, sent: sent + 1 } }
    : { notBefore: end }
}

export const proven = (endpoint: WebhookEndpoint): WebhookEndpoint => ({
  ...endpoint,
  state: WebhookEndpointMachine.follow(endpoint.state, "Prove").state,
})
