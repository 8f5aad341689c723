/**
 * Transactions as they are read, confirmed and called back.
 * Source: wire contract 5.1, 5.7 and 11 (51); D-096.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { canTake } from "../../decision/transaction/IncomingChanges.ts"
import { cancelJob, decideOutcome, type OutcomeLoaded } from "../../decision/transaction/OutcomeDecision.ts"
import { isUnderWay } from "../../decision/transaction/OutgoingTransitions.ts"
import { notFound, type Refusal, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import { PaymentRails } from "../../model/transaction/PaymentRails.ts"
import type { AnyTransactionStatus, TransactionType } from "../../model/transaction/Transaction.ts"
import {
  isIncoming,
  isOutgoing,
  type TransactionResource,
  type TransferResource,
  toAnyTransaction,
  toTransaction,
} from "../../model/transaction/TransactionResource.ts"
import { between, type ListQuery, listOf, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable, type Where } from "../../store/Store.ts"
import { loadTransactionScope } from "./TransactionLoads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<TransferResource>

export interface TransactionsQuery extends ListQuery {
  /** The platform's own id selects the transactions of the platform itself. */
  readonly customerId?: string
  readonly platformCustomerId?: string
  /** An account on either side. */
  readonly accountIdentifier?: string
  readonly senderAccountIdentifier?: string
  readonly receiverAccountIdentifier?: string
  readonly status?: AnyTransactionStatus
  readonly type?: TransactionType
  readonly reference?: string
  /** Inclusive bounds on `createdAt`, Unix milliseconds. */
  readonly from?: number
  readonly to?: number
}

/** The lists that a query asks for: transfers from and to an account, and what cards spent. */
const listsOf = (
  {
    accountIdentifier,
    customerId,
    from,
    platformCustomerId,
    receiverAccountIdentifier,
    reference,
    senderAccountIdentifier,
    status,
    to,
    type,
  }: TransactionsQuery,
  platformId: string,
): ReadonlyArray<readonly ["Transaction" | "CardTransaction", Where]> => {
  const common = {
    customerId: customerId === platformId ? { eq: null } : customerId,
    platformCustomerId,
    status,
    createdAt: between(from, to),
  }
  const transfers = where({
    ...common,
    sourceAccountId: senderAccountIdentifier,
    destinationAccountId: receiverAccountIdentifier,
    type,
    reference,
  })
  // An account is on one side of a transaction, never on both: no record is in both lists.
  const ofAccount = (field: string, other: string | undefined): ReadonlyArray<Where> =>
    other === undefined || other === accountIdentifier
      ? [{ ...transfers, [field]: { eq: accountIdentifier ?? null } }]
      : []
  const sides =
    accountIdentifier === undefined
      ? [transfers]
      : [
          ...ofAccount("sourceAccountId", senderAccountIdentifier),
          ...ofAccount("destinationAccountId", receiverAccountIdentifier),
        ]
  const accounts = [...new Set([accountIdentifier, senderAccountIdentifier].filter((id) => id !== undefined))]
  // What a card spends leaves its account for a merchant, who is no account, under no reference of ours.
  const hasCards = receiverAccountIdentifier === undefined && reference === undefined && accounts.length < 2
  const isOfCards = type === undefined || type === "CARD"
  return [
    ...(type === "CARD" ? [] : sides.map((filters) => ["Transaction", filters] as const)),
    ...(hasCards && isOfCards ? [["CardTransaction", where({ ...common, accountId: accounts[0] })] as const] : []),
  ]
}

const notCancellable = (status: string): Refusal => ({
  code: "TRANSACTION_NOT_CANCELLABLE",
  message: "The transaction can no longer be cancelled, or its rail cannot be told to stop.",
  details: { status },
})

/** Whether the rail can be told to stop, and the end is still open. */
const isCancellable = (stored: Stored<"Transaction">): boolean => {
  const rail = stored.data.externalAccount?.rail
  if (rail === undefined || !PaymentRails.get(rail).isCancellable) return false
  return isIncoming(stored) ? canTake(stored.data, "Settle") : isOutgoing(stored) && isUnderWay(stored.data)
}

