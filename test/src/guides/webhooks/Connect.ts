/** A receiver of a platform's webhooks, with what the service says about the platform. */
import { type Credentials, makeClient } from "@countersign/client"
import type { WebhookEvent } from "@countersign/client/webhook"
import { receiver } from "./Receive.ts"

export const connect = async (
  baseUrl: string,
  credentials: Credentials,
  process: (event: WebhookEvent) => Promise<void>,
) => {
  const client = makeClient({ baseUrl, credentials })
  const { id: platformId } = await client.platform.getPlatformConfig()
  const fetchKeys = async () => (await client.webhooks.listWebhookKeys()).data
  return receiver({ platformId, fetchKeys, process })
}
