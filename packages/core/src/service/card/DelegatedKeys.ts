/**
 * Delegated keys: made in three calls, listed, read, revoked.
 * Source: wire contract 4.1 and 4.11; D-177, D-261.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { revokeKey } from "../../decision/card/DelegatedKeyDecision.ts"
import type { P256 } from "../../foundation/crypto/P256.ts"
import { invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { limitMax, type Position } from "../../foundation/kit/Page.ts"
import {
  type DelegatedKeyCreateRequest,
  type DelegatedKeyResource,
  toDelegatedKey,
} from "../../model/card/DelegatedKey.ts"
import type { SignedRequestChallenge, WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import { where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { Issuer } from "../../ports/Issuer.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { offered } from "./CardReads.ts"
import * as DelegatedKeyCreations from "./DelegatedKeyCreations.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** At least one. */
export interface DelegatedKeyFilters {
  readonly accountId?: string
  readonly fundingSourceId?: string
}

const noFilter = invalidInput([{ field: "accountId", message: "or fundingSourceId must be given" }])

export class DelegatedKeys extends Context.Service<
  DelegatedKeys,
  {
    /**
     * 202, 202 and 201, each with the same body, the last two signed by the same session of the wallet. Errors: 404, `INVALID_INPUT`,
     * `CARD_NOT_MUTABLE`, `CONFLICT` while an active key exists, those of signed requests.
     */
    readonly create: (
      request: DelegatedKeyCreateRequest,
      headers: WalletHeaders,
    ) => Result<Operation.Answered<DelegatedKeyResource | SignedRequestChallenge>>
    /** All of them, in every status, newest first. Errors: `INVALID_INPUT` without a filter. */
    readonly list: (filters: DelegatedKeyFilters) => Result<{ readonly data: ReadonlyArray<DelegatedKeyResource> }>
    readonly get: (keyId: string) => Result<DelegatedKeyResource>
    /** Errors: `INVALID_INPUT` for a key that is not active. */
    readonly revoke: (keyId: string) => Result<Operation.Answered<null>>
  }
>()("@countersign/core/DelegatedKeys") {
  static readonly layer = Layer.effect(
    DelegatedKeys,
    Effect.gen(function* () {
      const store = yield* Store
      const isOffered = offered(yield* Issuer)
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | P256>()
      const create = yield* DelegatedKeyCreations.make

      const find = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, id: string) {
        const key = (yield* read({ records: [{ kind: "DelegatedKey", id }] })).record("DelegatedKey", id)
        return key ?? (yield* new ServiceError(notFound("delegated key")))
      })

      const all = Effect.fnUntraced(function* (filters: DelegatedKeyFilters) {
        const found: Array<Stored<"DelegatedKey">> = []
        for (let after: Position | undefined; ; ) {
          const page = yield* store.list("DelegatedKey", where({ ...filters }), {
            limit: limitMax,
            order: "desc",
            ...(after === undefined ? {} : { after }),
          })
          found.push(...page.data)
          after = page.data.at(-1)
          if (!page.hasMore || after === undefined) return found
        }
      })

      return DelegatedKeys.of({
        create: (request, headers) =>
          create(request, headers).pipe(isOffered, platformOnly, Effect.provideContext(services)),
        list: Effect.fnUntraced(
          function* (filters: DelegatedKeyFilters) {
            if (filters.accountId === undefined && filters.fundingSourceId === undefined) {
              return yield* new ServiceError(noFilter)
            }
            return { data: (yield* all(filters)).map(toDelegatedKey) }
          },
          isOffered,
          platformOnly,
        ),
        get: (keyId) => Effect.map(find(store.read, keyId), toDelegatedKey).pipe(isOffered, platformOnly),
        revoke: (keyId) =>
          Operation.run({
            name: "DelegatedKeys.revoke",
            load: (read) => find(read, keyId),
            decide: revokeKey,
          }).pipe(isOffered, platformOnly, Effect.provideContext(services)),
      })
    }),
  )
}
