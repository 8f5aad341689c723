/**
 * The owners of business customers. The customer is the record that the set of its owners has: each new one changes it.
 * Spec: 4.6 (beneficial owner KYC); wire contract 5.8, 5.12 and 7.6; D-083.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { kept, masked } from "../../foundation/kit/Masked.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { BeneficialOwner } from "../../model/customer/BeneficialOwner.ts"
import {
  type BeneficialOwnerCreateRequest,
  type BeneficialOwnerResource,
  type BeneficialOwnerUpdateRequest,
  toBeneficialOwner,
} from "../../model/customer/BeneficialOwnerResource.ts"
import { OwnerKycMachine } from "../../model/customer/CheckMachine.ts"
import { isDecided } from "../../model/customer/Customer.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type OwnerCheck, Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadCustomer } from "./Customers.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<BeneficialOwnerResource>

/** So many owners at the most: each answer and event of the customer shows all of them. */
const ownersMax = 100

export interface BeneficialOwnersQuery extends ListQuery {
  readonly customerId: string
}

export class BeneficialOwners extends Context.Service<
  BeneficialOwners,
  {
    /** Errors: `INVALID_INPUT`, `USER_NOT_FOUND`. */
    readonly create: (request: BeneficialOwnerCreateRequest) => Result<Answered>
    readonly get: (ownerId: string) => Result<BeneficialOwnerResource>
    readonly list: (query: BeneficialOwnersQuery) => Result<Page<BeneficialOwnerResource>>
    readonly update: (ownerId: string, request: BeneficialOwnerUpdateRequest) => Result<Answered>
  }
>()("@countersign/core/BeneficialOwners") {
  static readonly layer = Layer.effect(
    BeneficialOwners,
    Effect.gen(function* () {
      const store = yield* Store
      const verifier = yield* Verifier
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const loadAndCheck = Effect.fnUntraced(function* (read: Operation.Read, check: OwnerCheck) {
        const { customer } = yield* loadCustomer(read, check.customerId)
        return { customer, status: yield* verifier.checkOwner(check) }
      })

      const create = Effect.fnUntraced(
        function* ({ customerId, ownershipPercentage, personalInfo, roles }: BeneficialOwnerCreateRequest) {
          const ownerId = (yield* IdPool.make(1)).source()("BeneficialOwner")
          const identifier = Redacted.make(personalInfo.identifier)
          const info = { ...personalInfo, identifier: masked(identifier) }
          const unknown: BeneficialOwner = { roles, ownershipPercentage, personalInfo: info, kycStatus: "UNVERIFIED" }
          return yield* Operation.run({
            name: "BeneficialOwners.create",
            load: (read) => loadAndCheck(read, { ownerId, customerId, owner: unknown, identifier }),
            decide: ({ customer, status }, { now }) => {
              if (customer.data.customerType !== "BUSINESS") {
                return Operation.refuse(invalidInput([{ field: "customerId", message: "must be a business customer" }]))
              }
              const ids = customer.data.beneficialOwnerIds ?? []
              if (ids.length >= ownersMax) {
                return Operation.refuse(
                  invalidInput([{ field: "customerId", message: `must have fewer than ${ownersMax} owners` }]),
                )
              }
              // Owners are decided with their business, or at once where that is over.
              const first = isDecided(customer.data.checkStatus) ? status : "UNVERIFIED"
              const data = { ...unknown, kycStatus: OwnerKycMachine.followTo(null, first).state }
              return Operation.answer(
                201,
                toBeneficialOwner(Changes.insertedRecord("BeneficialOwner", ownerId, customer, data, now)),
                Changes.combine(
                  Changes.insert("BeneficialOwner", ownerId, customer, data),
                  Changes.update(customer, { ...customer.data, beneficialOwnerIds: [...ids, ownerId] }),
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const load = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, ownerId: string) {
        const owner = (yield* read({ records: [{ kind: "BeneficialOwner", id: ownerId }] })).record(
          "BeneficialOwner",
          ownerId,
        )
        const { customerId } = owner ?? { customerId: null }
        if (owner === undefined || customerId === null) return yield* new ServiceError(notFound("beneficial owner"))
        const customer = (yield* read({ records: [{ kind: "Customer", id: customerId }] })).record(
          "Customer",
          customerId,
        )
        if (customer === undefined || customer.data.isDeleted) {
          return yield* new ServiceError(notFound("beneficial owner"))
        }
        return { customer, owner }
      })

      const changed = (before: BeneficialOwner, request: BeneficialOwnerUpdateRequest): BeneficialOwner => {
        const { personalInfo: info = {} } = request
        const identifier =
          info.identifier === undefined ? {} : { identifier: kept(info.identifier, before.personalInfo.identifier) }
        return {
          ...before,
          ...(request.roles === undefined ? {} : { roles: request.roles }),
          ...(request.ownershipPercentage === undefined ? {} : { ownershipPercentage: request.ownershipPercentage }),
          personalInfo: { ...before.personalInfo, ...info, ...identifier },
        }
      }

      const loadAndTell = Effect.fnUntraced(function* (
        read: Operation.Read,
        ownerId: string,
        request: BeneficialOwnerUpdateRequest,
      ) {
        const { customer, owner } = yield* load(read, ownerId)
        const data = changed(owner.data, request)
        const sent = request.personalInfo?.identifier
        const isNew = sent !== undefined && sent !== owner.data.personalInfo.identifier
        // The provider learns what has changed; what it says counts at the next verification.
        yield* verifier.checkOwner({
          ownerId,
          customerId: customer.id,
          owner: data,
          ...(isNew ? { identifier: Redacted.make(sent) } : {}),
        })
        return { customer, owner, data }
      })

      const update = Effect.fnUntraced(
        function* (ownerId: string, request: BeneficialOwnerUpdateRequest) {
          return yield* Operation.run({
            name: "BeneficialOwners.update",
            load: (read) => loadAndTell(read, ownerId, request),
            decide: ({ customer, data, owner }, { now }) =>
              Operation.answer(
                200,
                toBeneficialOwner(Changes.after(owner, data, now)),
                Changes.combine(Changes.update(owner, data), Changes.guard(customer)),
              ),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return BeneficialOwners.of({
        create,
        update,
        get: (ownerId) => platformOnly(Effect.map(load(store.read, ownerId), ({ owner }) => toBeneficialOwner(owner))),
        list: ({ customerId, ...query }) =>
          listPage("BeneficialOwner", where({ customerId }), query).pipe(
            Effect.map((page) => ({ ...page, data: page.data.map(toBeneficialOwner) })),
            platformOnly,
            Effect.provideService(Store, store),
          ),
      })
    }),
  )
}
