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
import { Agents } from "./agent/Agents.ts"
import { DeviceCodes } from "./agent/DeviceCodes.ts"
import { PolicyEvaluations } from "./agent/PolicyEvaluations.ts"
import { AccountOpenings } from "./customer/AccountOpenings.ts"
import { BeneficialOwners } from "./customer/BeneficialOwners.ts"
import { ContactVerifications } from "./customer/ContactVerifications.ts"
import { Customers } from "./customer/Customers.ts"
import { Verifications } from "./customer/Verifications.ts"
import { Webhooks } from "./event/Webhooks.ts"
import { Authentication } from "./operation/Authentication.ts"
import { Jobs } from "./operation/Jobs.ts"
import { ApiTokens } from "./platform/ApiTokens.ts"
import { Platforms } from "./platform/Platforms.ts"
import { ScaFactors } from "./sca/ScaFactors.ts"
import { ScaLogins } from "./sca/ScaLogins.ts"
import { ScaResets } from "./sca/ScaResets.ts"
import { IncomingPayments } from "./transaction/IncomingPayments.ts"
import { Outcomes } from "./transaction/Outcomes.ts"
import { Transactions } from "./transaction/Transactions.ts"
import { Transfers } from "./transaction/Transfers.ts"

/** The workers, with a handler for every kind of job. */
const jobs = Layer.unwrap(
  Effect.gen(function* () {
    const outcomes = yield* Outcomes
    const payments = yield* IncomingPayments
    const webhooks = yield* Webhooks
    const verifications = yield* AccountVerifications
    const openings = yield* AccountOpenings
    return Jobs.layer({
      "transfer.pull": outcomes.ask,
      "transfer.push": outcomes.ask,
      "transfer.refund": outcomes.refund,
      "transfer.cancel": outcomes.cancel,
      "payment.question": payments.ask,
      "payment.time-out": payments.timeOut,
      "account.verify": verifications.verify,
      "accounts.open": openings.open,
      "webhook.deliver": webhooks.deliver,
      "webhook.test": webhooks.deliver,
    })
  }),
)

/** All services; needs Store, WallTime, SecureRandom, and the ports to the world. Starts no workers. */
export const layer = Layer.mergeAll(
  Authentication.layer,
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
  PolicyEvaluations.layer,
  Transactions.layer,
  Transfers.layer,
  jobs,
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(Outcomes.layer, IncomingPayments.layer, AccountVerifications.layer, AccountOpenings.layer),
  ),
  Layer.provideMerge(Webhooks.layer),
)

/** Workers that run as long as the layer lives. */
export const workers = Layer.effectDiscard(
  Effect.gen(function* () {
    const { work } = yield* Jobs
    yield* Effect.forkScoped(work)
  }),
)
