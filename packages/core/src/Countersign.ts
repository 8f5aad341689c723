/**
 * The assembled core: every service over the ports that an embedder provides.
 * Source: architecture, "The rooms".
 */
import { Effect, Layer } from "effect"
import { AccountVerifications } from "./account/AccountVerifications.ts"
import { Discoveries } from "./account/Discoveries.ts"
import { ExternalAccounts } from "./account/ExternalAccounts.ts"
import { InternalAccounts } from "./account/InternalAccounts.ts"
import { Ownerships } from "./account/Ownerships.ts"
import { AgentActions } from "./agent/AgentActions.ts"
import { AgentQuotes } from "./agent/AgentQuotes.ts"
import { Agents } from "./agent/Agents.ts"
import { DeviceCodes } from "./agent/DeviceCodes.ts"
import { PolicyEvaluations } from "./agent/PolicyEvaluations.ts"
import { AuditRecords } from "./audit/AuditRecords.ts"
import { CardProvisionings } from "./card/CardProvisionings.ts"
import { CardReveals } from "./card/CardReveals.ts"
import { CardSimulations } from "./card/CardSimulations.ts"
import { Cards } from "./card/Cards.ts"
import { CardTransactions } from "./card/CardTransactions.ts"
import { DelegatedKeys } from "./card/DelegatedKeys.ts"
import { AccountOpenings } from "./customer/AccountOpenings.ts"
import { BeneficialOwners } from "./customer/BeneficialOwners.ts"
import { ContactVerifications } from "./customer/ContactVerifications.ts"
import { Customers } from "./customer/Customers.ts"
import { Verifications } from "./customer/Verifications.ts"
import { Webhooks } from "./event/Webhooks.ts"
import { Authentication } from "./operation/Authentication.ts"
import * as ExchangeRateCache from "./operation/ExchangeRateCache.ts"
import { Jobs } from "./operation/Jobs.ts"
import { ApiTokens } from "./platform/ApiTokens.ts"
import { Platforms } from "./platform/Platforms.ts"
import { ExchangeRateLists } from "./quote/ExchangeRateLists.ts"
import { FeeSweeps } from "./quote/FeeSweeps.ts"
import { QuoteAuthorizations } from "./quote/QuoteAuthorizations.ts"
import { QuoteFundings } from "./quote/QuoteFundings.ts"
import { Quotes } from "./quote/Quotes.ts"
import { Receivers } from "./receiver/Receivers.ts"
import { UmaArrivals } from "./receiver/UmaArrivals.ts"
import { UmaProviders } from "./receiver/UmaProviders.ts"
import { WithdrawalFees } from "./receiver/WithdrawalFees.ts"
import { ScaFactors } from "./sca/ScaFactors.ts"
import { ScaLogins } from "./sca/ScaLogins.ts"
import { ScaResets } from "./sca/ScaResets.ts"
import { Clocks } from "./time/Clocks.ts"
import { IncomingPayments } from "./transaction/IncomingPayments.ts"
import { Outcomes } from "./transaction/Outcomes.ts"
import { Transactions } from "./transaction/Transactions.ts"
import { Transfers } from "./transaction/Transfers.ts"
import { Credentials } from "./wallet/Credentials.ts"
import { OtpChallenges } from "./wallet/OtpChallenges.ts"
import { Sessions } from "./wallet/Sessions.ts"
import { SignedRequests } from "./wallet/SignedRequests.ts"
import { SignIns } from "./wallet/SignIns.ts"
import { Wallets } from "./wallet/Wallets.ts"

/** The workers, with a handler for every kind of job. */
const jobs = Layer.unwrap(
  Effect.gen(function* () {
    const outcomes = yield* Outcomes
    const payments = yield* IncomingPayments
    const webhooks = yield* Webhooks
    const verifications = yield* AccountVerifications
    const openings = yield* AccountOpenings
    const cards = yield* CardProvisionings
    const cardTransactions = yield* CardTransactions
    const fundings = yield* QuoteFundings
    const sweeps = yield* FeeSweeps
    return Jobs.layer({
      "transfer.pull": outcomes.ask,
      "transfer.push": outcomes.ask,
      "transfer.refund": outcomes.refund,
      "transfer.cancel": outcomes.cancel,
      "transfer.confirm": outcomes.confirm,
      "quote.deliver": outcomes.deliver,
      "quote.pull": fundings.pull,
      "quote.end": fundings.end,
      "fees.sweep": sweeps.sweep,
      "payment.question": payments.ask,
      "payment.time-out": payments.timeOut,
      "account.verify": verifications.verify,
      "accounts.open": openings.open,
      "card.provision": cards.provision,
      "card.state": cards.tell,
      "card.collect": cardTransactions.collect,
      "card.expire": cardTransactions.expire,
      "webhook.deliver": webhooks.deliver,
      "webhook.test": webhooks.deliver,
    })
  }),
)

/**
 * All services; needs Store, WallTime, SecureRandom, a crypto layer, KeyVault, and the ports to the world. Starts no workers.
 */
export const layer = Layer.mergeAll(
  Authentication.layer,
  AuditRecords.layer,
  Platforms.layer,
  ApiTokens.layer,
  Customers.layer,
  BeneficialOwners.layer,
  Verifications.layer,
  ContactVerifications.layer,
  ScaFactors.layer,
  ScaLogins.layer,
  ScaResets.layer,
  InternalAccounts.layer,
  ExternalAccounts.layer,
  Ownerships.layer,
  Discoveries.layer,
  Agents.layer,
  DeviceCodes.layer,
  AgentActions.layer,
  AgentQuotes.layer,
  PolicyEvaluations.layer,
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
  Layer.provideMerge(Clocks.layer, jobs),
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Outcomes.layer,
      IncomingPayments.layer,
      AccountVerifications.layer,
      AccountOpenings.layer,
      SignedRequests.layer,
      OtpChallenges.layer,
      CardProvisionings.layer,
      CardTransactions.layer,
      QuoteFundings.layer,
      FeeSweeps.layer,
    ),
  ),
  // Whoever offers the rates, the service keeps them for a while.
  Layer.provide(ExchangeRateCache.layer),
  Layer.provideMerge(Webhooks.layer),
)

/** Workers that run as long as the layer lives. */
export const workers = Layer.effectDiscard(
  Effect.gen(function* () {
    const { work } = yield* Jobs
    yield* Effect.forkScoped(work)
  }),
)
