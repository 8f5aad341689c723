/**
 * The API tokens of a platform: creation, lists and revocation. A revoked token is rejected from the next request on.
 * Source: wire contract 5.8, 5.12 and 9; D-006, D-087.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  addTokenSecret,
  createApiToken,
  removeApiToken,
  retireTokenSecret,
  tokenNotFound,
} from "../../decision/platform/ApiTokenDecision.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import {
  type ApiTokenCreateRequest,
  type ApiTokenResource,
  type ApiTokenSecretCreateRequest,
  type ApiTokenSecretResource,
  toApiToken,
} from "../../model/platform/ApiTokenResource.ts"
import { lastUseCounter } from "../../model/platform/StoredSecret.ts"
import { between, type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

export interface ApiTokensQuery extends ListQuery {
  readonly name?: string
  /** Inclusive bounds, Unix milliseconds. */
  readonly createdFrom?: number
  readonly createdTo?: number
  readonly updatedFrom?: number
  readonly updatedTo?: number
}

const isActive = ({ data }: Stored<"ApiToken">): boolean => !data.isDeleted

const findActive = Effect.fnUntraced(function* (read: Operation.Read, tokenId: string) {
  const token = (yield* read({ records: [{ kind: "ApiToken", id: tokenId }] })).record("ApiToken", tokenId)
  return token !== undefined && isActive(token) ? token : undefined
})

/** Loads the token to revoke and the token of the request. */
const loadForRemoval = Effect.fnUntraced(function* (read: Operation.Read, tokenId: string) {
  const caller = yield* CurrentCaller
  const callerTokenId = caller._tag === "Platform" ? caller.tokenId : null
  const callerToken = callerTokenId === null ? null : yield* findActive(read, callerTokenId)
  return { callerToken, token: yield* findActive(read, tokenId) }
})

export class ApiTokens extends Context.Service<
  ApiTokens,
  {
    /** The response contains the secret. No idempotency key stores it. */
    readonly create: (request: ApiTokenCreateRequest) => Result<Operation.Answered<ApiTokenResource>>
    /** The response contains the new secret. Errors: `TOKEN_NOT_FOUND`; `CONFLICT` while two secrets are valid. */
    readonly addSecret: (
      tokenId: string,
      request: ApiTokenSecretCreateRequest,
    ) => Result<Operation.Answered<ApiTokenSecretResource>>
    /** Errors: `TOKEN_NOT_FOUND`, `REFERENCE_NOT_FOUND`; `INVALID_INPUT` for the last secret and for that of the request. */
    readonly retireSecret: (tokenId: string, secretId: string) => Result<void>
    readonly get: (tokenId: string) => Result<ApiTokenResource>
    readonly list: (query: ApiTokensQuery) => Result<Page<ApiTokenResource>>
    /** Errors: `TOKEN_NOT_FOUND`; `INVALID_INPUT` for the token that authenticates the request. */
    readonly remove: (tokenId: string) => Result<void>
  }
>()("@countersign/core/ApiTokens") {
  static readonly layer = Layer.effect(
    ApiTokens,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const create = Effect.fnUntraced(
        function* (request: ApiTokenCreateRequest) {
          const { clientId, clientSecret } = yield* Secrets.clientCredentials
          return yield* Operation.run({
            name: "ApiTokens.create",
            load: () => Effect.void,
            decide: createApiToken(request, clientId, clientSecret),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const addSecret = Effect.fnUntraced(
        function* (tokenId: string, request: ApiTokenSecretCreateRequest) {
          const { clientSecret } = yield* Secrets.clientCredentials
          return yield* Operation.run({
            name: "ApiTokens.addSecret",
            load: (read) => Effect.map(findActive(read, tokenId), (token) => ({ token })),
            decide: addTokenSecret(request, clientSecret),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const retireSecret = Effect.fnUntraced(
        function* (tokenId: string, secretId: string) {
          yield* Operation.run({
            name: "ApiTokens.retireSecret",
            load: (read) => Effect.map(findActive(read, tokenId), (token) => ({ token })),
            decide: retireTokenSecret(secretId),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Returns the tokens with the last uses of their secrets. */
      const withLastUse = Effect.fnUntraced(function* (tokens: ReadonlyArray<Stored<"ApiToken">>) {
        const now = yield* Clock.currentTimeMillis
        const counters = tokens.flatMap(({ data }) => data.secrets.map(({ id }) => lastUseCounter(id)))
        const { counter } = yield* store.read({ counters })
        return tokens.map((token) => toApiToken(token, now, counter))
      })

      const remove = Effect.fnUntraced(
        function* (tokenId: string) {
          yield* Operation.run({
            name: "ApiTokens.remove",
            load: (read) => loadForRemoval(read, tokenId),
            decide: removeApiToken,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = (tokenId: string) =>
        readExisting(store.read, "ApiToken", tokenId, tokenNotFound, isActive).pipe(
          Effect.flatMap((token) => withLastUse([token])),
          Effect.flatMap(([token]) => (token === undefined ? new ServiceError(tokenNotFound) : Effect.succeed(token))),
          platformOnly,
        )

      const list = ({ createdFrom, createdTo, name, updatedFrom, updatedTo, ...query }: ApiTokensQuery) => {
        const filters = where({
          name,
          isDeleted: false,
          createdAt: between(createdFrom, createdTo),
          updatedAt: between(updatedFrom, updatedTo),
        })
        return listPage("ApiToken", filters, query).pipe(
          Effect.flatMap((page) => Effect.map(withLastUse(page.data), (data) => ({ ...page, data }))),
          platformOnly,
          Effect.provideService(Store, store),
        )
      }

      return ApiTokens.of({ create, addSecret, retireSecret, remove, get, list })
    }),
  )
}
