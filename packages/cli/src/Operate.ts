/**
 * `countersign operate`: what an operator does when something went wrong, on a store that servers may use at the same time. Every action
 * is audited with the operator's name.
 * Source: D-354, D-355, D-356.
 */
import { CurrentCaller, CustomerAccess, operatorOf, ParkedJobs, ServiceError, UnappliedMoney } from "@countersign/core"
import { amountText, type UnappliedMoneyResource } from "@countersign/core/models"
import { SandboxClock } from "@countersign/core/sandbox"
import { clientClaim, Store } from "@countersign/core/store"
import { Console, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { CheckedValues } from "./CheckedFlags.ts"
import { negativeAnswer, usageError } from "./CommandError.ts"
import { checkedOptions } from "./CommandOptions.ts"
import { ServerStore } from "./ServerStore.ts"
import { onStore } from "./StoreCommand.ts"
import type { OperateOptions } from "./StoreFlags.ts"
import * as TextTable from "./TextTable.ts"

/** The id of the platform with this client id; absent: the only platform of the store. */
const platformOf = Effect.fnUntraced(function* (clientId: string | undefined) {
  const store = yield* Store
  if (clientId === undefined && (yield* store.platformCount) > 1) {
    return yield* usageError("the store has several platforms: name one with --client-id")
  }
  const named = clientId ?? (yield* (yield* ServerStore).firstClientId)
  const found = named === undefined ? undefined : yield* store.resolve(clientClaim(named))
  if (found === undefined) {
    return yield* usageError(named === undefined ? "the store has no platform" : `there is no platform ${named}`)
  }
  return found.platformId
})

const services = Layer.mergeAll(ParkedJobs.layer, UnappliedMoney.layer, CustomerAccess.layer)

type Services = ParkedJobs | UnappliedMoney | CustomerAccess

const messageOf = ({ code, details, message }: ServiceError): string => {
  const reason = details?.["reason"]
  return `${typeof reason === "string" ? reason : code}: ${message}`
}

/** Runs an action as the operator of a platform, and prints its answer: as JSON, or as `lines` says. */
const operate =
  <A>(action: Effect.Effect<A, unknown, Services | CurrentCaller>, lines: (answer: A) => string) =>
  (values: CheckedValues<OperateOptions>) =>
    Effect.gen(function* () {
      const { clientId, json, operator, store } = yield* checkedOptions<OperateOptions>(values)
      const run = Effect.gen(function* () {
        const platformId = yield* platformOf(Option.getOrUndefined(clientId))
        const answer = yield* Effect.provideService(action, CurrentCaller, operatorOf(platformId, operator))
        yield* Console.log(json ? JSON.stringify(answer, null, 2) : lines(answer))
      }).pipe(
        Effect.provide(
          services.pipe(Layer.provideMerge(SandboxClock.layer), Layer.provide(SecureRandom.layerWebCrypto)),
        ),
        Effect.catchIf(
          (error): error is ServiceError => error instanceof ServiceError,
          (error) => Effect.fail(negativeAnswer(messageOf(error))),
        ),
      )
      return yield* onStore(store, run)
    })

/** Reads all pages of a list. */
const everyPage = <A, E, R>(
  page: (
    cursor: string | undefined,
  ) => Effect.Effect<{ readonly data: ReadonlyArray<A>; readonly nextCursor?: string }, E, R>,
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.gen(function* () {
    const all: Array<A> = []
    let cursor: string | undefined
    do {
      const { data, nextCursor } = yield* page(cursor)
      all.push(...data)
      cursor = nextCursor
    } while (cursor !== undefined)
    return all
  })

const after = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

export const jobs = operate(
  ParkedJobs.use((parked) => everyPage((cursor) => parked.list({ limit: 100, ...after(cursor) }))),
  (all) =>
    all.length === 0
      ? "no job is parked"
      : TextTable.make(
          ["job", "kind", "subject", "error", "attempts"],
          all.map(({ attempts, error = "", id, kind, subject = "" }) => [id, kind, subject, error, String(attempts)]),
          4,
        ),
)

export const resume = (jobId: string) =>
  operate(
    ParkedJobs.use((parked) => Effect.map(parked.resume(jobId), ({ body }) => body)),
    ({ id, kind }) => `resumed ${id} (${kind})`,
  )

export const drop = (jobId: string, isForced: boolean) =>
  operate(
    ParkedJobs.use((parked) => Effect.map(parked.drop(jobId, isForced), ({ body }) => body)),
    ({ id, kind }) => `dropped ${id} (${kind})`,
  )

const amountOf = ({ amount, currency }: UnappliedMoneyResource["amount"]) => amountText(amount, currency.code)

export const money = operate(
  UnappliedMoney.use((unapplied) => everyPage((cursor) => unapplied.list({ limit: 100, ...after(cursor) }))),
  (all) =>
    all.length === 0
      ? "no money is unapplied"
      : TextTable.make(
          ["transaction", "customer", "account", "amount"],
          all.map(({ accountId = "", amount, customerId = "", transactionId }) => [
            transactionId,
            customerId,
            accountId,
            amountOf(amount),
          ]),
          3,
        ),
)

export const apply = (transactionId: string, accountId: string | undefined) =>
  operate(
    UnappliedMoney.use((unapplied) => Effect.map(unapplied.apply(transactionId, accountId), ({ body }) => body)),
    ({ accountId: credited, amount }) => `credited ${amountOf(amount)} to ${credited}`,
  )

export const giveBack = (transactionId: string, reference: string) =>
  operate(
    UnappliedMoney.use((unapplied) => Effect.map(unapplied.giveBack(transactionId, reference), ({ body }) => body)),
    ({ amount }) => `recorded that ${amountOf(amount)} was returned`,
  )

export const retryRefund = (transactionId: string) =>
  operate(
    UnappliedMoney.use((unapplied) => Effect.map(unapplied.retryRefund(transactionId), ({ body }) => body)),
    ({ id }) => `the rail will be asked again about the refund of ${id}`,
  )

export const endAccess = (customerId: string) =>
  operate(
    CustomerAccess.use((access) => Effect.map(access.end(customerId), ({ body }) => body)),
    ({ agentTokensEnded, deviceCodesEnded, sessionsEnded }) =>
      `ended ${sessionsEnded} sessions, ${agentTokensEnded} agent tokens and ${deviceCodesEnded} device codes`,
  )
