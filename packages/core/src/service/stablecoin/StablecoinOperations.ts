/**
 * Mints and burns stablecoins: stores the request, has the provider begin it, and answers with its first status.
 * Source: wire contract areas 1.6.1, 1.6.4 to 1.6.7; D-390.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideAttempt, decideReport } from "../../decision/stablecoin/OperationOutcomeDecision.ts"
import { decideOrder, type StablecoinOrder } from "../../decision/stablecoin/OperationRequestDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import {
  answerKeptMillis,
  begunStatuses,
  type StablecoinOperation,
  type StablecoinOperationType,
} from "../../model/stablecoin/StablecoinOperation.ts"
import {
  type StablecoinOperationResource,
  toStablecoinOperation,
} from "../../model/stablecoin/StablecoinOperationResource.ts"
import type { StablecoinBurnRequest, StablecoinMintRequest } from "../../model/stablecoin/StablecoinRequests.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { otherBody, replayKeyOf } from "../../operation/Idempotency.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { ProviderReport } from "../../ports/StablecoinProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { asOf } from "../../store/AsOf.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { RecordRef, Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { ProviderInstructions } from "./ProviderInstructions.ts"
import { readOperation, readOperationWithAccount, readStablecoin } from "./StablecoinReads.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** Filters of the mints and burns. */
export interface StablecoinOperationsQuery extends ListQuery {
  readonly operationType?: StablecoinOperationType
}

type RequestHashes = NonNullable<StablecoinOperation["request"]>

const mintOrder = ({ amount, description, destination, fundingSource }: StablecoinMintRequest): StablecoinOrder => ({
  operationType: "MINT",
  amount,
  sourceType: fundingSource.type,
  ...("externalAccountId" in fundingSource ? { sourceAccountId: fundingSource.externalAccountId } : {}),
  destinationAccountId: destination.accountId,
  isDestinationInternal: isId("InternalAccount", destination.accountId),
  ...(description === undefined ? {} : { description }),
})

const burnOrder = ({ amount, description, destination, source }: StablecoinBurnRequest): StablecoinOrder => ({
  operationType: "BURN",
  amount,
  sourceType: source.type,
  destinationAccountId: destination.externalAccountId,
  isDestinationInternal: false,
  rail: destination.rail,
  ...(description === undefined ? {} : { description }),
})

const undeleted = (account: Stored<"ExternalAccount"> | undefined) =>
  account?.data.isDeleted === true ? undefined : account

export class StablecoinOperations extends Context.Service<
  StablecoinOperations,
  {
    /**
     * Mints tokens. Errors: `INVALID_INPUT` (`FUNDING_SOURCE_RESERVED`, `DESTINATION_NOT_SUPPORTED`), `INVALID_AMOUNT`,
     * `REFERENCE_NOT_FOUND`, `STABLECOIN_PROVIDER_ACCOUNT_INVALID`, `STABLECOIN_PROVIDER_ACCOUNT_REVOKED`, `INVALID_BANK_ACCOUNT`,
     * `CONFLICT` (`STABLECOIN_NOT_PROVISIONED`, `IDEMPOTENCY_KEY_REUSED`), `SERVICE_UNAVAILABLE`.
     */
    readonly mint: (
      stablecoinId: string,
      request: StablecoinMintRequest,
      keyed: Operation.Keyed,
    ) => Reply<Operation.Answered<StablecoinOperationResource>>
    /** Redeems tokens. The same errors as `mint`. */
    readonly burn: (
      stablecoinId: string,
      request: StablecoinBurnRequest,
      keyed: Operation.Keyed,
    ) => Reply<Operation.Answered<StablecoinOperationResource>>
    readonly get: (stablecoinOperationId: string) => Reply<StablecoinOperationResource>
    readonly list: (stablecoinId: string, query: StablecoinOperationsQuery) => Reply<Page<StablecoinOperationResource>>
    /** Stores what a provider reports by itself, for the embedding program. A late or repeated report changes nothing. */
    readonly report: (stablecoinOperationId: string, report: ProviderReport) => Reply<void>
  }
