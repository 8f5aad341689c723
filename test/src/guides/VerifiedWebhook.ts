/** A receiver of webhooks that accepts the events of its own platform only. */
import {
  challengeResponse,
  verifyWebhook,
  type WebhookEvent,
  type WebhookVerifierOptions,
} from "@countersign/client/webhook"

/** `options`: `platformId` is the `id` of `GET /config`, `keys` the `data` of `GET /webhooks/keys`. */
export const receive = async (
  request: Request,
  options: WebhookVerifierOptions,
  process: (event: WebhookEvent) => Response,
): Promise<Response> => {
  const event = await verifyWebhook(request, options) // rejects with WebhookRefused; UNKNOWN_KEY: fetch the keys again
  return challengeResponse(event) ?? process(event)
}
