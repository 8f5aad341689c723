/**
 * Decides what the jobs of a quote change: the submission of a pull, the rail's outcome, and the expiry of the quote or its
 * challenge.
 * Source: wire contract 5.5, 5.7 and 11 (7); D-130.
 */
import { withoutChallenge } from "../../model/quote/Quote.ts"
import { RailRefusals } from "../../model/transaction/RailRefusals.ts"
import type { StoredOutgoing } from "../../model/transaction/TransactionResource.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job as newJob } from "../../store/JobKinds.ts"
import type { ClaimedJob } from "../../store/Store.ts"
import { failExecution } from "../agent/ActionChanges.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"
import type { DefiniteOutcome } from "../transaction/OutcomeDecision.ts"
import type { TransitionResult } from "../transaction/OutgoingUpdates.ts"
import { expireQuote, failChallenge, failCollection, recordCollection } from "../transaction/QuotePaymentChanges.ts"
import { decisionScope, type QuoteRecords } from "./QuoteExecutionDecision.ts"

type Context = Pick<DecisionContext, "ids" | "now">

/** A quote, and the agent's action that executed it, if an agent did. */
export interface QuoteJobLoaded {
  readonly records: QuoteRecords
  readonly action: Stored<"AgentAction"> | undefined
  readonly agent: Stored<"Agent"> | undefined
}

/** The transaction of a pull after its submission. */
export interface PullSubmission {
  readonly transaction: StoredOutgoing
  /** Whether the pulled account is not active. */
  readonly isBlocked: boolean
  /** No earlier attempt can have instructed the rail. */
  readonly isFirst: boolean
}

/** Marks the pull as submitted before the rail is called. From then on only the rail can report its outcome. */
export const submitPull = (
  { pulled, transaction }: QuoteRecords,
  { now }: DecisionContext,
): Decision<PullSubmission> => {
  const { exchange } = transaction.data
  const isBlocked = pulled !== undefined && !pulled.data.isDeleted && pulled.data.status !== "ACTIVE"
  if (exchange?.pull === undefined || exchange.pull.submittedAt !== undefined || isBlocked) {
    return answer(200, { transaction, isBlocked, isFirst: false })
  }
  const data = { ...transaction.data, exchange: { ...exchange, pull: { ...exchange.pull, submittedAt: now } } }
  return answer(
    200,
    { transaction: { ...transaction, data }, isBlocked, isFirst: true },
    Changes.combine(Changes.update(transaction, data), pulled && Changes.guard(pulled)),
  )
}

/** Minimum delay (ms) before a rail that answered `Later` is asked again. */
const retryMillisMin = 1000

/** Fails the agent's action together with its quote. */
const failAction = ({ action, agent }: Pick<QuoteJobLoaded, "action" | "agent">, reason: string, now: number) =>
  action === undefined || agent === undefined || action.data.status !== "APPROVED"
    ? undefined
    : failExecution(action, agent, reason, now).changes

/** Returns the transition on the outcome of a pull, or `undefined` if the outcome is late, repeated or not final. */
const pullTransition = (
  { action, agent, records }: QuoteJobLoaded,
  outcome: DefiniteOutcome,
  context: Context,
): TransitionResult | undefined => {
  const { transaction } = records
  const isAwaited = transaction.data.status === "PROCESSING" && transaction.data.exchange?.fundedAt === undefined
  if (!isAwaited || outcome._tag === "Later") return undefined
  const scope = decisionScope(records, context)
  if (outcome._tag === "Done") return recordCollection(scope, transaction, outcome.transactionHash)
  const reason = outcome._tag === "Refused" ? outcome.reason : "BANK_REJECTED"
  const transition = failCollection(scope, transaction, RailRefusals.get(reason).quotePull)
  return {
    ...transition,
    changes: Changes.combine(transition.changes, failAction({ action, agent }, reason, context.now)),
  }
}

/** Returns the changes that the outcome of a pull causes, with the job that asks again after `Later`. */
export const recordPullOutcome = (
  loaded: QuoteJobLoaded,
  outcome: DefiniteOutcome,
  job: ClaimedJob,
  context: Context,
): Changes.Changes => {
  const { ids, now } = context
  const retries =
    outcome._tag === "Later"
      ? [
          newJob(ids, "quote.pull", {
            customerId: job.customerId,
            dueAt: Math.max(outcome.at, now + retryMillisMin),
            payload: job.payload,
            ...(job.lane === undefined ? {} : { lane: job.lane }),
          }),
        ]
      : []
  return Changes.combine(pullTransition(loaded, outcome, context)?.changes, { jobs: retries })
}

/** Returns the changes of a quote that has expired or whose challenge has, or `undefined` if its stored state is current. */
export const expireOverdue = (
  { records, ...executed }: QuoteJobLoaded,
  context: Context,
): Changes.Changes | undefined => {
  const { quote, transaction } = records
  const { status } = asOf(quote, context.now).data
  if (status === quote.data.status) return undefined
  const scope = decisionScope(records, context)
  if (status === "EXPIRED") return expireQuote(scope, transaction).changes
  const transition = failChallenge({ ...scope, updatedQuote: withoutChallenge(quote.data) }, transaction)
  return Changes.combine(transition.changes, failAction(executed, "SCA_NOT_COMPLETED", context.now))
}
