/**
 * The assembled core: every service, built on the ports that an embedder provides.
 * Source: architecture, "Layers are folders".
 */
import { Effect, Layer } from "effect"
import { Authentication } from "./operation/Authentication.ts"
import * as ExchangeRateCache from "./operation/ExchangeRateCache.ts"
import { Jobs } from "./operation/Jobs.ts"
import * as OutsideAnswers from "./operation/OutsideAnswers.ts"
import { WrongSecrets } from "./operation/WrongSecrets.ts"
import { AccountVerifications } from "./service/account/AccountVerifications.ts"
import { CollectionAccounts } from "./service/account/CollectionAccounts.ts"
import { Discoveries } from "./service/account/Discoveries.ts"
import { ExternalAccounts } from "./service/account/ExternalAccounts.ts"
import { InternalAccounts } from "./service/account/InternalAccounts.ts"
import { Ownerships } from "./service/account/Ownerships.ts"
import { Vasps } from "./service/account/Vasps.ts"
import { Agents } from "./service/agent/Agents.ts"
import { DeviceCodes } from "./service/agent/DeviceCodes.ts"
import { ActionVotes } from "./service/approval/ActionVotes.ts"
import { AgentActions } from "./service/approval/AgentActions.ts"
import { AgentQuotes } from "./service/approval/AgentQuotes.ts"
import { ApprovalDeadlines } from "./service/approval/ApprovalDeadlines.ts"
import { ConsoleSessions } from "./service/approval/ConsoleSessions.ts"
import { PolicyComparisons } from "./service/approval/PolicyComparisons.ts"
import { PolicyEvaluations } from "./service/approval/PolicyEvaluations.ts"
import { AuditRecords } from "./service/audit/AuditRecords.ts"
import { BulkImports } from "./service/bulk/BulkImports.ts"
import { CardProvisionings } from "./service/card/CardProvisionings.ts"
import { CardReveals } from "./service/card/CardReveals.ts"
import { CardSimulations } from "./service/card/CardSimulations.ts"
import { Cards } from "./service/card/Cards.ts"
import { CardTransactions } from "./service/card/CardTransactions.ts"
import { DelegatedKeys } from "./service/card/DelegatedKeys.ts"
import { AccountOpenings } from "./service/customer/AccountOpenings.ts"
import { BeneficialOwners } from "./service/customer/BeneficialOwners.ts"
import { ContactVerifications } from "./service/customer/ContactVerifications.ts"
import { CustomerAccess } from "./service/customer/CustomerAccess.ts"
import { Customers } from "./service/customer/Customers.ts"
import { Verifications } from "./service/customer/Verifications.ts"
import { Documents } from "./service/document/Documents.ts"
import { Events } from "./service/event/Events.ts"
import { WebhookEndpoints } from "./service/event/WebhookEndpoints.ts"
import { WebhookKeys } from "./service/event/WebhookKeys.ts"
import { Webhooks } from "./service/event/Webhooks.ts"
import { Faults } from "./service/fault/Faults.ts"
import { Files } from "./service/file/Files.ts"
import { Inboxes } from "./service/inbox/Inboxes.ts"
import { Invitations } from "./service/invitation/Invitations.ts"
import { BankReports } from "./service/ledger/BankReports.ts"
import { PlatformBooks } from "./service/ledger/PlatformBooks.ts"
import { ApiTokens } from "./service/platform/ApiTokens.ts"
import { ChangeWatch } from "./service/platform/ChangeWatch.ts"
import { ParkedJobs } from "./service/platform/ParkedJobs.ts"
import { Platforms } from "./service/platform/Platforms.ts"
import { ExchangeRateLists } from "./service/quote/ExchangeRateLists.ts"
import { FeeSweeps } from "./service/quote/FeeSweeps.ts"
import { QuoteAuthorizations } from "./service/quote/QuoteAuthorizations.ts"
import { QuoteFundings } from "./service/quote/QuoteFundings.ts"
import { Quotes } from "./service/quote/Quotes.ts"
import { Receivers } from "./service/receiver/Receivers.ts"
import { UmaArrivals } from "./service/receiver/UmaArrivals.ts"
import { UmaProviders } from "./service/receiver/UmaProviders.ts"
import { WithdrawalFees } from "./service/receiver/WithdrawalFees.ts"
import { Records } from "./service/record/Records.ts"
import { SeenReports } from "./service/report/SeenReports.ts"
import { RequestSending } from "./service/request/RequestSending.ts"
import { Requests } from "./service/request/Requests.ts"
import { BeneficiaryTrusts } from "./service/sca/BeneficiaryTrusts.ts"
import { ScaFactors } from "./service/sca/ScaFactors.ts"
import { ScaLogins } from "./service/sca/ScaLogins.ts"
import { ScaResets } from "./service/sca/ScaResets.ts"
import { ScenarioRuns } from "./service/scenario/ScenarioRuns.ts"
import { ProviderInstructions } from "./service/stablecoin/ProviderInstructions.ts"
import { StablecoinFollowing } from "./service/stablecoin/StablecoinFollowing.ts"
import { StablecoinOperations } from "./service/stablecoin/StablecoinOperations.ts"
import { StablecoinProviderAccounts } from "./service/stablecoin/StablecoinProviderAccounts.ts"
import { Stablecoins } from "./service/stablecoin/Stablecoins.ts"
import { Clocks } from "./service/time/Clocks.ts"
import { UpcomingJobs } from "./service/time/UpcomingJobs.ts"
import { exchangeWithBanks } from "./service/transaction/BankExchanges.ts"
import { DepositDeclarations } from "./service/transaction/DepositDeclarations.ts"
import { Deposits } from "./service/transaction/Deposits.ts"
import { IncomingPayments } from "./service/transaction/IncomingPayments.ts"
import { Outcomes } from "./service/transaction/Outcomes.ts"
import { Transactions } from "./service/transaction/Transactions.ts"
import { Transfers } from "./service/transaction/Transfers.ts"
import { UnappliedMoney } from "./service/transaction/UnappliedMoney.ts"
import { Credentials } from "./service/wallet/Credentials.ts"
import { OtpChallenges } from "./service/wallet/OtpChallenges.ts"
import { Sessions } from "./service/wallet/Sessions.ts"
import { SignedRequests } from "./service/wallet/SignedRequests.ts"
import { SignIns } from "./service/wallet/SignIns.ts"
import { Wallets } from "./service/wallet/Wallets.ts"
import { Worlds } from "./service/world/Worlds.ts"

