/** The handlers of every group. */
import { Layer } from "effect"
import * as Accounts from "./AccountsHandlers.ts"
import * as Agents from "./AgentsHandlers.ts"
import * as AgentsMe from "./AgentsMeHandlers.ts"
import * as Audit from "./AuditHandlers.ts"
import * as BulkImports from "./BulkImportsHandlers.ts"
import * as Cards from "./CardsHandlers.ts"
import * as Customers from "./CustomersHandlers.ts"
import * as Documents from "./DocumentsHandlers.ts"
import * as ExternalAccounts from "./ExternalAccountsHandlers.ts"
import * as Invitations from "./InvitationsHandlers.ts"
import * as Onboarding from "./OnboardingHandlers.ts"
import * as Operations from "./OperationsHandlers.ts"
import * as OperatorBooks from "./OperatorBooksHandlers.ts"
import * as OperatorChanges from "./OperatorChangesHandlers.ts"
import * as OperatorEvents from "./OperatorEventsHandlers.ts"
import * as OperatorPolicies from "./OperatorPoliciesHandlers.ts"
import * as OperatorRecords from "./OperatorRecordsHandlers.ts"
import * as OperatorTime from "./OperatorTimeHandlers.ts"
import * as Platform from "./PlatformHandlers.ts"
import * as Quotes from "./QuotesHandlers.ts"
import * as Receivers from "./ReceiversHandlers.ts"
import * as SandboxCards from "./SandboxCardsHandlers.ts"
import * as SandboxEvents from "./SandboxEventsHandlers.ts"
import * as SandboxFaults from "./SandboxFaultsHandlers.ts"
import * as Sandbox from "./SandboxHandlers.ts"
import * as SandboxInbox from "./SandboxInboxHandlers.ts"
import * as SandboxRequests from "./SandboxRequestsHandlers.ts"
import * as SandboxScenarios from "./SandboxScenariosHandlers.ts"
import * as SandboxWorlds from "./SandboxWorldsHandlers.ts"
import * as Sca from "./ScaHandlers.ts"
import * as Stablecoins from "./StablecoinsHandlers.ts"
import * as Tokens from "./TokensHandlers.ts"
import * as Transactions from "./TransactionsHandlers.ts"
import * as Transfers from "./TransfersHandlers.ts"
import * as Wallet from "./WalletHandlers.ts"
import * as Webhooks from "./WebhooksHandlers.ts"

/** Provides the handlers of all groups, those of the sandbox included, over the services of `Countersign.layer`. */
export const layer = Layer.mergeAll(
  AgentsMe.layer,
  Agents.layer,
  Customers.layer,
  ExternalAccounts.layer,
  Onboarding.layer,
  Documents.layer,
  BulkImports.layer,
  Sca.layer,
  Accounts.layer,
  Platform.layer,
  Tokens.layer,
  Webhooks.layer,
  OperatorEvents.layer,
  OperatorChanges.layer,
  Audit.layer,
  Operations.layer,
  OperatorBooks.layer,
  OperatorRecords.layer,
  OperatorPolicies.layer,
  OperatorTime.layer,
  Cards.layer,
  Sandbox.layer,
  SandboxCards.layer,
  SandboxEvents.layer,
  SandboxInbox.layer,
  SandboxRequests.layer,
  SandboxWorlds.layer,
  SandboxScenarios.layer,
  SandboxFaults.layer,
  Transactions.layer,
  Transfers.layer,
  Wallet.layer,
  Quotes.layer,
  Receivers.layer,
  Stablecoins.layer,
  Invitations.layer,
)
