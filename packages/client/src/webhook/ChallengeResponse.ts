/**
 * The answer by which an endpoint proves that it is the platform's.
 * Source: D-332.
 */
import type { WebhookEvent } from "./WebhookEvent.ts"

/**
 * Returns the response to a challenge, or `undefined` for every other event. Pass a verified event with the expected platform: an
 * endpoint that answers the challenge of another platform would receive its events.
 */
export const challengeResponse = (event: WebhookEvent): Response | undefined =>
  event.type === "WEBHOOK_ENDPOINT.VERIFICATION" ? Response.json({ challenge: event.data.challenge }) : undefined
