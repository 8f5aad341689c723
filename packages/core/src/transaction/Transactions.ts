/**
 * Transactions as they are read.
 * Source: wire contract 5.7.
 */
import { Context, Effect, Layer } from "effect"
import { notFound, ServiceError } from "../errors/ServiceError.ts"
import type { CurrentCaller } from "../ports/Caller.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { type IncomingTransactionResource, toIncomingTransaction } from "./TransactionResource.ts"

export class Transactions extends Context.Service<
  Transactions,
  {
    /** A transaction of the caller's tenant; an agent sees those of its customer. */
    readonly get: (
      transactionId: string,
    ) => Effect.Effect<IncomingTransactionResource, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/Transactions") {
  static readonly layer = Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const store = yield* Store
      return Transactions.of({
        get: Effect.fnUntraced(function* (transactionId) {
          const read = yield* store.read({ records: [{ kind: "Transaction", id: transactionId }] })
          const transaction = read.record("Transaction", transactionId)
          if (transaction === undefined) {
            return yield* new ServiceError(notFound("transaction", "TRANSACTION_NOT_FOUND"))
          }
          return toIncomingTransaction(transaction)
        }),
      })
    }),
  )
}
