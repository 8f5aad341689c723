/** The public names of the HTTP adapter. */

export * from "./api/index.ts"
export * as Handlers from "./handlers/Handlers.ts"
export * from "./middleware/Answers.ts"
export * from "./middleware/Idempotency.ts"
export * as Problems from "./middleware/Problems.ts"
export * as AddressPolicy from "./server/AddressPolicy.ts"
export * as DocsPage from "./server/DocsPage.ts"
export * from "./server/NodeServer.ts"
export * as NodeWebhookSigner from "./server/NodeWebhookSigner.ts"
export * as NodeWebhookTransport from "./server/NodeWebhookTransport.ts"
export * as OpenApiDocument from "./server/OpenApiDocument.ts"
export * from "./server/WebHandler.ts"
