/**
 * The public names for clients, without server code: a browser may import them.
 * Source: D-167, D-190.
 */
export type { KeyPair, PublicKey } from "@countersign/core/crypto"
export { ApiError } from "./call/ApiError.ts"
export * from "./call/Client.ts"
export * from "./signed/PasskeyAnswers.ts"
export * from "./signed/SignedClient.ts"
export * from "./signed/WalletCrypto.ts"
export type { WebhookEvent } from "./webhook/WebhookEvent.ts"
export { type WebhookRefusalReason, WebhookRefused } from "./webhook/WebhookRefused.ts"
export { makeWebhookVerifier, type WebhookVerifier, type WebhookVerifierOptions } from "./webhook/WebhookVerifier.ts"