/** The workers, with a handler for every kind of job. */
const jobs = Layer.unwrap(
  Effect.gen(function* () {
    const outcomes = yield* Outcomes
    const payments = yield* IncomingPayments
    const webhooks = yield* Webhooks
    const endpoints = yield* WebhookEndpoints
    const verifications = yield* AccountVerifications
    const openings = yield* AccountOpenings
    const collections = yield* CollectionAccounts
    const deposits = yield* Deposits
    const declarations = yield* DepositDeclarations
    const cards = yield* CardProvisionings
    const cardTransactions = yield* CardTransactions
    const fundings = yield* QuoteFundings
    const deadlines = yield* ApprovalDeadlines
    const sweeps = yield* FeeSweeps
    const invitations = yield* Invitations
    const providerAccounts = yield* StablecoinProviderAccounts
    const stablecoins = yield* Stablecoins
    const following = yield* StablecoinFollowing
    const files = yield* Files
    const imports = yield* BulkImports
    return Jobs.layer({
      "transfer.pull": outcomes.ask,
      "transfer.push": outcomes.ask,
      "transfer.refund": outcomes.refund,
      "transfer.cancel": outcomes.cancel,
      "transfer.confirm": outcomes.confirm,
      "quote.deliver": outcomes.deliver,
      "quote.pull": fundings.pull,
      "quote.end": fundings.end,
      "approval.expire": deadlines.expire,
      "approval.escalate": deadlines.escalate,
      "fees.sweep": sweeps.sweep,
      "invitation.end": invitations.end,
      "invitation.claim": invitations.respond,
      "payment.question": payments.ask,
      "payment.time-out": payments.timeOut,
      "deposit.ask": deposits.ask,
      "deposit.screen": declarations.screen,
      "deposit.declared": declarations.declared,
      "deposit.expire": deposits.expire,
      "deposit.refund": deposits.refund,
      "account.verify": verifications.verify,
      "account.collection": collections.ask,
      "accounts.open": openings.open,
      "card.provision": cards.provision,
      "card.state": cards.notifyState,
      "card.collect": cardTransactions.collect,
      "card.expire": cardTransactions.expire,
      "stablecoin.check": providerAccounts.check,
      "stablecoin.describe": stablecoins.describe,
      "stablecoin.attempt": following.attempt,
      "stablecoin.follow": following.follow,
      "stablecoin.expire": following.expire,
      "import.run": imports.run,
      "import.expire": imports.expire,
      "file.sweep": files.sweep,
      "file.erase": files.erase,
      "webhook.deliver": webhooks.deliver,
      "webhook.test": webhooks.deliver,
      "webhook.resend": webhooks.resend,
      "webhook.prove": endpoints.prove,
    })
  }),
)

