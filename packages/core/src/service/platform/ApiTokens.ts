/**
 * The API tokens of a platform: made, listed, and revoked. A revoked one is refused from the next request on.
 * Source: wire contract 5.8, 5.12 and 9; D-006, D-087.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { auditRecord } from "../../decision/audit/Audit.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { invalidInput, notFound, ServiceError, unauthorized } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import { type ApiTokenCreateRequest, type ApiTokenResource, toApiToken } from "../../model/platform/ApiTokenResource.ts"
import type { ApiToken } from "../../model/platform/Platform.ts"
import { between, type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
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

const noToken = new ServiceError(notFound("token", "TOKEN_NOT_FOUND"))

export class ApiTokens extends Context.Service<
  ApiTokens,
  {
    /** The answer holds the secret; no idempotency key keeps it. */
    readonly create: (request: ApiTokenCreateRequest) => Result<Operation.Answered<ApiTokenResource>>
    readonly get: (tokenId: string) => Result<ApiTokenResource>
    readonly list: (query: ApiTokensQuery) => Result<Page<ApiTokenResource>>
    /** Errors: `TOKEN_NOT_FOUND`; `INVALID_INPUT` for the token that the request came with. */
    readonly remove: (tokenId: string) => Result<void>
  }
>()("@countersign/core/ApiTokens") {
  static readonly layer = Layer.effect(
    ApiTokens,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const create = Effect.fnUntraced(
        function* ({ name, permissions }: ApiTokenCreateRequest) {
          const { platformId } = yield* CurrentCaller
          const { clientId, clientSecret } = yield* Secrets.clientCredentials
          const data: ApiToken = {
            name,
            clientId,
            secretHash: Secrets.hash(clientSecret),
            permissions,
            isDeleted: false,
          }
          return yield* Operation.run({
            name: "ApiTokens.create",
            load: () => Effect.void,
            decide: (_loaded, context) => {
              const { ids, now } = context
              const owner = { platformId, customerId: null }
              const token = Changes.insertedRecord("ApiToken", ids("Token"), owner, data, now)
              return Operation.answer<ApiTokenResource>(
                201,
                { ...toApiToken(token), clientSecret },
                Changes.combine(
                  Changes.insert("ApiToken", token.id, owner, data),
                  auditRecord(context, "TOKEN_CREATE", token, { details: { permissions } }),
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const find = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, tokenId: string) {
        const token = (yield* read({ records: [{ kind: "ApiToken", id: tokenId }] })).record("ApiToken", tokenId)
        return token === undefined || token.data.isDeleted ? yield* noToken : token
      })

      /** The token, and the one that revokes it: two that revoke each other must not leave the platform without any. */
      const loadForRemoval = Effect.fnUntraced(function* (read: Operation.Read, tokenId: string) {
        const caller = yield* CurrentCaller
        const ownId = caller._tag === "Platform" ? caller.tokenId : null
        const revoked = () => Effect.fail(unauthorized("INVALID_CREDENTIALS"))
        const own =
          ownId === null
            ? undefined
            : yield* Effect.catchTag(find(read, ownId), ["ServiceError", "StoreUnavailable"], revoked)
        return { token: yield* find(read, tokenId), own }
      })

      const remove = Effect.fnUntraced(
        function* (tokenId: string) {
          yield* Operation.run({
            name: "ApiTokens.remove",
            load: (read) => loadForRemoval(read, tokenId),
            decide: ({ own, token }, context) =>
              own?.id === token.id
                ? Operation.refuse({
                    ...invalidInput([{ field: "tokenId", message: "must not be the token of this request" }]),
                    details: { reason: "TOKEN_IN_USE" },
                  })
                : Operation.answer(
                    204,
                    null,
                    Changes.combine(
                      Changes.update(token, { ...token.data, isDeleted: true }),
                      own === undefined ? undefined : Changes.guard(own),
                      auditRecord(context, "TOKEN_DELETE", token),
                    ),
                  ),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ApiTokens.of({
        create,
        remove,
        get: (tokenId) => platformOnly(Effect.map(find(store.read, tokenId), toApiToken)),
        list: ({ createdFrom, createdTo, name, updatedFrom, updatedTo, ...query }) =>
          listPage(
            "ApiToken",
            where({
              name,
              isDeleted: false,
              createdAt: between(createdFrom, createdTo),
              updatedAt: between(updatedFrom, updatedTo),
            }),
            query,
          ).pipe(
            Effect.map((page) => ({ ...page, data: page.data.map(toApiToken) })),
            platformOnly,
            Effect.provideService(Store, store),
          ),
      })
    }),
  )
}
