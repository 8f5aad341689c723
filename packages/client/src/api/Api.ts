/**
 * The whole interface. Paths are relative to the base address, which the server chooses.
 * Spec: Endpoints, Versioning (2025-10-13).
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { AccountsApi } from "./AccountsApi.ts"
import { AgentsApi } from "./AgentsApi.ts"
import { AgentsMeApi } from "./AgentsMeApi.ts"
import { AuditApi } from "./AuditApi.ts"
import { BulkImportsApi } from "./BulkImportsApi.ts"
import { CardsApi } from "./CardsApi.ts"
import { CustomersApi } from "./CustomersApi.ts"
import { DocumentsApi } from "./DocumentsApi.ts"
import { ExternalAccountsApi } from "./ExternalAccountsApi.ts"
import { InvitationsApi } from "./InvitationsApi.ts"
import { OnboardingApi } from "./OnboardingApi.ts"
import { OperationsApi } from "./OperationsApi.ts"
import { OperatorBooksApi } from "./OperatorBooksApi.ts"
import { OperatorChangesApi } from "./OperatorChangesApi.ts"
import { OperatorEventsApi } from "./OperatorEventsApi.ts"
import { OperatorPoliciesApi } from "./OperatorPoliciesApi.ts"
import { OperatorRecordsApi } from "./OperatorRecordsApi.ts"
import { OperatorTimeApi } from "./OperatorTimeApi.ts"
import { PlatformApi } from "./PlatformApi.ts"
import { QuotesApi } from "./QuotesApi.ts"
import { ReceiversApi } from "./ReceiversApi.ts"
import { SandboxApi } from "./SandboxApi.ts"
import { SandboxCardsApi } from "./SandboxCardsApi.ts"
import { SandboxEventsApi } from "./SandboxEventsApi.ts"
import { SandboxFaultsApi } from "./SandboxFaultsApi.ts"
import { SandboxInboxApi } from "./SandboxInboxApi.ts"
import { SandboxRequestsApi } from "./SandboxRequestsApi.ts"
import { SandboxScenariosApi } from "./SandboxScenariosApi.ts"
import { SandboxWorldsApi } from "./SandboxWorldsApi.ts"
import { ScaApi } from "./ScaApi.ts"
import { StablecoinsApi } from "./StablecoinsApi.ts"
import { TokensApi } from "./TokensApi.ts"
import { TransactionsApi } from "./TransactionsApi.ts"
import { TransfersApi } from "./TransfersApi.ts"
import { WalletApi } from "./WalletApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"

/** The version segment in which the base address ends. */
export const apiVersion = "2025-10-13"
/** The path under which the API is served by default: its version, `/2025-10-13`. Spec: Versioning. */
export const basePathDefault = `/${apiVersion}`

const reportAll = { errors: "all" } as const

/** The texts of the whole interface in the OpenAPI document. */
const texts = OpenApi.annotations({
  title: "Payments Service API",
  version: apiVersion,
  description:
    "Moves money between internal accounts, held at the service, and external accounts. Agents act for one customer within a policy; actions that the policy does not allow by itself wait for the platform's approval. Bodies are JSON; amounts are integers in the smallest unit of the currency; times are ISO 8601 in UTC.",
})

/** The groups by name: the compiler does not write out the whole type of the interface, which is too long. */
type LiveGroups =
  | typeof AgentsMeApi
  | typeof AgentsApi
  | typeof CustomersApi
  | typeof OnboardingApi
  | typeof DocumentsApi
  | typeof BulkImportsApi
  | typeof ScaApi
  | typeof AccountsApi
  | typeof ExternalAccountsApi
  | typeof QuotesApi
  | typeof ReceiversApi
  | typeof TransfersApi
  | typeof TransactionsApi
  | typeof PlatformApi
  | typeof TokensApi
  | typeof WebhooksApi
  | typeof OperatorEventsApi
  | typeof OperatorChangesApi
  | typeof WalletApi
  | typeof AuditApi
  | typeof OperationsApi
  | typeof OperatorBooksApi
  | typeof OperatorPoliciesApi
  | typeof OperatorRecordsApi
  | typeof OperatorTimeApi
  | typeof CardsApi
  | typeof StablecoinsApi
  | typeof InvitationsApi
type SandboxGroups =
  | typeof SandboxApi
  | typeof SandboxCardsApi
  | typeof SandboxEventsApi
  | typeof SandboxInboxApi
  | typeof SandboxRequestsApi
  | typeof SandboxWorldsApi
  | typeof SandboxScenariosApi
  | typeof SandboxFaultsApi

/** The interface of a live deployment: all operations except those of the sandbox. */
export const LiveApi: HttpApi.HttpApi<"countersign", LiveGroups> = HttpApi.make("countersign")
  .add(
    AgentsMeApi,
    AgentsApi,
    CustomersApi,
    OnboardingApi,
    DocumentsApi,
    BulkImportsApi,
    ScaApi,
    AccountsApi,
    ExternalAccountsApi,
    QuotesApi,
    ReceiversApi,
    TransfersApi,
    TransactionsApi,
    PlatformApi,
    TokensApi,
    WebhooksApi,
    OperatorEventsApi,
    OperatorChangesApi,
    WalletApi,
    AuditApi,
    OperationsApi,
    OperatorBooksApi,
    OperatorRecordsApi,
    OperatorPoliciesApi,
    OperatorTimeApi,
    CardsApi,
    StablecoinsApi,
    InvitationsApi,
  )
  .annotate(HttpApi.PayloadParseOptions, reportAll)
  .annotate(HttpApi.QueryParseOptions, reportAll)
  .annotate(HttpApi.HeadersParseOptions, reportAll)
  .annotateMerge(texts)

export const Api: HttpApi.HttpApi<"countersign", LiveGroups | SandboxGroups> = LiveApi.add(
  SandboxApi,
  SandboxCardsApi,
  SandboxEventsApi,
  SandboxInboxApi,
  SandboxRequestsApi,
  SandboxWorldsApi,
  SandboxScenariosApi,
  SandboxFaultsApi,
)
export type Api = typeof Api
