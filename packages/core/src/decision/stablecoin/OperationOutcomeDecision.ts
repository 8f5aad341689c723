/**
 * Decides what a provider's answers change in a mint or burn. Reports may arrive early, late or repeatedly: a late or repeated one changes
 * nothing.
 * Source: wire contract areas 1.6.5, 1.6.6; D-390.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { providerUnavailable, unusable } from "../../model/stablecoin/ProviderLinkRules.ts"
import { fundingMillis, needsFunding, type StablecoinOperation } from "../../model/stablecoin/StablecoinOperation.ts"
import { StablecoinOperationMachine } from "../../model/stablecoin/StablecoinOperationMachine.ts"
import {
  type StablecoinOperationResource,
  toStablecoinOperation,
} from "../../model/stablecoin/StablecoinOperationResource.ts"
import type { ProviderOutcome, ProviderReport, ProviderTrouble } from "../../ports/StablecoinProvider.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { attemptJob, attemptMillisMax } from "./OperationRequestDecision.ts"
import { troubleChanges } from "./ProviderAccountDecision.ts"

type Operation = Stored<"StablecoinOperation">
type Status = StablecoinOperation["status"]

/** Whether a provider's outcome says what became of the operation. */
export const isReport = (outcome: ProviderOutcome): outcome is ProviderReport =>
  outcome._tag !== "Unknown" && outcome._tag !== "Unavailable" && !isTrouble(outcome)

/** Whether the provider refuses the credentials for good. */
export const isTrouble = (
  outcome: ProviderOutcome,
): outcome is Exclude<ProviderTrouble, { readonly _tag: "Unavailable" }> =>
  outcome._tag === "CredentialsRefused" || outcome._tag === "Withdrawn"

/** The status that a report names; for a report before the processing, the first status of the operation. */
const reportedStatus = (report: ProviderReport, first: Status): Status => {
  if (report._tag === "Processing") return "PROCESSING"
  if (report._tag === "Completed") return "COMPLETED"
  return report._tag === "Failed" ? "FAILED" : first
}

/** Wait (ms) before a provider that names no time is asked again about an operation. */
const followWaitMillis = 5 * 60 * 1000
const followWaitMillisMin = 1000

const followJob = (
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
  id: string,
  { status }: StablecoinOperation,
  { askAgainAt = now + followWaitMillis }: ProviderReport,
): Changes.Changes =>
  StablecoinOperationMachine.isTerminal(status)
    ? {}
    : {
        jobs: [
          job(ids, "stablecoin.follow", {
            customerId: null,
            dueAt: Math.max(askAgainAt, now + followWaitMillisMin),
            lane: `stablecoin.follow:${id}`,
            payload: { stablecoinOperationId: id },
          }),
        ],
      }

const expireJob = ({ ids }: Pick<DecisionContext, "ids">, id: string, dueAt: number): Changes.Changes => ({
  jobs: [job(ids, "stablecoin.expire", { customerId: null, dueAt, payload: { stablecoinOperationId: id } })],
})

const statusAudit = (context: DecisionContext, operation: Operation, data: StablecoinOperation): Changes.Changes => {
  const { amount, failureReason, stablecoinId, status } = data
  return status === operation.data.status
    ? {}
    : auditRecord(context, "STABLECOIN_OPERATION_STATUS", operation, {
        outcome: status === "FAILED" ? "FAILED" : "DONE",
        details: { status, stablecoinId, amount, ...(failureReason === undefined ? {} : { failureReason }) },
      })
}

/** The data after a report that takes the operation to a status, through every status between. */
const advanced = (data: StablecoinOperation, status: Status, report: ProviderReport): StablecoinOperation => {
  const path = StablecoinOperationMachine.pathBetween(data.status, status) ?? []
  const { providerStatus } = report
  return {
    ...data,
    status: path.length === 0 ? data.status : StablecoinOperationMachine.follow(data.status, ...path).state,
    ...(providerStatus === undefined ? {} : { providerStatus }),
    ...(report._tag === "Failed" ? { failureReason: report.reason } : {}),
  }
}

/** The operation that the provider has begun, in its first status or already beyond. */
const begun = (data: StablecoinOperation, report: ProviderReport, now: number): StablecoinOperation => {
  const isFunded = !needsFunding(data.sourceType)
  const { state } = StablecoinOperationMachine.follow(data.status, isFunded ? "Submit" : "AwaitFunding")
  const first: StablecoinOperation = {
    ...data,
    status: state,
    ...(isFunded ? {} : { expiresAt: now + fundingMillis }),
    ...(report._tag === "AwaitsFunding" && !isFunded ? { fundingInstructions: report.fundingInstructions } : {}),
  }
  return advanced(first, reportedStatus(report, state), report)
}

const beginChanges = (
  operation: Operation,
  data: StablecoinOperation,
  report: ProviderReport,
  context: DecisionContext,
): Changes.Changes =>
  Changes.combine(
    Changes.update(operation, data),
    followJob(context, operation.id, data, report),
    data.status === "PENDING_FUNDING" && data.expiresAt !== undefined
      ? expireJob(context, operation.id, data.expiresAt)
      : undefined,
    statusAudit(context, operation, data),
  )

