/**
 * Internal accounts: their list with balances, and the sandbox's way to put money in.
 * Spec: 4.6 (fund); wire contract 5.9 and 7.2.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { auditRecord } from "../../decision/audit/Audit.ts"
import { fund } from "../../decision/transaction/IncomingChanges.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { limitMax, type Page } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { InternalAccountType } from "../../model/account/InternalAccount.ts"
import { type InternalAccountResource, toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
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

export class InternalAccounts extends Context.Service<
  InternalAccounts,
  {
    /** The accounts of the platform's customers; an agent sees those of its customer. */
    readonly list: (
      query: InternalAccountsQuery,
    ) => Effect.Effect<Page<InternalAccountResource>, Failure, CurrentCaller>
    /** One account, of a customer or of the platform. */
    readonly get: (accountId: string) => Effect.Effect<InternalAccountResource, Failure, CurrentCaller>
    /** The platform's own accounts, all of them. */
    readonly ofPlatform: (
      filters: AccountFilters,
    ) => Effect.Effect<{ readonly data: ReadonlyArray<InternalAccountResource> }, Failure, CurrentCaller>
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
        const receivable = Ledger.receivable(account, account.data.currency).id
        const found = yield* read({
          records: customerId === null ? [] : [{ kind: "Customer", id: customerId }],
          balances: [receivable],
        })
        const customer = customerId === null ? undefined : found.record("Customer", customerId)
        if (customer?.data.isDeleted === true) return yield* new ServiceError(notFound("internal account"))
        return { account, customer, owed: found.balance(receivable) }
      })

      const fundAccount = Effect.fnUntraced(
        function* (accountId: string, amount: number) {
          return yield* Operation.run({
            name: "InternalAccounts.fund",
            load: (read) => load(read, accountId),
            decide: ({ account, customer, owed }, context) => {
              const { ids, now, rejections } = context
              if (account.data.status !== "ACTIVE") {
                return Operation.refuse({
                  code: "INVALID_INPUT",
                  message: "The internal account is not active.",
                  details: { reason: "DESTINATION_NOT_ACTIVE", status: account.data.status },
                })
              }
              if (Operation.exceededExactRange(rejections)) {
                return Operation.refuse({
                  code: "AMOUNT_OUT_OF_RANGE",
                  message: "The amount would take the balance beyond what can be kept exactly.",
                })
              }
              const funded = fund(
                ids,
                now,
                { account, receivable: owed },
                {
                  platformCustomerId: customer?.data.platformCustomerId ?? "",
                  amount,
                  currency: account.data.currency,
                  destinationAccountId: account.id,
                },
              )
              return Operation.answer(
                200,
                toInternalAccount(account, { available: 0, held: 0 }),
                Changes.combine(
                  funded.changes,
                  Changes.guard(account, ...(customer === undefined ? [] : [customer])),
                  auditRecord(context, "SANDBOX_FUND", account, {
                    details: { amount, currency: account.data.currency },
                  }),
                ),
                Ledger.balancePlaceholders(account.id),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Accounts with their balances, which one further trip reads. */
      const present = Effect.fnUntraced(function* (accounts: ReadonlyArray<Stored<"InternalAccount">>) {
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
        return { ...page, data: yield* present(page.data) }
      })

      return InternalAccounts.of({
        fund: fundAccount,
        list,
        get: Effect.fnUntraced(function* (accountId) {
          const read = yield* store.read({ records: [{ kind: "InternalAccount", id: accountId }] })
          const account = read.record("InternalAccount", accountId)
          const [resource] = account === undefined ? [] : yield* present([account])
          return resource ?? (yield* new ServiceError(notFound("internal account")))
        }),
        ofPlatform: ({ currency, type }) =>
          Effect.gen(function* () {
            const filters = where({ currency, type, isPlatform: true })
            // One per currency: fewer than a page.
            const { data } = yield* store.list("InternalAccount", filters, { limit: limitMax, order: "desc" })
            return { data: yield* present(data) }
          }).pipe(platformOnly),
      })
    }),
  )
}
