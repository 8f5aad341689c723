/**
 * The platform's transfers in one currency: in from an external account, and out to one.
 * Spec: 4.5 (platform transfers); wire contract 5.1 and 5.6.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { customersOf } from "../../decision/transaction/TransferDecision.ts"
import * as TransferIn from "../../decision/transaction/TransferInDecision.ts"
import * as TransferOut from "../../decision/transaction/TransferOutDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { TransactionResource } from "../../model/transaction/TransactionResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { forTransfer, Rails } from "../../ports/Rails.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<TransactionResource>

const loadTransferIn = Effect.fnUntraced(function* (read: Operation.Read, order: TransferIn.TransferInOrder) {
  const query = TransferIn.readQueryFor(order)
  const found = yield* read({ ...query, ownersOf: query.records })
  const accounts = TransferIn.accountsOf(found, order)
  return { ...accounts, ...customersOf(found, accounts.destination, accounts.source) }
})

const loadTransferOut = Effect.fnUntraced(function* (read: Operation.Read, order: TransferOut.TransferOutOrder) {
  const query = TransferOut.readQueryFor(order)
  const found = yield* read({ ...query, ownersOf: query.records })
  const accounts = TransferOut.accountsOf(found, order)
  return { ...accounts, ...customersOf(found, accounts.source, accounts.destination) }
})

export class Transfers extends Context.Service<
  Transfers,
  {
    /** Pulls money: the transaction is `PENDING`, and a job reports its outcome. */
    readonly transferIn: (order: TransferIn.TransferInOrder, keyed?: Operation.Keyed) => Result<Answered>
    /** Pushes money: it is held, the transaction is `PENDING`, and a job reports its outcome. */
    readonly transferOut: (order: TransferOut.TransferOutOrder, keyed?: Operation.Keyed) => Result<Answered>
  }
>()("@countersign/core/Transfers") {
  static readonly layer = Layer.effect(
    Transfers,
    Effect.gen(function* () {
      const rails = yield* Rails
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const askRail = Effect.fnUntraced(function* (
        source: Stored<"ExternalAccount"> | undefined,
        amount: number | undefined,
      ) {
        if (source === undefined) return { inspection: undefined }
        const { accountInfo, currency } = source.data
        return {
          inspection: yield* rails.inspectPull({ accountId: source.id, currency, accountInfo }, amount, forTransfer),
        }
      })

      const transferIn = Effect.fnUntraced(
        function* (order: TransferIn.TransferInOrder, keyed?: Operation.Keyed) {
          return yield* Operation.run({
            name: "Transfers.transferIn",
            keyed,
            load: (read) => loadTransferIn(read, order),
            ask: ({ source }) => askRail(source, order.amount),
            decide: TransferIn.decideTransferIn(order),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const transferOut = Effect.fnUntraced(
        function* (order: TransferOut.TransferOutOrder, keyed?: Operation.Keyed) {
          return yield* Operation.run({
            name: "Transfers.transferOut",
            keyed,
            load: (read) => loadTransferOut(read, order),
            decide: TransferOut.decideTransferOut(order),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Transfers.of({ transferIn, transferOut })
    }),
  )
}
