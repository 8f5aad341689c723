/** What the tests run in a browser: the clients and the verification of webhooks. */
export * from "@countersign/client"
export { verifyWebhook } from "@countersign/client/webhook"
