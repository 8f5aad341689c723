/**
 * The public names of the core: the assembled service, its services, the caller, and failures.
 * Ports are in `ports.ts`, wire schemas and tables in `models.ts`, the Store port in `store.ts`. Source: architecture, "Layers are folders".
 */

// The assembled core
export * as Countersign from "./Countersign.ts"
export type { RequestedAction } from "./decision/approval/ActionLoaded.ts"
export type { Vote } from "./decision/approval/ActionVote.ts"
export type { DefiniteOutcome } from "./decision/transaction/OutcomeDecision.ts"
// Orders that services take
export type { TransferInOrder } from "./decision/transaction/TransferInDecision.ts"
export type { TransferOutOrder } from "./decision/transaction/TransferOutDecision.ts"
// What a transport needs
export * as ByteDigest from "./foundation/crypto/ByteDigest.ts"
export * as Secrets from "./foundation/crypto/Secrets.ts"
// Failures
export {
  type BoundedProblems,
  cut,
  type FieldProblem,
  type ProblemList,
  problemList,
  problemsMax,
} from "./foundation/errors/FieldProblems.ts"
export {
  bodyOf,
  type ErrorBody,
  invalidInput,
  invalidInputOf,
  notFound,
  type Refusal,
  ServiceError,
  unauthorized,
} from "./foundation/errors/ServiceError.ts"
export * as JsonLimits from "./foundation/kit/JsonLimits.ts"
export * as Outside from "./foundation/kit/Outside.ts"
export * as RequestRate from "./foundation/kit/RequestRate.ts"
export * as SecretMask from "./foundation/kit/SecretMask.ts"

