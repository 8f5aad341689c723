/**
 * Internal accounts: reads and lists with balances, and funding in the sandbox.
 * Spec: 4.6 (fund); wire contract 5.9 and 7.2; wire contract areas 2.12.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { fundInternalAccount } from "../../decision/account/InternalAccountDecision.ts"
import { filledSource } from "../../decision/transaction/DepositFill.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { limitMax, type Page } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { DepositSource } from "../../model/account/Deposit.ts"
import type { InternalAccountType } from "../../model/account/InternalAccount.ts"
import { type InternalAccountResource, toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import * as DeferredSignIn from "../../operation/DeferredSignIn.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadForDeposit, makeScreening } from "./DepositScreenings.ts"
import { makeFundingSets, ownersOf } from "./FundingSets.ts"

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
  const loaded = yield* loadForDeposit(read, accountId)
  return loaded.customer?.data.isDeleted === true ? yield* new ServiceError(accountNotFound) : loaded
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
    /** A deposit of `amount` (smallest unit) by the account's instructions, from a simulated sender. Errors: `REFERENCE_NOT_FOUND`, `INVALID_INPUT` (not active), `AMOUNT_OUT_OF_RANGE`. */
    readonly fund: (
      accountId: string,
      amount: number,
      source?: DepositSource,
    ) => Effect.Effect<Operation.Answered<InternalAccountResource>, Failure, CurrentCaller>
  }
>()("@countersign/core/InternalAccounts") {
  static readonly layer = Layer.effect(
    InternalAccounts,
    Effect.gen(function* () {
      const store = yield* Store
      const read = DeferredSignIn.reads(store)
      const funding = yield* makeFundingSets
      const screen = yield* makeScreening
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** Fills in the sender of a deposit, and screens it. */
      const askFunding = Effect.fnUntraced(function* (
        { account, customer }: Effect.Success<ReturnType<typeof loadForFunding>>,
        amount: number,
        sent: DepositSource,
        transactionId: string,
      ) {
        const instructions = yield* funding.setOf(account, customer)
        const source = filledSource(sent, instructions, transactionId)
        const isFilledIn = sent.accountIdentifier === undefined
        const { transactionHash, verdict } = yield* screen({ transactionId, account, amount, source, isFilledIn })
        const deposit = { source, ...(transactionHash === undefined ? {} : { transactionHash }) }
        return { instructions, transactionId, verdict, deposit }
      })

      const fundAccount = Effect.fnUntraced(
        function* (accountId: string, amount: number, source: DepositSource) {
          const transactionId = yield* IdPool.draw("Transaction", accountId)
          return yield* Operation.run({
            name: "InternalAccounts.fund",
            ids: 12,
            load: (read) => loadForFunding(read, accountId),
            ask: (loaded) => askFunding(loaded, amount, source, transactionId),
            decide: fundInternalAccount(amount),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Reads the balances of the accounts and their owners in one trip, and asks for their funding instructions. */
      const withBalances = Effect.fnUntraced(function* (accounts: ReadonlyArray<Stored<"InternalAccount">>) {
        const found = yield* read({
          records: ownersOf(accounts),
          balances: accounts.flatMap(({ id }) => [Ledger.available(id), Ledger.held(id)]),
        })
        const sets = yield* funding.setsOf(accounts, (id) => found.record("Customer", id))
        return accounts.map((account, index) =>
          toInternalAccount(
            account,
            {
              available: found.balance(Ledger.available(account.id)).balance,
              held: found.balance(Ledger.held(account.id)).balance,
            },
            sets[index],
          ),
        )
      })

      const list = Effect.fnUntraced(function* ({ currency, customerId, type, ...query }: InternalAccountsQuery) {
        const filters = where({ customerId, currency, type, isPlatform: false })
        const page = yield* listPage("InternalAccount", filters, query).pipe(Effect.provideService(Store, store))
        return { ...page, data: yield* withBalances(page.data) }
      })

      const get = Effect.fnUntraced(function* (accountId: string) {
        const account = yield* readExisting(read, "InternalAccount", accountId, accountNotFound)
        const [resource] = yield* withBalances([account])
        return resource ?? (yield* new ServiceError(accountNotFound))
      })

      const ofPlatform = Effect.fnUntraced(function* ({ currency, type }: AccountFilters) {
        const filters = where({ currency, type, isPlatform: true })
        // A platform has one account per currency: fewer than a page.
        const { data } = yield* store.list("InternalAccount", filters, { limit: limitMax, order: "desc" })
        return { data: yield* withBalances(data) }
      }, platformOnly)

      return InternalAccounts.of({
        fund: (accountId, amount, source = {}) => fundAccount(accountId, amount, source),
        list,
        get,
        ofPlatform,
      })
    }),
  )
}
