/** The HTTP contract, without server code, so that browsers can import it. */
export * from "./Access.ts"
export * from "./AccountsApi.ts"
export * from "./AgentsApi.ts"
export * from "./AgentsMeApi.ts"
export * from "./Api.ts"
export * from "./BulkImportsApi.ts"
export * from "./Credentials.ts"
export * from "./CustomersApi.ts"
export * from "./DocumentsApi.ts"
export {
  fieldSpelling,
  inwardAnswers,
  inwardErrors,
  inwardRequests,
  outwardAnswers,
  type RequestSpelling,
} from "./EndpointSpelling.ts"
export * from "./Endpoints.ts"
export * from "./ExternalAccountsApi.ts"
export { describedFailure } from "./Failures.ts"
export * from "./OnboardingApi.ts"
export * from "./PlatformApi.ts"
export * from "./QuotesApi.ts"
export * from "./ReceiversApi.ts"
export * from "./SandboxApi.ts"
export * from "./ScaApi.ts"
export type { WithStatus } from "./Statuses.ts"
export * from "./TokensApi.ts"
export * from "./TransactionsApi.ts"
export { filePart, partsMax, textBytesMax, Upload } from "./Upload.ts"
export * from "./WalletApi.ts"
export { WebhookEntriesApi, webhookEntries, webhookGroup, webhookTypes } from "./WebhookEntries.ts"
