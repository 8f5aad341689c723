/**
 * Internal accounts: reads and lists with balances, and funding in the sandbox.
 * Spec: 4.6 (fund); wire contract 5.9 and 7.2.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { fundInternalAccount } from "../../decision/account/InternalAccountDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { limitMax, type Page } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { InternalAccountType } from "../../model/account/InternalAccount.ts"
import { type InternalAccountResource, toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

type Failure = ServiceError | StoreUnavailable

export interface AccountFilters {
  readonly currency?: CurrencyCode
  readonly type?: InternalAccountType
}

export interface InternalAccountsQuery extends ListQuery, AccountFilters {
  readonly customerId?: string
}

const accountNotFound = notFound("internal account")

/** Loads an account with its customer and its owner's debt. An account of a deleted customer does not exist. */
const loadForFunding = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
  const account = yield* readExisting(read, "InternalAccount", accountId, accountNotFound)
  const { customerId } = account
  const receivable = Ledger.receivable(account, account.data.currency).id
  const found = yield* read({
    records: customerId === null ? [] : [{ kind: "Customer", id: customerId }],
    balances: [receivable],
  })
  const customer = customerId === null ? undefined : found.record("Customer", customerId)
  if (customer?.data.isDeleted === true) return yield* new ServiceError(accountNotFound)
  return { account, customer, owed: found.balance(receivable) }
})

export class InternalAccounts extends Context.Service<
  InternalAccounts,
  {
    /** Lists the accounts of the platform's customers. An agent sees the accounts of its customer. */
    readonly list: (
      query: InternalAccountsQuery,
    ) => Effect.Effect<Page<InternalAccountResource>, Failure, CurrentCaller>
    /** Returns one account, of a customer or of the platform. */
    readonly get: (accountId: string) => Effect.Effect<InternalAccountResource, Failure, CurrentCaller>
    /** Returns all accounts of the platform itself. */
    readonly ofPlatform: (
      filters: AccountFilters,
    ) => Effect.Effect<{ readonly data: ReadonlyArray<InternalAccountResource> }, Failure, CurrentCaller>
    /** Credits `amount` (smallest unit) at once. Errors: `REFERENCE_NOT_FOUND`, `INVALID_INPUT` (not active), `AMOUNT_OUT_OF_RANGE`. */
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

      const fundAccount = Effect.fnUntraced(
        function* (accountId: string, amount: number) {
          return yield* Operation.run({
            name: "InternalAccounts.fund",
            load: (read) => loadForFunding(read, accountId),
            decide: fundInternalAccount(amount),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Reads the balances of the accounts in one trip. */
      const withBalances = Effect.fnUntraced(function* (accounts: ReadonlyArray<Stored<"InternalAccount">>) {
        const found = yield* store.read({
          balances: accounts.flatMap(({ id }) => [Ledger.available(id), Ledger.held(id)]),
        })
        return accounts.map((account) =>
          toInternalAccount(account, {
            available: found.balance(Ledger.available(account.id)).balance,
            held: found.balance(Ledger.held(account.id)).balance,
          }),
        )
      })

      const list = Effect.fnUntraced(function* ({ currency, customerId, type, ...query }: InternalAccountsQuery) {
        const filters = where({ customerId, currency, type, isPlatform: false })
        const page = yield* listPage("InternalAccount", filters, query).pipe(Effect.provideService(Store, store))
        return { ...page, data: yield* withBalances(page.data) }
      })

      const get = Effect.fnUntraced(function* (accountId: string) {
        const account = yield* readExisting(store.read, "InternalAccount", accountId, accountNotFound)
        const [resource] = yield* withBalances([account])
        return resource ?? (yield* new ServiceError(accountNotFound))
      })

      const ofPlatform = Effect.fnUntraced(function* ({ currency, type }: AccountFilters) {
        const filters = where({ currency, type, isPlatform: true })
        // A platform has one account per currency: fewer than a page.
        const { data } = yield* store.list("InternalAccount", filters, { limit: limitMax, order: "desc" })
        return { data: yield* withBalances(data) }
      }, platformOnly)

      return InternalAccounts.of({ fund: fundAccount, list, get, ofPlatform })
    }),
  )
}
