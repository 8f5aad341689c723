/**
 * The one door for what a rail says of a transaction, early or late, once or several times.
 * Source: architecture, "Jobs, outside calls and time"; wire contract 7.3 for the failure reasons.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { failExecution } from "../agent/ActionChanges.ts"
import type { ServiceError } from "../errors/ServiceError.ts"
import * as Changes from "../operation/Changes.ts"
import { job as newJob } from "../operation/JobKinds.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../operation/Jobs.ts"
import * as Operation from "../operation/Operation.ts"
import type { CurrentCaller } from "../ports/Caller.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { pass } from "../ports/FailPoints.ts"
import { type RailOutcome, Rails } from "../ports/Rails.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../ports/Store.ts"
import { WallTime } from "../ports/WallTime.ts"
import * as Incoming from "./IncomingChanges.ts"
import { IncomingMachine } from "./IncomingMachine.ts"
import type { Transaction } from "./Transaction.ts"

const Payload = Schema.Struct({ transactionId: Schema.String, sourceAccountId: Schema.optionalKey(Schema.String) })
const decodePayload = Schema.decodeUnknownEffect(Payload)

/** What a rail can say for certain. */
export type Certain = Exclude<RailOutcome, { readonly _tag: "Unknown" }>

const isOver = (transaction: Transaction): boolean =>
  IncomingMachine.terminals.some((state) => state === transaction.status)

export interface OutcomeLoaded {
  readonly transaction: Stored<"Transaction">
  readonly destination: Stored<"InternalAccount">
  readonly action: Stored<"AgentAction"> | undefined
  readonly agent: Stored<"Agent"> | undefined
}

/** The end of a transaction that did not succeed: so ends the action that began it. */
const ended = (
  { action, agent }: OutcomeLoaded,
  failed: Incoming.Moved,
  reason: string,
  now: number,
): Changes.Changes =>
  Changes.combine(
    failed.changes,
    action === undefined || agent === undefined ? undefined : failExecution(action, agent, reason, now).changes,
  )

/** A rail that says "later" is not asked again within this time. */
const laterMillisMin = 1000

/** What one outcome changes; an outcome of a transaction that is over changes nothing. `isFull`: the account cannot take it. */
export const decideOutcome = (
  loaded: OutcomeLoaded,
  outcome: Certain,
  isFull: boolean,
  { ids, now }: Pick<Operation.DecisionContext, "ids" | "now">,
): Changes.Changes => {
  const { destination, transaction } = loaded
  if (isOver(transaction.data)) return {}
  switch (outcome._tag) {
    case "Done":
      return isFull
        ? ended(loaded, Incoming.setAside(ids, now, transaction), "AMOUNT_OUT_OF_RANGE", now)
        : Incoming.settle(ids, now, transaction, destination).changes
    case "Refused":
      return ended(loaded, Incoming.fail(ids, now, transaction, "COLLECTION_FAILED"), outcome.reason, now)
    case "Later":
      return {
        jobs: [
          newJob(ids, "transfer.pull", {
            customerId: transaction.customerId,
            dueAt: Math.max(outcome.at, now + laterMillisMin),
            lane: `pull:${transaction.id}`,
            payload: { transactionId: transaction.id },
          }),
        ],
      }
  }
}

