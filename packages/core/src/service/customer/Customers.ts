/**
 * Customers of a platform. With a customer come its internal accounts, one per currency of the platform; with its end they go.
 * Source: wire contract 5.8, 5.9 and 5.11.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { openingIdsMax } from "../../decision/account/AccountChanges.ts"
import * as CustomerDecision from "../../decision/customer/CustomerDecision.ts"
import {
  type DeletionLoaded,
  deleteCustomer,
  deletionIdsMax,
  kindsEndedByDeletion,
  ledgerAccountsOfRecords,
} from "../../decision/customer/CustomerDeletionDecision.ts"
import { contactRefusal, withContact } from "../../decision/wallet/ContactChanges.ts"
import { decideSigned } from "../../decision/wallet/SignedDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { limitMax, type Page, type Position } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { CustomerType } from "../../model/customer/Customer.ts"
import type { CustomerCreateRequest, CustomerUpdateRequest } from "../../model/customer/CustomerRequest.ts"
import { type CustomerResource, toCustomer } from "../../model/customer/CustomerResource.ts"
import type { SignedRequestChallenge, WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import { between, type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type CustomerCheck, Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { EndUserTerms } from "../../settings/EndUserTerms.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { AnyStored, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { deletionBlockerCounter, dependentCounter, type Kind } from "../../store/Kinds.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import type { SignedRequests } from "../wallet/SignedRequests.ts"
import { loadTied } from "../wallet/TiedContacts.ts"
import { isFirstCall } from "../wallet/WalletReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<CustomerResource>

export interface CustomersQuery extends ListQuery {
  readonly platformCustomerId?: string
  readonly customerType?: CustomerType
  readonly region?: string
  /** Customers that have this currency among theirs. */
  readonly currency?: CurrencyCode
  readonly umaAddress?: string
  /** Inclusive bounds, Unix milliseconds. */
  readonly createdFrom?: number
  readonly createdTo?: number
  readonly updatedFrom?: number
  readonly updatedTo?: number
  readonly isIncludingDeleted?: boolean
}

const noCustomer = new ServiceError(notFound("customer", "USER_NOT_FOUND"))

/** What the provider is told of a customer: the number of its authority too, which is not kept. */
const checkOf = (customerId: string, request: CustomerCreateRequest | CustomerUpdateRequest): CustomerCheck => {
  if (request.customerType === "BUSINESS") {
    const { registrationNumber, taxId } = request.businessInfo ?? {}
    return {
      customerId,
      customerType: "BUSINESS",
      ...(taxId === undefined ? {} : { identifier: Redacted.make(taxId) }),
      ...(registrationNumber === undefined ? {} : { registrationNumber }),
    }
  }
  const { fullName, identifier } = request
  return {
    customerId,
    customerType: "INDIVIDUAL",
    ...(fullName === undefined ? {} : { fullName }),
    ...(identifier === undefined ? {} : { identifier: Redacted.make(identifier) }),
  }
}

/** Whether an update brings a number that the provider has not been told: the mask of the old one is none. */
const bringsNumber = ({ data }: Stored<"Customer">, request: CustomerUpdateRequest): boolean => {
  if (request.customerType !== data.customerType) return false
  if (request.customerType === "INDIVIDUAL") return request.identifier !== undefined
  const taxId = request.businessInfo?.taxId
  return taxId !== undefined && taxId !== data.businessInfo?.taxId
}

/** The owners of some customers, in the order in which they were added. */
const loadOwners = Effect.fnUntraced(function* <E>(
  read: Operation.Read<E>,
  customers: ReadonlyArray<Stored<"Customer">>,
) {
  const ids = customers.flatMap(({ data }) => data.beneficialOwnerIds ?? [])
  if (ids.length === 0) return []
  const found = yield* read({ records: ids.map((id) => ({ kind: "BeneficialOwner", id })) })
  return ids.flatMap((id) => found.record("BeneficialOwner", id) ?? [])
})

/** A customer that is there, with its owners. */
export const loadCustomer = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, customerId: string) {
  const customer = (yield* read({ records: [{ kind: "Customer", id: customerId }] })).record("Customer", customerId)
  if (customer === undefined || customer.data.isDeleted) return yield* noCustomer
  return { customer, owners: yield* loadOwners(read, [customer]) }
})

export class Customers extends Context.Service<
  Customers,
  {
    /** Errors: `INVALID_INPUT`, `UMA_ADDRESS_EXISTS`, `CONFLICT`, `END_USER_TERMS_VERSION_NOT_FOUND`. */
    readonly create: (request: CustomerCreateRequest) => Result<Answered>
    readonly get: (customerId: string) => Result<CustomerResource>
    readonly list: (query: CustomersQuery) => Result<Page<CustomerResource>>
    /** 202 first where an OTP credential is tied to the contact that changes. Errors: those of `create` and of signed requests. */
    readonly update: (
      customerId: string,
      request: CustomerUpdateRequest,
      headers?: WalletHeaders,
    ) => Result<Operation.Answered<CustomerResource | SignedRequestChallenge>>
    /** Errors: `CONFLICT` while money or open transactions exist, `CUSTOMER_DELETED` the second time. */
    readonly remove: (customerId: string) => Result<Answered>
    /** The end user terms of today. */
    readonly terms: Result<{ readonly version: string; readonly url: string }>
  }