const decideCancel = (
  loaded: OutcomeLoaded,
  reason: string | undefined,
  context: Operation.DecisionContext,
): Operation.Decision<TransferResource> => {
  const { transaction: stored } = loaded
  if (!isCancellable(stored)) return Operation.refuse(notCancellable(stored.data.status))
  const { now } = context
  // Asked for already: the rail's answer is awaited.
  if (stored.data.cancellation !== undefined) return Operation.answer(200, toTransaction(stored))
  const data = {
    ...stored.data,
    cancellation: { requestedAt: now, ...(reason === undefined ? {} : { reason }) },
  }
  if (stored.data.submittedAt === undefined) {
    const wished = { ...loaded, transaction: { ...stored, data } }
    const ended = decideOutcome(
      wished,
      { _tag: "Cancelled" },
      Operation.exceededExactRange(context.rejections),
      context,
    )
    return ended === undefined
      ? Operation.refuse(notCancellable(stored.data.status))
      : Operation.answer(200, toTransaction(ended.transaction), ended.changes)
  }
  const changes = Changes.combine(Changes.update(stored, data), { jobs: [cancelJob(context, stored)] })
  return Operation.answer(200, toTransaction(Changes.after(stored, data, now)), changes)
}

export class Transactions extends Context.Service<
  Transactions,
  {
    /** A transaction of the caller's tenant; an agent sees those of its customer. */
    readonly get: (transactionId: string) => Result<TransactionResource>
    readonly list: (query: TransactionsQuery) => Result<Page<TransactionResource>>
    /** Notes when the receipt reached the customer: the given time, else the one noted before, else now. */
    readonly confirm: (transactionId: string, at?: number) => Result<Answered>
    /** Calls a payment back: at once while no rail was asked, else the rail is. Errors: `TRANSACTION_NOT_CANCELLABLE`. */
    readonly cancel: (transactionId: string, reason?: string) => Result<Answered>
  }
>()("@countersign/core/Transactions") {
  static readonly layer = Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const find = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, transactionId: string) {
        const found = yield* read({ records: [{ kind: "Transaction", id: transactionId }] })
        return (
          found.record("Transaction", transactionId) ??
          (yield* new ServiceError(notFound("transaction", "TRANSACTION_NOT_FOUND")))
        )
      })

      const ofCard = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, transactionId: string) {
        const found = yield* read({ records: [{ kind: "CardTransaction", id: transactionId }] })
        const stored = found.record("CardTransaction", transactionId)
        return toAnyTransaction(stored ?? (yield* new ServiceError(notFound("transaction", "TRANSACTION_NOT_FOUND"))))
      })

      /** What a card spent is the merchant's to give back. */
      const loadCancellable = Effect.fnUntraced(function* (read: Operation.Read, transactionId: string) {
        if (!isId("CardTransaction", transactionId)) return yield* loadTransactionScope(read, transactionId)
        const { status } = yield* ofCard(read, transactionId)
        return yield* new ServiceError(notCancellable(status))
      })

      const list = Effect.fnUntraced(
        function* (asked: TransactionsQuery) {
          const { platformId } = yield* CurrentCaller
          const { cursor: _cursor, limit: _limit, sortOrder: _order, ...filters } = asked
          const page = yield* listOf(listsOf(filters, platformId), { kind: "Transaction", filters }, asked)
          return { ...page, data: page.data.map(toAnyTransaction) }
        },
        Effect.provideService(Store, store),
      )

      const get = Effect.fnUntraced(function* (transactionId: string) {
        return isId("CardTransaction", transactionId)
          ? yield* ofCard(store.read, transactionId)
          : toTransaction(yield* find(store.read, transactionId))
      })

      const confirm = Effect.fnUntraced(
        function* (transactionId: string, at?: number) {
          return yield* Operation.run({
            name: "Transactions.confirm",
            load: (read) => find(read, transactionId),
            decide: (stored, { now }) => {
              const receiptDeliveryConfirmedAt = at ?? stored.data.receiptDeliveryConfirmedAt ?? now
              if (receiptDeliveryConfirmedAt === stored.data.receiptDeliveryConfirmedAt) {
                return Operation.answer(200, toTransaction(stored))
              }
              const data = { ...stored.data, receiptDeliveryConfirmedAt }
              return Operation.answer(
                200,
                toTransaction(Changes.after(stored, data, now)),
                Changes.update(stored, data),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const cancel = Effect.fnUntraced(
        function* (transactionId: string, reason?: string) {
          return yield* Operation.run({
            name: "Transactions.cancel",
            ids: 24,
            load: (read) => loadCancellable(read, transactionId),
            decide: (loaded, context) => decideCancel(loaded, reason, context),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Transactions.of({
        get,
        list,
        confirm,
        cancel,
      })
    }),
  )
}
