/**
 * Whether a webhook endpoint must prove that it is the platform's before it receives events. The sandbox takes it at its word.
 * Source: D-332.
 */
import { Context } from "effect"
import type { EndpointTrust } from "../model/event/WebhookEndpoint.ts"

export const WebhookTrust = Context.Reference<EndpointTrust>("@countersign/core/WebhookTrust", {
  defaultValue: () => "PROOF",
})
