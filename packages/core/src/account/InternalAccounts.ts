/**
 * Internal accounts: their list with balances, and the sandbox's way to put money in.
 * Spec: 4.6 (fund); wire contract 5.9 and 7.2.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { notFound, ServiceError } from "../errors/ServiceError.ts"
import type { Page } from "../kit/Page.ts"
import * as Ledger from "../ledger/LedgerAccounts.ts"
import type { CurrencyCode } from "../money/Currencies.ts"
import * as Changes from "../operation/Changes.ts"
import { type ListQuery, listPage, where } from "../operation/Listing.ts"
import * as Operation from "../operation/Operation.ts"
import { platformOnly } from "../operation/PlatformOnly.ts"
import type { CurrentCaller } from "../ports/Caller.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import type { WallTime } from "../ports/WallTime.ts"
import { fund } from "../transaction/IncomingChanges.ts"
import type { InternalAccountType } from "./InternalAccount.ts"
import { type InternalAccountResource, toInternalAccount } from "./InternalAccountResource.ts"

type Failure = ServiceError | StoreUnavailable

export interface InternalAccountsQuery extends ListQuery {
  readonly customerId?: string
  readonly currency?: CurrencyCode
  readonly type?: InternalAccountType
}

export class InternalAccounts extends Context.Service<
  InternalAccounts,
  {
    /** The accounts of the platform's customers; an agent sees those of its customer. */
    readonly list: (
      query: InternalAccountsQuery,
    ) => Effect.Effect<Page<InternalAccountResource>, Failure, CurrentCaller>
    /** Adds `amount` (smallest unit) at once. Errors: 404, `INVALID_INPUT` (not active), `AMOUNT_OUT_OF_RANGE`. */
    readonly fund: (
      accountId: string,
      amount: number,
    ) => Effect.Effect<Operation.Answered<InternalAccountResource>, Failure, CurrentCaller>
  }
>()("@countersign/core/InternalAccounts") {
  static readonly layer = Layer.effect(
    InternalAccounts,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const load = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
        const account = (yield* read({ records: [{ kind: "InternalAccount", id: accountId }] })).record(
          "InternalAccount",
          accountId,
        )
        if (account === undefined) return yield* new ServiceError(notFound("internal account"))
        const { customerId } = account
        const owner =
          customerId === null
            ? undefined
            : (yield* read({ records: [{ kind: "Customer", id: customerId }] })).record("Customer", customerId)
        return { account, platformCustomerId: owner?.data.platformCustomerId ?? "" }
      })

      const fundAccount = Effect.fnUntraced(
        function* (accountId: string, amount: number) {
          return yield* Operation.run({
            name: "InternalAccounts.fund",
            load: (read) => load(read, accountId),
            decide: ({ account, platformCustomerId }, { ids, now, obstacles }) => {
              if (Operation.metRange(obstacles)) {
                return Operation.refuse({
                  code: "AMOUNT_OUT_OF_RANGE",
                  message: "The amount would take the balance beyond what can be kept exactly.",
                })
              }
              if (account.data.status !== "ACTIVE") {
                return Operation.refuse({
                  code: "INVALID_INPUT",
                  message: "The internal account is not active.",
                  details: { reason: "DESTINATION_NOT_ACTIVE", status: account.data.status },
                })
              }
              const funded = fund(ids, now, account, {
                platformCustomerId,
                amount,
                currency: account.data.currency,
                destinationAccountId: account.id,
              })
              return Operation.answer(
                200,
                toInternalAccount(account, { available: 0, held: 0 }),
                Changes.combine(funded.changes, Changes.guard(account)),
                Ledger.balanceHoles(account.id),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return InternalAccounts.of({
        fund: fundAccount,
        list: ({ currency, customerId, type, ...query }) =>
          Effect.gen(function* () {
            const filters = where({ customerId, currency, type })
            const page = yield* listPage("InternalAccount", filters, query)
            const found = yield* store.read({
              balances: page.data.flatMap(({ id }) => [Ledger.available(id), Ledger.held(id)]),
            })
            const data = page.data.map((account) =>
              toInternalAccount(account, {
                available: found.balance(Ledger.available(account.id)).balance,
                held: found.balance(Ledger.held(account.id)).balance,
              }),
            )
            return { ...page, data }
          }).pipe(Effect.provideService(Store, store)),
      })
    }),
  )
}
