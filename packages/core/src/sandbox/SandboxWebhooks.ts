/**
 * Webhook endpoints in the sandbox: every endpoint is taken at its word and receives events at once.
 * Source: D-332.
 */
import { Layer } from "effect"
import { WebhookTrust } from "../settings/WebhookTrust.ts"

export const layer = Layer.succeed(WebhookTrust, "WORD")
