/**
 * The beneficial owners of business customers.
 * Spec: 4.6 (beneficial owner KYC); wire contract 5.8, 5.12 and 7.6; D-083.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { createOwner, updatedOwner, updateOwner } from "../../decision/customer/BeneficialOwnerDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { masked } from "../../foundation/kit/Masked.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { BeneficialOwner } from "../../model/customer/BeneficialOwner.ts"
import {
  type BeneficialOwnerCreateRequest,
  type BeneficialOwnerResource,
  type BeneficialOwnerUpdateRequest,
  toBeneficialOwner,
} from "../../model/customer/BeneficialOwnerResource.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { type OwnerCheck, Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadCustomer } from "./CustomerReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<BeneficialOwnerResource>

export interface BeneficialOwnersQuery extends ListQuery {
  readonly customerId: string
}

const ownerNotFound = notFound("beneficial owner")

/** Loads an owner with its customer. An owner of a deleted customer does not exist. */
const loadOwner = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, ownerId: string) {
  const owner = yield* readExisting(read, "BeneficialOwner", ownerId, ownerNotFound)
  const { customerId } = owner
  if (customerId === null) return yield* new ServiceError(ownerNotFound)
  const customer = yield* readExisting(read, "Customer", customerId, ownerNotFound, ({ data }) => !data.isDeleted)
  return { customer, owner }
})

/** Returns what the provider learns of an update: the owner as updated, and a new number of an authority in clear. */
const checkOfUpdate = (
  { id, data, customerId }: Stored<"BeneficialOwner">,
  request: BeneficialOwnerUpdateRequest,
): OwnerCheck => {
  const sent = request.personalInfo?.identifier
  const isNew = sent !== undefined && sent !== data.personalInfo.identifier
  return {
    ownerId: id,
    customerId: customerId ?? "",
    owner: updatedOwner(data, request),
    ...(isNew ? { identifier: Redacted.make(sent) } : {}),
  }
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

      const create = Effect.fnUntraced(
        function* ({ customerId, ownershipPercentage, personalInfo, roles }: BeneficialOwnerCreateRequest) {
          const ownerId = yield* IdPool.draw("BeneficialOwner", customerId)
          const identifier = Redacted.make(personalInfo.identifier)
          const info = { ...personalInfo, identifier: masked(identifier) }
          const owner: BeneficialOwner = { roles, ownershipPercentage, personalInfo: info, kycStatus: "UNVERIFIED" }
          const check: OwnerCheck = { ownerId, customerId, owner, identifier }
          return yield* Operation.run({
            name: "BeneficialOwners.create",
            load: (read) => loadCustomer(read, customerId),
            ask: () => Effect.map(verifier.checkOwner(check), (status) => ({ status })),
            decide: createOwner(ownerId, owner),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const update = Effect.fnUntraced(
        function* (ownerId: string, request: BeneficialOwnerUpdateRequest) {
          return yield* Operation.run({
            name: "BeneficialOwners.update",
            load: (read) => loadOwner(read, ownerId),
            // The provider learns of the change. Its answer counts only at the next verification.
            ask: ({ owner }) => Effect.as(verifier.checkOwner(checkOfUpdate(owner, request)), {}),
            decide: updateOwner(request),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = (ownerId: string) =>
        platformOnly(Effect.map(loadOwner(store.read, ownerId), ({ owner }) => toBeneficialOwner(owner)))

      const list = ({ customerId, ...query }: BeneficialOwnersQuery) =>
        listPage("BeneficialOwner", where({ customerId }), query).pipe(
          Effect.map((page) => ({ ...page, data: page.data.map(toBeneficialOwner) })),
          platformOnly,
          Effect.provideService(Store, store),
        )

      return BeneficialOwners.of({ create, update, get, list })
    }),
  )
}
