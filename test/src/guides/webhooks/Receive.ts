/** Verifies a delivery, answers the challenge of a new endpoint, and processes every other event. */
import {
  cachedKeys,
  challengeAnswer,
  verifyWebhook,
  type WebhookBody,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookPublicKey,
  WebhookRefused,
} from "@countersign/client/webhook"

export interface Platform {
  /** `id` of `GET /config`. */
  readonly platformId: string
  /** Returns `data` of `GET /webhooks/keys`. */
  readonly fetchKeys: () => Promise<ReadonlyArray<WebhookPublicKey>>
  readonly process: (event: WebhookEvent) => Promise<void>
}

export const receiver = ({ fetchKeys, platformId, process }: Platform) => {
  const keys = cachedKeys(fetchKeys)
  return async (headers: WebhookHeaders, body: WebhookBody) => {
    try {
      const event = await verifyWebhook(headers, body, keys, { platformId })
      const answer = challengeAnswer(event)
      if (answer === undefined) await process(event)
      return { status: 200, json: answer ?? {} } as const
    } catch (error) {
      if (error instanceof WebhookRefused) return { status: 400, json: { reason: error.reason } } as const
      throw error // your framework answers 500, and the service sends the event again
    }
  }
}

export type Receive = ReturnType<typeof receiver>
