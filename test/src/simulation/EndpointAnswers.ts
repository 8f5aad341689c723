/** What the service has answered to the clients of a simulated run about the platform's webhook endpoint, its keys and its events. */
import type { AcceptedChange } from "./AcceptedChange.ts"

export interface EndpointChange extends AcceptedChange {
  /** Business time in milliseconds. It does not pass while clients act. */
  readonly at: number
  /** The new address, `null` without one; or that the present one is switched. */
  readonly to: { readonly url: string | null } | "DISABLED" | "ENABLED"
}

export interface KeyRotation {
  readonly at: number
  readonly overlapMillis: number
  /** The number of the new key. */
  readonly number: number
}

/** An open circuit that a client has read, and until when (wall time) nothing is sent. */
export interface OpenCircuit {
  readonly at: number
  readonly until: number
}

export interface EndpointAnswers {
  readonly changes: Array<EndpointChange>
  /** By key number. */
  readonly rotations: Map<number, KeyRotation>
  readonly openCircuits: Array<OpenCircuit>
  /** How often clients have had each event sent again. */
  readonly resent: Map<string, number>
  /** The events that were sent at the end, because the endpoint was out of service when they occurred. */
  readonly unsent: Set<string>
}

export const noEndpointAnswers = (): EndpointAnswers => ({
  changes: [],
  rotations: new Map(),
  openCircuits: [],
  resent: new Map(),
  unsent: new Set(),
})
