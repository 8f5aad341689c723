/** The public names of the HTTP adapter. */

export * as NodeCrypto from "./crypto/NodeCrypto.ts"
export * as PooledRandom from "./crypto/PooledRandom.ts"
export * as NodeCsv from "./csv/NodeCsv.ts"
export * as DnsDomains from "./embed/DnsDomains.ts"
export * from "./embed/Embed.ts"
export { EmbedOptionsError } from "./embed/EmbedChecks.ts"
export * from "./embed/EmbedOptions.ts"
export { type ExternalPorts, externalPorts } from "./embed/ExternalPorts.ts"
export * as Handlers from "./handlers/Handlers.ts"
export { answerChannelName, type PublishedAnswer } from "./middleware/AnswerChannel.ts"
export { type ClientAddressOptions, invalidProxies } from "./middleware/ClientAddress.ts"
export { inboxAddress } from "./middleware/InboxAddress.ts"
export { isLoopback, isPublicUrl, normalizedUrl } from "./middleware/PublicUrl.ts"
export {
  type LimitName,
  type ListenerLimitOptions,
  parseLimit,
  type ServerLimitOptions,
  type ServerLimits,
  serverLimits,
} from "./middleware/ServerLimits.ts"
export { type NodeListener, nodeListener, type RequestInfo } from "./server/NodeListener.ts"
export * from "./server/NodeServer.ts"
export * as OpenApiDocument from "./server/OpenApiDocument.ts"
export type { Page } from "./server/Page.ts"
export * as Telemetry from "./server/Telemetry.ts"
export * from "./server/WebHandler.ts"
export { makeWorkerHandler } from "./server/WorkerHandler.ts"
export { type DocumentEncryption, documentEncryptions, EncryptedVault } from "./vault/EncryptedVault.ts"
export { FolderVault } from "./vault/FolderVault.ts"
export * as WalletChecks from "./wallet/WalletChecks.ts"
export * as NodeWebhookSigner from "./webhook/NodeWebhookSigner.ts"
export * as NodeWebhookTransport from "./webhook/NodeWebhookTransport.ts"