export { traced } from "./foundation/kit/Traced.ts"
export { agentPaused, permissionMissing } from "./model/agent/PolicyRules.ts"
export type { CardMessage } from "./model/card/CardMessageRules.ts"
export {
  Authentication,
  type RequestAccess,
  type SignedInAgent,
  type SignedInApprover,
} from "./operation/Authentication.ts"
export { CurrentSignIn, type DeferredSignIn } from "./operation/DeferredSignIn.ts"
// Services: every tag that `Countersign.layer` provides, so that a layer made of it has a type that others can name
export type { FileBytes, IncomingForm, PartDigest, ReceivedForm } from "./operation/IncomingForm.ts"
export { Jobs } from "./operation/Jobs.ts"
export * as Metrics from "./operation/Metrics.ts"
export type { Answered, Keyed } from "./operation/Operation.ts"
export { RequestId } from "./operation/RequestId.ts"
export { makeRequestTrace, RequestTrace } from "./operation/RequestTrace.ts"
export { AccountVerifications } from "./service/account/AccountVerifications.ts"
export { CollectionAccounts } from "./service/account/CollectionAccounts.ts"
export { Discoveries } from "./service/account/Discoveries.ts"
export type { AccountScope } from "./service/account/ExternalAccountReads.ts"
export { ExternalAccounts } from "./service/account/ExternalAccounts.ts"
export { InternalAccounts } from "./service/account/InternalAccounts.ts"
export { Ownerships } from "./service/account/Ownerships.ts"
export { Vasps } from "./service/account/Vasps.ts"
export { Agents } from "./service/agent/Agents.ts"
export { DeviceCodes } from "./service/agent/DeviceCodes.ts"
export { ActionVotes, type VoteOn, VotePasskey } from "./service/approval/ActionVotes.ts"
export { AgentActions } from "./service/approval/AgentActions.ts"
export { AgentQuotes } from "./service/approval/AgentQuotes.ts"
export { ApprovalDeadlines } from "./service/approval/ApprovalDeadlines.ts"
export { type BegunSession, ConsolePasskey, ConsoleSessions } from "./service/approval/ConsoleSessions.ts"
export { PolicyComparisons } from "./service/approval/PolicyComparisons.ts"
export { PolicyEvaluations } from "./service/approval/PolicyEvaluations.ts"
export { AuditRecords, type AuditRecordsQuery } from "./service/audit/AuditRecords.ts"
export { BulkImports } from "./service/bulk/BulkImports.ts"
export { CardProvisionings } from "./service/card/CardProvisionings.ts"
export { CardReveals } from "./service/card/CardReveals.ts"
export { CardSimulations } from "./service/card/CardSimulations.ts"
export { Cards } from "./service/card/Cards.ts"
export { CardTransactions } from "./service/card/CardTransactions.ts"
export { DelegatedKeys } from "./service/card/DelegatedKeys.ts"
export { AccountOpenings } from "./service/customer/AccountOpenings.ts"
export { BeneficialOwners } from "./service/customer/BeneficialOwners.ts"
export { ContactVerifications } from "./service/customer/ContactVerifications.ts"
export { CustomerAccess } from "./service/customer/CustomerAccess.ts"
export { Customers } from "./service/customer/Customers.ts"
export { Verifications } from "./service/customer/Verifications.ts"
export { Documents } from "./service/document/Documents.ts"
export { Events, type EventsQuery } from "./service/event/Events.ts"
export { WebhookEndpoints } from "./service/event/WebhookEndpoints.ts"
export { WebhookKeys } from "./service/event/WebhookKeys.ts"
export { Webhooks } from "./service/event/Webhooks.ts"
export { Faults } from "./service/fault/Faults.ts"
export { Files, type ReceivedFile } from "./service/file/Files.ts"
export { Inboxes, type ReceivedMessage } from "./service/inbox/Inboxes.ts"
export { Invitations } from "./service/invitation/Invitations.ts"
export { BankReports, type ReconciliationQuery } from "./service/ledger/BankReports.ts"
export { type AccountsQuery, type EntriesQuery, PlatformBooks } from "./service/ledger/PlatformBooks.ts"
export { ApiTokens } from "./service/platform/ApiTokens.ts"
export { ChangeWatch } from "./service/platform/ChangeWatch.ts"
export { ParkedJobs, type ParkedJobsQuery } from "./service/platform/ParkedJobs.ts"
export { Platforms } from "./service/platform/Platforms.ts"
export { ExchangeRateLists } from "./service/quote/ExchangeRateLists.ts"
export { FeeSweeps } from "./service/quote/FeeSweeps.ts"
export { QuoteAuthorizations } from "./service/quote/QuoteAuthorizations.ts"
export { QuoteFundings } from "./service/quote/QuoteFundings.ts"
export { Quotes } from "./service/quote/Quotes.ts"
export { Receivers } from "./service/receiver/Receivers.ts"
export { UmaArrivals } from "./service/receiver/UmaArrivals.ts"
export { UmaProviders } from "./service/receiver/UmaProviders.ts"
export { WithdrawalFees } from "./service/receiver/WithdrawalFees.ts"
export { Records, type RecordsQuery } from "./service/record/Records.ts"
export { SeenReports } from "./service/report/SeenReports.ts"
export {
  type PreparedRequest,
  RequestSending,
  type SendingAs,
} from "./service/request/RequestSending.ts"
export { type RequestHistory, Requests, type RequestsQuery } from "./service/request/Requests.ts"
export { BeneficiaryTrusts } from "./service/sca/BeneficiaryTrusts.ts"
export { ScaFactors } from "./service/sca/ScaFactors.ts"
export { ScaLogins } from "./service/sca/ScaLogins.ts"
export { ScaResets } from "./service/sca/ScaResets.ts"
export { ScenarioRuns } from "./service/scenario/ScenarioRuns.ts"
export { StablecoinFollowing } from "./service/stablecoin/StablecoinFollowing.ts"
export { StablecoinOperations, type StablecoinOperationsQuery } from "./service/stablecoin/StablecoinOperations.ts"
export {
  StablecoinProviderAccounts,
  type StablecoinProviderAccountsQuery,
} from "./service/stablecoin/StablecoinProviderAccounts.ts"
export { Stablecoins, type StablecoinsQuery } from "./service/stablecoin/Stablecoins.ts"
export { Clocks } from "./service/time/Clocks.ts"
export { UpcomingJobs, type UpcomingJobsQuery } from "./service/time/UpcomingJobs.ts"
export { DepositDeclarations } from "./service/transaction/DepositDeclarations.ts"
export { type DepositReport, Deposits } from "./service/transaction/Deposits.ts"
export { IncomingPayments } from "./service/transaction/IncomingPayments.ts"
export { Outcomes } from "./service/transaction/Outcomes.ts"
export { reportForPlatform } from "./service/transaction/ReportForPlatform.ts"
export { Transactions } from "./service/transaction/Transactions.ts"
export { Transfers } from "./service/transaction/Transfers.ts"
export { UnappliedMoney } from "./service/transaction/UnappliedMoney.ts"
export { Credentials } from "./service/wallet/Credentials.ts"
export { OtpChallenges } from "./service/wallet/OtpChallenges.ts"
export { addWalletRoot, retireWalletRoot, type WalletRootUse, walletRoots } from "./service/wallet/RootChanges.ts"
export { DamagedWalletRoot, OtherWalletSecret, type WalletSecrets } from "./service/wallet/RootRecord.ts"
export { Sessions } from "./service/wallet/Sessions.ts"
export { SignedRequests } from "./service/wallet/SignedRequests.ts"
export { SignIns } from "./service/wallet/SignIns.ts"
export { hasWalletRoots, openWalletRoots, rotateWalletSecret, walletVault } from "./service/wallet/WalletRoots.ts"
export { Wallets } from "./service/wallet/Wallets.ts"
export { Worlds } from "./service/world/Worlds.ts"
// The caller
export { type Caller, type CallingApprover, CurrentCaller, operatorOf, type Resender, tenant } from "./store/Caller.ts"
