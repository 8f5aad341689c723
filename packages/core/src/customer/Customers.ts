/**
 * Customers of a platform. With a customer come its internal accounts, one per currency of the platform.
 * Source: wire contract 5.9 and 5.11.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { InternalAccount } from "../account/InternalAccount.ts"
import { notFound, type Refusal, ServiceError } from "../errors/ServiceError.ts"
import type { IdSource } from "../ids/IdPool.ts"
import * as Ledger from "../ledger/LedgerAccounts.ts"
import { Currencies, type CurrencyCode } from "../money/Currencies.ts"
import * as Changes from "../operation/Changes.ts"
import * as Operation from "../operation/Operation.ts"
import { platformOnly } from "../operation/PlatformOnly.ts"
import { CurrentCaller } from "../ports/Caller.ts"
import type { Claim, Owner } from "../ports/Kinds.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { type CustomerCheck, Verifier } from "../ports/Verifier.ts"
import type { WallTime } from "../ports/WallTime.ts"
import type { Customer } from "./Customer.ts"
import { type CustomerCreateRequest, type CustomerResource, toCustomer } from "./CustomerResource.ts"

type Failure = ServiceError | StoreUnavailable

const fromClaim = ({ key }: Claim): Refusal =>
  key.startsWith("uma:")
    ? { code: "UMA_ADDRESS_EXISTS", message: "The UMA address is taken." }
    : {
        code: "CONFLICT",
        message: "A customer with this platformCustomerId exists.",
        details: { field: "platformCustomerId" },
      }

const factsOf = (request: CustomerCreateRequest): CustomerCheck =>
  request.customerType === "BUSINESS"
    ? { customerType: "BUSINESS", ...pick("registrationNumber", request.businessInfo.registrationNumber) }
    : { customerType: "INDIVIDUAL", ...pick("fullName", request.fullName) }

const pick = <K extends string>(name: K, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in K]?: string }

/** The internal accounts of a new customer: one per currency, and a wallet where the platform supports USDB. */
const accountsOf = (currencies: ReadonlyArray<CurrencyCode>): ReadonlyArray<InternalAccount> => [
  ...currencies.map(
    (currency): InternalAccount => ({
      type: Currencies.get(currency).crypto ? "INTERNAL_CRYPTO" : "INTERNAL_FIAT",
      status: "ACTIVE",
      currency,
    }),
  ),
  ...(currencies.includes("USDB") ? [{ type: "EMBEDDED_WALLET", status: "ACTIVE", currency: "USDB" } as const] : []),
]

const openAccounts = (ids: IdSource, owner: Owner, currencies: ReadonlyArray<CurrencyCode>): Changes.Changes =>
  Changes.combine(
    ...accountsOf(currencies).map((data) => {
      const id = ids("InternalAccount")
      return Changes.combine(Changes.insert("InternalAccount", id, owner, data), {
        ledgerAccounts: Ledger.forInternalAccount(id, owner, data.currency),
      })
    }),
  )

export class Customers extends Context.Service<
  Customers,
  {
    readonly create: (
      request: CustomerCreateRequest,
    ) => Effect.Effect<Operation.Answered<CustomerResource>, Failure, CurrentCaller>
    readonly get: (customerId: string) => Effect.Effect<CustomerResource, Failure, CurrentCaller>
  }
>()("@countersign/core/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const store = yield* Store
      const verifier = yield* Verifier
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const create = Effect.fnUntraced(
        function* (request: CustomerCreateRequest) {
          const { platformId } = yield* CurrentCaller
          const checkStatus = yield* verifier.checkCustomer(factsOf(request))
          return yield* Operation.run({
            name: "Customers.create",
            ids: Currencies.keys.length + 2,
            load: (read) => read({ records: [{ kind: "Platform", id: platformId }] }),
            decide: (read, { ids, now, obstacles }) => {
              const platform = read.record("Platform", platformId)
              if (platform === undefined) return Operation.refuse(notFound("platform"))
              const taken = Operation.metTaken(obstacles)
              if (taken !== undefined) return Operation.refuse(fromClaim(taken))
              const currencies = platform.data.supportedCurrencies.map(({ currencyCode }) => currencyCode)
              const id = ids("Customer")
              const name = id.slice("Customer:".length)
              const data: Customer = {
                ...request,
                platformCustomerId: request.platformCustomerId ?? name,
                umaAddress: request.umaAddress ?? `$${name}@${platform.data.umaDomain}`,
                currencies: request.currencies ?? currencies,
                checkStatus,
                isDeleted: false,
              }
              const owner: Owner = { platformId, customerId: id }
              return Operation.answer(
                201,
                toCustomer(Changes.born("Customer", id, owner, data, now)),
                Changes.combine(
                  Changes.insert("Customer", id, owner, data),
                  openAccounts(ids, owner, currencies),
                  Changes.guard(platform),
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Customers.of({
        create,
        get: Effect.fnUntraced(function* (customerId) {
          const read = yield* store.read({ records: [{ kind: "Customer", id: customerId }] })
          const customer = read.record("Customer", customerId)
          if (customer === undefined || customer.data.isDeleted) {
            return yield* new ServiceError(notFound("customer", "USER_NOT_FOUND"))
          }
          return toCustomer(customer)
        }),
      })
    }),
  )
}
