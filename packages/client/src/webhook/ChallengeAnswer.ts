/**
 * The answer by which an endpoint proves that it is the platform's.
 * Source: D-332.
 */
import type { WebhookEvent } from "./WebhookEvent.ts"

/**
 * Returns the JSON with which to answer a challenge, with any 2xx status, or `undefined` for every other event. Pass a verified event, and
 * give its verification the platform: an endpoint that answers the challenge of another platform would receive its events.
 */
export const challengeAnswer = (event: WebhookEvent): { readonly challenge: string } | undefined =>
  event.type === "WEBHOOK_ENDPOINT.VERIFICATION" ? { challenge: event.data.challenge } : undefined