/**
 * All services. Requires Store, WallTime, SecureRandom, a crypto layer, KeyVault, and the ports. Starts no workers.
 */
export const layer = Layer.mergeAll(
  Authentication.layer,
  AuditRecords.layer,
  Events.layer,
  Platforms.layer,
  ParkedJobs.layer,
  PlatformBooks.layer,
  BankReports.layer,
  Records.layer,
  UpcomingJobs.layer,
  Layer.provideMerge(RequestSending.layer, Requests.layer),
  Layer.provide(Inboxes.layer, Platforms.layer),
  ChangeWatch.layer,
  CustomerAccess.layer,
  UnappliedMoney.layer,
  ApiTokens.layer,
  Customers.layer,
  BeneficialOwners.layer,
  Verifications.layer,
  ContactVerifications.layer,
  BeneficiaryTrusts.layer,
  Documents.layer,
  ScaFactors.layer,
  ScaLogins.layer,
  ScaResets.layer,
  InternalAccounts.layer,
  ExternalAccounts.layer,
  Ownerships.layer,
  Discoveries.layer,
  Vasps.layer,
  Agents.layer,
  DeviceCodes.layer,
  Layer.provideMerge(ActionVotes.layer, AgentActions.layer),
  AgentQuotes.layer,
  PolicyComparisons.layer,
  PolicyEvaluations.layer,
  ConsoleSessions.layer,
  Transactions.layer,
  Transfers.layer,
  Quotes.layer,
  QuoteAuthorizations.layer,
  ExchangeRateLists.layer,
  Receivers.layer,
  UmaArrivals.layer,
  UmaProviders.layer,
  WithdrawalFees.layer,
  Cards.layer,
  CardReveals.layer,
  CardSimulations.layer,
  DelegatedKeys.layer,
  Credentials.layer,
  SignIns.layer,
  Sessions.layer,
  Wallets.layer,
  SeenReports.layer,
  StablecoinOperations.layer,
  Layer.provideMerge(Clocks.layer, jobs),
  Worlds.layer,
  Faults.layer,
  ScenarioRuns.layer,
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Outcomes.layer,
      IncomingPayments.layer,
      AccountVerifications.layer,
      AccountOpenings.layer,
      CollectionAccounts.layer,
      Deposits.layer,
      DepositDeclarations.layer,
      SignedRequests.layer,
      OtpChallenges.layer,
      CardProvisionings.layer,
      CardTransactions.layer,
      QuoteFundings.layer,
      ApprovalDeadlines.layer,
      FeeSweeps.layer,
      Invitations.layer,
      StablecoinProviderAccounts.layer,
      Stablecoins.layer,
      StablecoinFollowing.layer,
      Layer.provideMerge(BulkImports.layer, Files.layer),
    ),
  ),
  Layer.provide(ProviderInstructions.layer),
  // Caches the rates of any provider.
  Layer.provide(ExchangeRateCache.layer),
  Layer.provideMerge(Layer.provideMerge(Layer.merge(Webhooks.layer, WebhookEndpoints.layer), WebhookKeys.layer)),
  Layer.provide(OutsideAnswers.layer),
  Layer.provide(WrongSecrets.layer),
)

/** Workers that run for the lifetime of the layer. */
export const workers = Layer.effectDiscard(
  Effect.gen(function* () {
    const { work } = yield* Jobs
    yield* Effect.forkScoped(work)
    yield* Effect.forkScoped(exchangeWithBanks)
  }),
)
