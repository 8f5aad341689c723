/**
 * Customers of a platform. A customer has one internal account per currency of the platform, from its creation to its deletion.
 * Source: wire contract 5.8, 5.9 and 5.11.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { openingIdsMax } from "../../decision/account/AccountChanges.ts"
import { checkOf, hasNewNumber } from "../../decision/customer/CustomerChecks.ts"
import {
  type CustomerSettings,
  createCustomer,
  type UpdateLoaded,
  updateCustomer,
} from "../../decision/customer/CustomerDecision.ts"
import { deleteCustomer, deletionIdsMax } from "../../decision/customer/CustomerDeletionDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { CustomerType } from "../../model/customer/Customer.ts"
import type { CustomerCreateRequest, CustomerUpdateRequest } from "../../model/customer/CustomerRequest.ts"
import { type CustomerResource, toCustomer } from "../../model/customer/CustomerResource.ts"
import { umaAddressIs } from "../../model/customer/UmaAddress.ts"
import { isFirstCall, type SignedRequestChallenge, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as DeferredSignIn from "../../operation/DeferredSignIn.ts"
import { between, type ListQuery, listAll, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { KeyVault } from "../../ports/KeyVault.ts"
import { Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { EndUserTerms } from "../../settings/EndUserTerms.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { newestRoot } from "../wallet/RootVault.ts"
import type { SignedRequests } from "../wallet/SignedRequests.ts"
import { loadTied } from "../wallet/TiedContacts.ts"
import { firstStatus, loadForCreation } from "./CustomerCreationReads.ts"
import { loadForDeletion } from "./CustomerDeletionReads.ts"
import { loadCustomer, loadOwners, loadPlatform } from "./CustomerReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<CustomerResource>

export interface CustomersQuery extends ListQuery {
  readonly platformCustomerId?: string
  readonly customerType?: CustomerType
  readonly region?: string
  /** Selects customers that have this currency. */
  readonly currency?: CurrencyCode
  readonly umaAddress?: string
  /** Inclusive bounds, Unix milliseconds. */
  readonly createdFrom?: number
  readonly createdTo?: number
  readonly updatedFrom?: number
  readonly updatedTo?: number
  readonly isIncludingDeleted?: boolean
}

export class Customers extends Context.Service<
  Customers,
  {
    /** Errors: `INVALID_INPUT`, `UMA_ADDRESS_EXISTS`, `CONFLICT`, `END_USER_TERMS_VERSION_NOT_FOUND`. */
    readonly create: (request: CustomerCreateRequest) => Result<Answered>
    readonly get: (customerId: string) => Result<CustomerResource>
    readonly list: (query: CustomersQuery) => Result<Page<CustomerResource>>
    /**
     * Answers 202 first if an OTP credential is tied to the contact that changes.
     * Errors: those of `create` and of signed requests.
     */
    readonly update: (
      customerId: string,
      request: CustomerUpdateRequest,
      headers?: WalletHeaders,
    ) => Result<Operation.Answered<CustomerResource | SignedRequestChallenge>>
    /** Errors: `CONFLICT` while money or open transactions exist; `CUSTOMER_DELETED` for a deleted customer. */
    readonly remove: (customerId: string) => Result<Answered>
    /** The current end user terms. */
    readonly terms: Result<{ readonly version: string; readonly url: string }>
  }
>()("@countersign/core/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const store = yield* Store
      const verifier = yield* Verifier
      const terms = yield* EndUserTerms
      const settings: CustomerSettings = { terms, scaRegions: yield* ScaRegions }
      const services = yield* Effect.context<Store | KeyVault | WallTime | SecureRandom.SecureRandom | SignedRequests>()

      const create = Effect.fnUntraced(
        function* (request: CustomerCreateRequest) {
          const customerId = yield* IdPool.draw("Customer")
          return yield* Operation.run({
            name: "Customers.create",
            owner: customerId,
            ids: openingIdsMax + 2,
            load: (read) => loadForCreation(read, request),
            ask: yield* firstStatus(verifier, customerId, request),
            decide: createCustomer(customerId, request, settings),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadForUpdate = Effect.fnUntraced(function* (
        read: Operation.Read,
        customerId: string,
        request: CustomerUpdateRequest,
        headers: WalletHeaders,
      ) {
        const found = yield* loadCustomer(read, customerId)
        const tied = yield* loadTied(read, found.customer, request, headers)
        const rootId = found.customer.data.awaitsTerms === true ? yield* newestRoot : undefined
        return { ...found, platform: yield* loadPlatform(read), rootId, ...tied }
      })

      /** Reports a new number of an authority to the provider. Its answer counts only at the next verification. */
      const reportNewNumber = Effect.fnUntraced(function* (
        { customer, tie }: UpdateLoaded,
        request: CustomerUpdateRequest,
        headers: WalletHeaders,
      ) {
        const awaitsSignature = tie !== undefined && isFirstCall(headers)
        if (hasNewNumber(customer, request) && !awaitsSignature) {
          yield* verifier.checkCustomer(checkOf(customer.id, request))
        }
        return {}
      })

      const update = Effect.fnUntraced(
        function* (customerId: string, request: CustomerUpdateRequest, headers: WalletHeaders = {}) {
          return yield* Operation.run({
            name: "Customers.update",
            ids: openingIdsMax + 2,
            load: (read) => loadForUpdate(read, customerId, request, headers),
            ask: (loaded) => reportNewNumber(loaded, request, headers),
            decide: updateCustomer(request, settings),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const remove = Effect.fnUntraced(
        function* (customerId: string) {
          const { totalCount } = yield* store.list("Card", where({ customerId }), { limit: 1, order: "desc" })
          const cards = totalCount ?? (yield* listAll("Card", where({ customerId }))).length
          return yield* Operation.run({
            name: "Customers.remove",
            // Leaves room for cards that are issued before the commit.
            ids: deletionIdsMax(cards + 100),
            load: (read) => loadForDeletion(store, read, customerId),
            decide: deleteCustomer,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = Effect.fnUntraced(function* (customerId: string) {
        const { customer, owners } = yield* loadCustomer(DeferredSignIn.reads(store), customerId)
        return toCustomer(customer, owners)
      })

      const list = ({
        createdFrom,
        createdTo,
        currency,
        customerType,
        isIncludingDeleted,
        platformCustomerId,
        region,
        umaAddress,
        updatedFrom,
        updatedTo,
        ...query
      }: CustomersQuery) =>
        Effect.gen(function* () {
          const filters = where({
            platformCustomerId,
            customerType,
            region,
            umaAddress: umaAddress === undefined ? undefined : umaAddressIs(umaAddress),
            currencies: currency === undefined ? undefined : { has: currency },
            createdAt: between(createdFrom, createdTo),
            updatedAt: between(updatedFrom, updatedTo),
            isDeleted: isIncludingDeleted === true ? undefined : false,
          })
          const page = yield* listPage("Customer", filters, query)
          const owners = yield* loadOwners(store.read, page.data)
          const data = page.data.map((customer) =>
            toCustomer(
              customer,
              owners.filter((owner) => owner.customerId === customer.id),
            ),
          )
          return { ...page, data }
        }).pipe(platformOnly, Effect.provideService(Store, store))

      return Customers.of({
        create,
        update,
        remove,
        list,
        get,
        terms: platformOnly(Effect.succeed({ version: terms.version, url: terms.url })),
      })
    }),
  )
}
