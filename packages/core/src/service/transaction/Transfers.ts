/**
 * Same-currency transfers of the platform: in from an external account, and out to one.
 * Spec: 4.5 (platform transfers); wire contract 5.1 and 5.6.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as TransferIn from "../../decision/transaction/TransferInDecision.ts"
import * as TransferOut from "../../decision/transaction/TransferOutDecision.ts"
import type { Refusal, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { type TransactionResource, toTransaction } from "../../model/transaction/TransactionResource.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { Rails } from "../../ports/Rails.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { AnyStored, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import type { Kind } from "../../store/Kinds.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<TransactionResource>
type Guarded = AnyStored | Stored<Kind>

const isRefusal = (value: object): value is Refusal => "code" in value

/** The transaction, begun; it rests on both accounts and on the customer. */
const begun = (
  { changes, transaction }: { readonly transaction: Stored<"Transaction">; readonly changes: Changes.Changes },
  ...rests: ReadonlyArray<Guarded | undefined>
) =>
  Operation.answer(
    201,
    toTransaction(transaction),
    Changes.combine(changes, Changes.guard(...rests.filter((record) => record !== undefined))),
  )

export class Transfers extends Context.Service<
  Transfers,
  {
    /** Pulls money: the transaction is `PENDING`, and its outcome follows. */
    readonly transferIn: (order: TransferIn.TransferInOrder, keyed?: Operation.Keyed) => Result<Answered>
    /** Pushes money: it is held, the transaction is `PENDING`, and its outcome follows. */
    readonly transferOut: (order: TransferOut.TransferOutOrder, keyed?: Operation.Keyed) => Result<Answered>
  }
>()("@countersign/core/Transfers") {
  static readonly layer = Layer.effect(
    Transfers,
    Effect.gen(function* () {
      const rails = yield* Rails
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const customerOf = Effect.fnUntraced(function* (
        read: Operation.Read,
        account: Stored<"InternalAccount" | "ExternalAccount"> | undefined,
      ) {
        const id = account?.customerId
        if (id === null || id === undefined) return undefined
        return (yield* read({ records: [{ kind: "Customer", id }] })).record("Customer", id)
      })

      /** The customer of the internal account; where that is the platform's own, the one of the external account. */
      const customersOf = Effect.fnUntraced(function* (
        read: Operation.Read,
        internal: Stored<"InternalAccount"> | undefined,
        external: Stored<"ExternalAccount"> | undefined,
      ) {
        return internal?.customerId === null
          ? { customer: undefined, externalOwner: yield* customerOf(read, external) }
          : { customer: yield* customerOf(read, internal) }
      })

      const loadIn = Effect.fnUntraced(function* (read: Operation.Read, order: TransferIn.TransferInOrder) {
        const accounts = TransferIn.accountsOf(yield* read(TransferIn.readQueryFor(order)), order)
        const { destination, source } = accounts
        const inspection =
          source &&
          (yield* rails.inspectPull(
            { accountId: source.id, currency: source.data.currency, accountInfo: source.data.accountInfo },
            order.amount,
          ))
        const parts: TransferIn.TransferInLoaded = {
          ...accounts,
          ...(yield* customersOf(read, destination, source)),
          inspection,
        }
        return parts
      })

      const loadOut = Effect.fnUntraced(function* (read: Operation.Read, order: TransferOut.TransferOutOrder) {
        const accounts = TransferOut.accountsOf(yield* read(TransferOut.readQueryFor(order)), order)
        const parts: TransferOut.TransferOutLoaded = {
          ...accounts,
          ...(yield* customersOf(read, accounts.source, accounts.destination)),
        }
        return parts
      })

      const transferIn = Effect.fnUntraced(
        function* (order: TransferIn.TransferInOrder, keyed?: Operation.Keyed) {
          return yield* Operation.run({
            name: "Transfers.transferIn",
            keyed,
            load: (read) => loadIn(read, order),
            decide: (parts, { ids, now }) => {
              const transfer = TransferIn.validate(parts, order.amount)
              if (isRefusal(transfer)) return Operation.refuse(transfer)
              if (transfer.isShortOfFunds) return Operation.refuse(shortOfFunds)
              const moved = TransferIn.begin(ids, now, transfer, parts.customer)
              return begun(moved, transfer.source, transfer.destination, parts.customer)
            },
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
            load: (read) => loadOut(read, order),
            decide: (parts, context) => {
              const transfer = TransferOut.validate(parts, order)
              if (isRefusal(transfer)) return Operation.refuse(transfer)
              if (transfer.isShortOfFunds) return Operation.refuse(shortOfFunds)
              const moved = TransferOut.begin(context, transfer, order, parts.customer)
              return begun(moved, transfer.source, transfer.destination, parts.customer)
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Transfers.of({ transferIn, transferOut })
    }),
  )
}