export class Outcomes extends Context.Service<
  Outcomes,
  {
    /** The handler of pull jobs: asks the rail, and stores what it says. */
    readonly pull: JobHandler
    /** Stores an outcome that a rail reports; a second report of an ended transaction is dropped. */
    readonly report: (
      transactionId: string,
      outcome: Certain,
    ) => Effect.Effect<void, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/Outcomes") {
  static readonly layer = Layer.effect(
    Outcomes,
    Effect.gen(function* () {
      const rails = yield* Rails
      const store = yield* Store
      const wall = yield* WallTime
      const random = yield* SecureRandom.SecureRandom

      const load = Effect.fnUntraced(function* (read: Operation.Read, transactionId: string) {
        const first = yield* read({ records: [{ kind: "Transaction", id: transactionId }] })
        const transaction = first.record("Transaction", transactionId)
        if (transaction === undefined) return yield* Effect.die(new Error(`no transaction ${transactionId}`))
        const { actionId, agentId, destinationAccountId } = transaction.data
        const second = yield* read({
          records: [
            { kind: "InternalAccount", id: destinationAccountId },
            ...(actionId === undefined ? [] : [{ kind: "AgentAction" as const, id: actionId }]),
            ...(agentId === undefined ? [] : [{ kind: "Agent" as const, id: agentId }]),
          ],
        })
        const destination = second.record("InternalAccount", destinationAccountId)
        if (destination === undefined) return yield* Effect.die(new Error(`no account ${destinationAccountId}`))
        const action = actionId === undefined ? undefined : second.record("AgentAction", actionId)
        const agent = agentId === undefined ? undefined : second.record("Agent", agentId)
        const loaded: OutcomeLoaded = { transaction, destination, action, agent }
        return loaded
      })

      const record = (transactionId: string, outcome: Certain, fence: ClaimedJob | undefined) =>
        Operation.run({
          name: "Outcomes.report",
          ids: 12,
          load: (read) => load(read, transactionId),
          decide: (loaded, context) => {
            const changes = decideOutcome(loaded, outcome, Operation.metRange(context.obstacles), context)
            return Operation.answer(200, null, Changes.combine(changes, fence && finishing(fence)))
          },
        }).pipe(
          Effect.asVoid,
          Effect.provideService(Store, store),
          Effect.provideService(WallTime, wall),
          Effect.provideService(SecureRandom.SecureRandom, random),
        )

      /**
       * Marks the transaction as submitted before the call: from then on only the rail can say how it ends. A source that is not
       * active any more is not pulled; one that was deleted is, by the transaction's copy.
       */
      const submit = ({ sourceAccountId, transactionId }: typeof Payload.Type) =>
        Operation.run({
          name: "Outcomes.submit",
          load: (read) =>
            read({
              records: [
                { kind: "Transaction", id: transactionId },
                ...(sourceAccountId === undefined ? [] : [{ kind: "ExternalAccount" as const, id: sourceAccountId }]),
              ],
            }),
          decide: (read, { now }) => {
            const stored = read.record("Transaction", transactionId)
            if (stored === undefined) throw new Error(`no transaction ${transactionId}`)
            const source = sourceAccountId === undefined ? undefined : read.record("ExternalAccount", sourceAccountId)
            const isSubmitted = isOver(stored.data) || stored.data.submittedAt !== undefined
            const isBlocked = !isSubmitted && source !== undefined && source.data.status !== "ACTIVE"
            if (isSubmitted || isBlocked) return Operation.answer(200, { transaction: stored, isBlocked })
            const data = { ...stored.data, submittedAt: now }
            return Operation.answer(
              200,
              { transaction: Changes.after(stored, data, now), isBlocked },
              Changes.combine(Changes.update(stored, data), source && Changes.guard(source)),
            )
          },
        }).pipe(Effect.map((answered) => answered.body))

      /** The details of an account, for a transaction that began before transactions kept a copy. */
      const present = Effect.fnUntraced(function* (accountId: string) {
        const read = yield* store.read({ records: [{ kind: "ExternalAccount", id: accountId }] })
        const account = read.record("ExternalAccount", accountId)
        return account?.data.accountInfo ?? (yield* Effect.die(new Error(`no account ${accountId}`)))
      })

      const pull: JobHandler = Effect.fnUntraced(function* (job) {
        const payload = yield* Effect.orDie(decodePayload(job.payload))
        const { transactionId } = payload
        const { isBlocked, transaction } = yield* submit(payload)
        const { amount, currency, sourceAccountId, submittedAt } = transaction.data
        if (isBlocked) return yield* record(transactionId, { _tag: "Refused", reason: "ACCOUNT_INVALID" }, job)
        if (isOver(transaction.data) || sourceAccountId === undefined || submittedAt === undefined) {
          return yield* finish(job)
        }
        const accountInfo = transaction.data.sourceAccountInfo ?? (yield* present(sourceAccountId))
        yield* pass("transfer.submitted")
        const outcome = yield* rails.pull({
          reference: transactionId,
          source: { accountId: sourceAccountId, currency, accountInfo },
          amount,
          submittedAt,
        })
        yield* pass("transfer.asked")
        // Unknown is never failure: the same reference is asked again.
        if (outcome._tag === "Unknown")
          return yield* new JobFailed({ reason: `the rail does not know: ${outcome.cause}` })
        return yield* record(transactionId, outcome, job)
      })

      return Outcomes.of({ pull, report: (transactionId, outcome) => record(transactionId, outcome, undefined) })
    }),
  )
}