/** The operation without the idempotency key that it answered or released. */
const released = ({ request: _request, ...data }: StablecoinOperation): StablecoinOperation => data

const notBegun = (operation: Operation, context: DecisionContext): Changes.Changes =>
  Changes.combine(
    Changes.update(operation, released(operation.data)),
    auditRecord(context, "STABLECOIN_OPERATION_STATUS", operation, {
      outcome: "FAILED",
      details: { status: "NOT_BEGUN", stablecoinId: operation.data.stablecoinId, amount: operation.data.amount },
    }),
  )

export interface AttemptLoaded {
  readonly operation: Operation
  readonly account: Stored<"StablecoinProviderAccount">
}

/** What an attempt to begin an operation has led to. */
export interface AttemptOutcome {
  readonly outcome: ProviderOutcome
  /** The provider answered the instruction, or has received none: nothing else can have begun the operation. */
  readonly isCertain: boolean
  /** The time (business ms) at which the credentials of the attempt were linked. */
  readonly linkedAt: number
}

const troubleRefusal = (trouble: ProviderTrouble): Refusal =>
  unusable(trouble._tag === "Withdrawn" ? "REVOKED" : "INVALID") ?? providerUnavailable

/** Decides the answer to a request whose provider was asked. */
export const decideAttempt =
  ({ isCertain, linkedAt, outcome }: AttemptOutcome) =>
  ({ account, operation }: AttemptLoaded, context: DecisionContext): Decision<StablecoinOperationResource> => {
    const { data } = operation
    // A job, or another request with the same key, has stored meanwhile that it was begun.
    if (data.status !== "CREATED") {
      return answer(201, toStablecoinOperation(asOf(operation, context.now)), Changes.update(operation, released(data)))
    }
    if (isReport(outcome)) {
      const next = released(begun(data, outcome, context.now))
      const after = Changes.after(operation, next, context.now)
      return answer(201, toStablecoinOperation(after), beginChanges(operation, next, outcome, context))
    }
    const ended = isCertain && outcome._tag !== "Unknown" ? notBegun(operation, context) : undefined
    if (!isTrouble(outcome)) return refuse(providerUnavailable, ended)
    const status = account.data.linkedAt === linkedAt ? troubleChanges(account, outcome, context) : undefined
    // An operation that may have begun keeps its key free for the next attempt, so that no final answer is stored under it.
    return refuse(ended === undefined ? providerUnavailable : troubleRefusal(outcome), Changes.combine(ended, status))
  }

/**
 * Decides what becomes of an operation whose request did not end it. `attemptedAt` is the attempt that the job knew when it asked: a later
 * one may have begun the operation since.
 */
export const decideLateAttempt =
  (found: ProviderReport | { readonly _tag: "NotReceived" }, attemptedAt: number, fence: Changes.Changes) =>
  ({ operation }: { readonly operation: Operation }, context: DecisionContext): Decision<null> => {
    const { data } = operation
    if (data.status !== "CREATED" || data.request === undefined) return answer(200, null, fence)
    if (found._tag !== "NotReceived") {
      const changes = beginChanges(operation, begun(data, found, context.now), found, context)
      return answer(200, null, Changes.combine(changes, fence))
    }
    const dueAt = data.attemptedAt + attemptMillisMax
    const changes =
      data.attemptedAt !== attemptedAt || context.now < dueAt
        ? attemptJob(context, operation.id, dueAt)
        : notBegun(operation, context)
    return answer(200, null, Changes.combine(changes, fence))
  }

/** Stores a report. `fence` finishes the job that asked for it, which is asked again unless the operation has ended. */
export const decideReport =
  (report: ProviderReport, fence?: Changes.Changes) =>
  ({ operation }: { readonly operation: Operation }, context: DecisionContext): Decision<null> => {
    const stored = operation.data
    const { data } = asOf(operation, context.now)
    const isUnderWay = stored.status !== "CREATED" && !StablecoinOperationMachine.isTerminal(data.status)
    const next = isUnderWay ? advanced(data, reportedStatus(report, data.status), report) : data
    const isChanged = next.status !== stored.status || next.providerStatus !== stored.providerStatus
    return answer(
      200,
      null,
      Changes.combine(
        isChanged ? Changes.update(operation, next) : undefined,
        isChanged ? statusAudit(context, operation, next) : undefined,
        fence === undefined || !isUnderWay ? undefined : followJob(context, operation.id, next, report),
        fence,
      ),
    )
  }

/** Stores the end of an operation whose funding has not arrived in time. */
export const decideExpiry =
  (fence: Changes.Changes) =>
  ({ operation }: { readonly operation: Operation }, context: DecisionContext): Decision<null> => {
    const { data } = asOf(operation, context.now)
    return answer(
      200,
      null,
      Changes.combine(
        data.status === operation.data.status
          ? undefined
          : Changes.combine(Changes.update(operation, data), statusAudit(context, operation, data)),
        fence,
      ),
    )
  }
