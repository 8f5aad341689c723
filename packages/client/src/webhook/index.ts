/** Verification of webhooks, for servers and browsers. Source: D-442. */
export { challengeAnswer } from "./ChallengeAnswer.ts"
export { type VerifyWebhookOptions, verifyWebhook } from "./verifyWebhook.ts"
export { type WebhookBody, webhookBytesMax } from "./WebhookBody.ts"
export type { WebhookEvent, WebhookEventOf } from "./WebhookEvent.ts"
export type { WebhookHeaders } from "./WebhookHeaders.ts"
export {
  type CachedKeysOptions,
  cachedKeys,
  type WebhookKeySource,
  type WebhookKeys,
  type WebhookPublicKey,
} from "./WebhookKeys.ts"
export { type WebhookRefusalReason, WebhookRefused } from "./WebhookRefused.ts"