>()("@countersign/core/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const store = yield* Store
      const verifier = yield* Verifier
      const terms = yield* EndUserTerms
      const settings: CustomerDecision.CustomerSettings = { terms, scaRegions: yield* ScaRegions }
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | SignedRequests>()

      const loadPlatform = Effect.fnUntraced(function* (read: Operation.Read) {
        const { platformId } = yield* CurrentCaller
        const platform = (yield* read({ records: [{ kind: "Platform", id: platformId }] })).record(
          "Platform",
          platformId,
        )
        return platform ?? (yield* new ServiceError(notFound("platform")))
      })

      const create = Effect.fnUntraced(
        function* (request: CustomerCreateRequest) {
          const customerId = (yield* IdPool.make(1)).source()("Customer")
          const checkStatus = yield* verifier.checkCustomer(checkOf(customerId, request))
          return yield* Operation.run({
            name: "Customers.create",
            ids: openingIdsMax + 2,
            load: loadPlatform,
            decide: CustomerDecision.create(customerId, request, checkStatus, settings),
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
        const tie = yield* loadTied(read, found.customer, request, headers)
        const isOnlyAsked = tie !== undefined && isFirstCall(headers)
        // What the provider says of it counts at the next verification.
        if (bringsNumber(found.customer, request) && !isOnlyAsked) {
          yield* verifier.checkCustomer(checkOf(customerId, request))
        }
        return { ...found, platform: yield* loadPlatform(read), tie }
      })

      const update = Effect.fnUntraced(
        function* (customerId: string, request: CustomerUpdateRequest, headers: WalletHeaders = {}) {
          const decide = CustomerDecision.update(request, settings)
          return yield* Operation.run({
            name: "Customers.update",
            ids: openingIdsMax + 2,
            load: (read) => loadForUpdate(read, customerId, request, headers),
            decide: ({ tie, ...loaded }, context): Operation.Decision<CustomerResource | SignedRequestChallenge> => {
              if (tie === undefined) return decide(loaded, context)
              return decideSigned(tie.signing, context, (signed): Operation.Decision<CustomerResource> => {
                const updated = decide(loaded, context)
                if (updated._tag === "Refuse") return updated
                const refusal = contactRefusal(tie.change, signed?.memo)
                if (refusal !== undefined) return Operation.refuse(refusal)
                return { ...updated, changes: Changes.combine(updated.changes, withContact(tie.change)) }
              })
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** All records of a customer, page by page. */
      const allOf = Effect.fnUntraced(function* (kind: Kind, customerId: string) {
        const all: Array<AnyStored> = []
        let after: Position | undefined
        for (;;) {
          const page = yield* store.list(
            kind,
            { customerId: { eq: customerId } },
            { limit: limitMax, order: "asc", ...(after === undefined ? {} : { after }) },
          )
          all.push(...(page.data as ReadonlyArray<AnyStored>))
          after = page.data.at(-1)
          if (!page.hasMore || after === undefined) return all
        }
      })

      const loadDeparture = Effect.fnUntraced(function* (read: Operation.Read, customerId: string) {
        const counters = [deletionBlockerCounter(customerId), dependentCounter(customerId)] as const
        // The counters first: what is added after them makes the commit a conflict.
        const first = yield* read({ records: [{ kind: "Customer", id: customerId }], counters })
        const customer = first.record("Customer", customerId)
        if (customer === undefined) return yield* noCustomer
        if (customer.data.isDeleted) {
          return yield* new ServiceError({
            code: "CUSTOMER_DELETED",
            message: "The customer has been deleted already.",
          })
        }
        const records = (yield* Effect.forEach(kindsEndedByDeletion, (kind) => allOf(kind, customerId))).flat()
        const { balance } = yield* read({ balances: ledgerAccountsOfRecords(records) })
        const loaded: DeletionLoaded = {
          customer,
          owners: yield* loadOwners(read, [customer]),
          deletionBlockers: first.counter(counters[0]),
          dependents: first.counter(counters[1]),
          records,
          balance,
        }
        return loaded
      })

      const remove = Effect.fnUntraced(
        function* (customerId: string) {
          const cards = yield* store.list("Card", where({ customerId }), { limit: 1, order: "desc" })
          return yield* Operation.run({
            name: "Customers.remove",
            // Some more cards may be issued while it is decided.
            ids: deletionIdsMax(cards.totalCount + 100),
            load: (read) => loadDeparture(read, customerId),
            decide: deleteCustomer,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

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
            umaAddress,
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
        get: Effect.fnUntraced(function* (customerId) {
          const { customer, owners } = yield* loadCustomer(store.read, customerId)
          return toCustomer(customer, owners)
        }),
        terms: platformOnly(Effect.succeed({ version: terms.version, url: terms.url })),
      })
    }),
  )
}
