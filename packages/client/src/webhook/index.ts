/** Verification of webhooks, for servers and browsers. Source: D-302. */
export { challengeResponse } from "./ChallengeResponse.ts"
export type { WebhookEvent } from "./WebhookEvent.ts"
export { type WebhookRefusalReason, WebhookRefused } from "./WebhookRefused.ts"
export {
  makeWebhookVerifier,
  verifyWebhook,
  type WebhookPublicKey,
  type WebhookVerifier,
  type WebhookVerifierOptions,
} from "./WebhookVerifier.ts"
