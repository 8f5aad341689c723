/** A stored endpoint for tests of decisions about webhooks. */
import type { EndpointLoaded } from "../../../packages/core/src/decision/event/EndpointDecision.ts"
import { closedCircuit } from "../../../packages/core/src/model/event/Circuit.ts"
import type { WebhookEndpoint } from "../../../packages/core/src/model/event/WebhookEndpoint.ts"
import { now, owner } from "../card/StoredCards.ts"

const { platformId } = owner

export const minute = 60_000
export const url = "https://a.example/hook"
export const active: WebhookEndpoint = {
  url,
  state: "ACTIVE",
  circuit: closedCircuit,
  proof: { number: 2, windowStart: now - minute, sent: 3 },
}
export const pending: WebhookEndpoint = { ...active, state: "PENDING" }

/** What a decision loads; without data: the platform has no endpoint. */
export const loadedOf = (data?: WebhookEndpoint): EndpointLoaded => ({
  endpoint:
    data === undefined
      ? undefined
      : {
          kind: "WebhookEndpoint",
          id: platformId,
          platformId,
          customerId: null,
          version: 3,
          createdAt: 1,
          updatedAt: 1,
          data,
        },
})