>()("@countersign/core/StablecoinOperations") {
  static readonly layer = Layer.effect(
    StablecoinOperations,
    Effect.gen(function* () {
      const store = yield* Store
      const { instructOnce } = yield* ProviderInstructions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** Returns what an earlier request with the same key has begun without an answer. Another body is refused. */
      const findEarlier = Effect.fnUntraced(function* ({ fingerprint, key }: RequestHashes) {
        const page = yield* store.list("StablecoinOperation", where({ requestKey: key }), { limit: 1, order: "desc" })
        const [earlier] = page.data
        const isOther = earlier !== undefined && earlier.data.request?.fingerprint !== fingerprint
        return isOther ? yield* new ServiceError(otherBody) : earlier
      })

      const load = Effect.fnUntraced(function* (
        read: Operation.Read,
        stablecoinId: string,
        { destinationAccountId, sourceAccountId }: StablecoinOrder,
        request: RequestHashes,
      ) {
        const stablecoin = yield* readStablecoin(read, stablecoinId)
        const { stablecoinProviderAccountId } = stablecoin.data
        const accountIds =
          sourceAccountId === undefined ? [destinationAccountId] : [sourceAccountId, destinationAccountId]
        const found = yield* read({
          records: [
            { kind: "StablecoinProviderAccount", id: stablecoinProviderAccountId },
            ...accountIds.map((id): RecordRef => ({ kind: "ExternalAccount", id })),
          ],
        })
        return {
          stablecoin,
          providerAccount: found.record("StablecoinProviderAccount", stablecoinProviderAccountId),
          source:
            sourceAccountId === undefined ? undefined : undeleted(found.record("ExternalAccount", sourceAccountId)),
          destination: undeleted(found.record("ExternalAccount", destinationAccountId)),
          earlier: yield* findEarlier(request),
        }
      })

      const order = Effect.fnUntraced(
        function* (stablecoinId: string, wanted: StablecoinOrder, given: Operation.Keyed) {
          const keyed = { ...given, keptMillis: answerKeptMillis }
          const request = replayKeyOf(yield* CurrentCaller, keyed)
          const ordered = yield* Operation.run({
            name: "StablecoinOperations.order",
            ids: 4,
            keyed,
            load: (read) => load(read, stablecoinId, wanted, request),
            decide: decideOrder(wanted, request),
          })
          const { body } = ordered
          if (!("_tag" in body)) return { ...ordered, body }
          yield* reachFailPoint("stablecoin.submitted")
          const attempted = yield* instructOnce(body.operation, body.isFirst)
          yield* reachFailPoint("stablecoin.asked")
          return yield* Operation.run({
            name: "StablecoinOperations.begin",
            ids: 6,
            keyed,
            load: (read) => readOperationWithAccount(read, body.operation.id),
            decide: decideAttempt(attempted),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const report = Effect.fnUntraced(
        function* (id: string, reported: ProviderReport) {
          yield* Operation.run({
            name: "StablecoinOperations.report",
            ids: 4,
            load: (read) => Effect.map(readOperation(read, id), (operation) => ({ operation })),
            decide: decideReport(reported),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = Effect.fnUntraced(function* (id: string) {
        const operation = yield* readOperation(store.read, id)
        if (operation.data.status === "CREATED") return yield* new ServiceError(notFound("stablecoin operation"))
        return toStablecoinOperation(asOf(operation, yield* Clock.currentTimeMillis))
      }, platformOnly)

      const list = Effect.fnUntraced(
        function* (stablecoinId: string, { operationType, ...query }: StablecoinOperationsQuery) {
          yield* readStablecoin(store.read, stablecoinId)
          const filters = where({ stablecoinId, operationType, status: { in: begunStatuses } })
          const page = yield* listPage("StablecoinOperation", filters, query)
          const now = yield* Clock.currentTimeMillis
          return { ...page, data: page.data.map((operation) => toStablecoinOperation(asOf(operation, now))) }
        },
        platformOnly,
        Effect.provideService(Store, store),
      )

      return StablecoinOperations.of({
        mint: (stablecoinId, request, keyed) => order(stablecoinId, mintOrder(request), keyed),
        burn: (stablecoinId, request, keyed) => order(stablecoinId, burnOrder(request), keyed),
        get,
        list,
        report: (id, reported) => report(id, Outside.clean(reported)),
      })
    }),
  )
}
