/**
 * Unapplied money and failed refunds, for the operator: listed, applied, returned and tried again.
 * Source: D-033, D-355, D-416.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideRefundRetry } from "../../decision/transaction/RefundRetryDecision.ts"
import {
  amountOf,
  applyUnapplied,
  intendedAccountOf,
  returnUnapplied,
  toUnappliedMoney,
  type Unapplied,
  unappliedAccountOf,
} from "../../decision/transaction/UnappliedDecision.ts"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import { returnReferenceMax, type UnappliedMoneyResource } from "../../model/account/UnappliedMoney.ts"
import type { TransferResource } from "../../model/transaction/TransactionResource.ts"
import { type ListQuery, listOf } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadTransactionScope, readReceivables, transactionNotFound } from "./TransactionLoads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const readTransaction = Effect.fnUntraced(function* (read: Operation.Read, id: string) {
  const transaction: Unapplied = isId("CardTransaction", id)
    ? yield* readExisting(read, "CardTransaction", id, transactionNotFound)
    : yield* readExisting(read, "Transaction", id, transactionNotFound)
  return transaction
})

const load = Effect.fnUntraced(function* (read: Operation.Read, id: string, accountId: string | undefined) {
  const transaction = yield* readTransaction(read, id)
  const credited = accountId ?? intendedAccountOf(transaction)
  const money = unappliedAccountOf(transaction)
  const intended = intendedAccountOf(transaction)
  const named = [...new Set([credited, intended])].filter((name) => name !== undefined)
  const found = yield* read({
    records: named.map((name) => ({ kind: "InternalAccount", id: name })),
    balances: [money],
  })
  const account = credited === undefined ? undefined : found.record("InternalAccount", credited)
  const holder = intended === undefined ? undefined : found.record("InternalAccount", intended)
  const [receivable = { balance: 0, sequence: 0 }] = yield* readReceivables(read, account)
  return { transaction, account, holder, receivable, money: found.balance(money) }
})

const isReference = (reference: string): boolean => reference.trim() !== "" && reference.length <= returnReferenceMax

export class UnappliedMoney extends Context.Service<
  UnappliedMoney,
  {
    /** Lists the transactions whose money waits for an operator, newest first. */
    readonly list: (query: ListQuery) => Result<Page<UnappliedMoneyResource>>
    /**
     * Credits the money to an internal account of the same owner; absent: the account that could not take it. Errors:
     * `TRANSACTION_NOT_FOUND`, `CONFLICT` (`NOT_UNAPPLIED`, `REFUND_PENDING`), `INVALID_INPUT`, `AMOUNT_OUT_OF_RANGE`.
     */
    readonly apply: (
      transactionId: string,
      accountId: string | undefined,
      keyed?: Operation.Keyed,
    ) => Result<Operation.Answered<UnappliedMoneyResource>>
    /** Records that the operator returned the money by a payment of its own. The same errors as `apply`. */
    readonly giveBack: (transactionId: string, reference: string) => Result<Operation.Answered<UnappliedMoneyResource>>
    /** Asks the rail again about a failed refund. Errors: `TRANSACTION_NOT_FOUND`, `CONFLICT` (`REFUND_NOT_FAILED`). */
    readonly retryRefund: (transactionId: string) => Result<Operation.Answered<TransferResource>>
  }
>()("@countersign/core/UnappliedMoney") {
  static readonly layer = Layer.effect(
    UnappliedMoney,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const list = Effect.fnUntraced(
        function* (query: ListQuery) {
          const filters = { isUnapplied: { eq: true } }
          const page = yield* listOf(
            [
              ["Transaction", filters],
              ["CardTransaction", filters],
            ],
            { kind: "UnappliedMoney" },
            query,
          )
          const { balance } = yield* store.read({ balances: page.data.map(unappliedAccountOf) })
          return {
            ...page,
            data: page.data.map((stored) =>
              toUnappliedMoney(stored, amountOf(stored, balance(unappliedAccountOf(stored)))),
            ),
          }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const apply = Effect.fnUntraced(
        function* (transactionId: string, accountId: string | undefined, keyed?: Operation.Keyed) {
          return yield* Operation.run({
            name: "UnappliedMoney.apply",
            ids: 8,
            keyed,
            load: (read) => load(read, transactionId, accountId),
            decide: applyUnapplied,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const giveBack = Effect.fnUntraced(
        function* (transactionId: string, reference: string) {
          if (!isReference(reference)) {
            const message = `must be a text of 1 to ${returnReferenceMax} characters`
            return yield* new ServiceError(invalidInput([{ field: "reference", message }]))
          }
          return yield* Operation.run({
            name: "UnappliedMoney.giveBack",
            ids: 4,
            load: (read) => load(read, transactionId, undefined),
            decide: returnUnapplied(reference),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const retryRefund = Effect.fnUntraced(
        function* (transactionId: string) {
          return yield* Operation.run({
            name: "UnappliedMoney.retryRefund",
            ids: 8,
            load: (read) => loadTransactionScope(read, transactionId),
            decide: decideRefundRetry,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return UnappliedMoney.of({ list, apply, giveBack, retryRefund })
    }),
  )
}
