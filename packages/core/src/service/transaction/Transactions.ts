/**
 * Transactions: read, listed, confirmed and cancelled.
 * Source: wire contract 5.1, 5.7 and 11 (51); D-096.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { type CancellationLoaded, decideCancel } from "../../decision/transaction/CancellationDecision.ts"
import { decideReceipt } from "../../decision/transaction/ReceiptDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import {
  type TransactionResource,
  type TransferResource,
  toAnyTransaction,
} from "../../model/transaction/TransactionResource.ts"
import * as DeferredSignIn from "../../operation/DeferredSignIn.ts"
import { listOf } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadTransactionScope, transactionNotFound } from "./TransactionLoads.ts"
import { listsFor, readCustomers, type TransactionsQuery } from "./TransactionQuery.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<TransferResource>

const loadTransfer = <E>(read: Operation.Read<E>, transactionId: string) =>
  readExisting(read, "Transaction", transactionId, transactionNotFound)

const loadCardTransaction = <E>(read: Operation.Read<E>, transactionId: string) =>
  readExisting(read, "CardTransaction", transactionId, transactionNotFound)

const loadCancellation = Effect.fnUntraced(function* (read: Operation.Read, transactionId: string) {
  const loaded: CancellationLoaded = isId("CardTransaction", transactionId)
    ? { _tag: "CardTransaction", transaction: yield* loadCardTransaction(read, transactionId) }
    : { _tag: "Transfer", scope: yield* loadTransactionScope(read, transactionId) }
  return loaded
})

export class Transactions extends Context.Service<
  Transactions,
  {
    /** Returns a transaction of the caller's tenant; an agent sees those of its customer. */
    readonly get: (transactionId: string) => Result<TransactionResource>
    readonly list: (query: TransactionsQuery) => Result<Page<TransactionResource>>
    /** Records when the receipt reached the customer: the given time, else the recorded one, else now. */
    readonly confirm: (transactionId: string, at?: number) => Result<Answered>
    /** Cancels a payment: at once while no rail was asked, otherwise by asking it. Errors: `TRANSACTION_NOT_CANCELLABLE`. */
    readonly cancel: (transactionId: string, reason?: string) => Result<Answered>
  }
>()("@countersign/core/Transactions") {
  static readonly layer = Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const store = yield* Store
      const read = DeferredSignIn.reads(store)
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const get = Effect.fnUntraced(function* (transactionId: string) {
        const stored = isId("CardTransaction", transactionId)
          ? yield* loadCardTransaction(read, transactionId)
          : yield* loadTransfer(read, transactionId)
        return toAnyTransaction(stored)
      })

      const list = Effect.fnUntraced(
        function* (query: TransactionsQuery) {
          const { platformId } = yield* CurrentCaller
          const { cursor: _cursor, limit: _limit, sortOrder: _order, ...filters } = query
          const lists = listsFor(filters, platformId, yield* readCustomers(filters))
          const page = yield* listOf(lists, { kind: "Transaction", filters }, query)
          return { ...page, data: page.data.map(toAnyTransaction) }
        },
        Effect.provideService(Store, store),
      )

      const confirm = Effect.fnUntraced(
        function* (transactionId: string, at?: number) {
          return yield* Operation.run({
            name: "Transactions.confirm",
            load: (read) => loadTransfer(read, transactionId),
            decide: decideReceipt(at),
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
            load: (read) => loadCancellation(read, transactionId),
            decide: decideCancel(reason),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Transactions.of({ get, list, confirm, cancel })
    }),
  )
}
