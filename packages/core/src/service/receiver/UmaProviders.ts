/**
 * Lists the providers of UMA addresses in the network, ordered by domain.
 * Source: wire contract 5.10 and 0.3; D-253.
 */
import { Context, Effect, Layer } from "effect"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Page from "../../foundation/kit/Page.ts"
import { type CurrencyCode, currencyOf } from "../../foundation/money/Currencies.ts"
import type { UmaProviderListResponse, UmaProviderResource } from "../../model/receiver/ReceiverResource.ts"
import type { ListQuery } from "../../operation/Listing.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { UmaNetwork, type UmaProvider } from "../../ports/UmaNetwork.ts"
import type { CurrentCaller } from "../../store/Caller.ts"

export interface UmaProvidersQuery extends ListQuery {
  readonly countryCode?: string
  readonly currencyCode?: CurrencyCode
  /** Whether providers that may not be paid are listed, too; absent: they are. */
  readonly hasBlockedProviders?: boolean
}

const toResource = ({
  currencies,
  domain,
  isAllowed,
  lei,
  logoUrl,
  name,
  regions,
}: UmaProvider): UmaProviderResource => ({
  name,
  domain,
  supportedRegions: regions,
  supportedCurrencies: currencies.map(currencyOf),
  ...(logoUrl === undefined ? {} : { logoUrl }),
  ...(lei === undefined ? {} : { lei }),
  allowListStatus: isAllowed,
})

/** Providers have no creation time, so their domains order them. */
const positionOf = ({ domain }: UmaProvider): Page.Position => ({ createdAt: 0, id: domain })

export class UmaProviders extends Context.Service<
  UmaProviders,
  { readonly list: (query: UmaProvidersQuery) => Effect.Effect<UmaProviderListResponse, ServiceError, CurrentCaller> }
>()("@countersign/core/UmaProviders") {
  static readonly layer = Layer.effect(
    UmaProviders,
    Effect.gen(function* () {
      const network = yield* UmaNetwork

      const list = Effect.fnUntraced(function* (query: UmaProvidersQuery) {
        const { countryCode, currencyCode, cursor, hasBlockedProviders = true, limit = Page.limitDefault } = query
        const order = query.sortOrder ?? "desc"
        const filters = { countryCode, currencyCode, hasBlockedProviders, order }
        const after = cursor === undefined ? undefined : Page.decodeCursor(cursor, filters)
        if (cursor !== undefined && after === undefined) {
          return yield* new ServiceError(
            invalidInput([
              { field: "cursor", message: "must be the nextCursor of the previous page of the same list" },
            ]),
          )
        }
        const compare = Page.compare(order)
        const found = (yield* network.providers)
          .filter(
            ({ currencies, isAllowed, regions }) =>
              (hasBlockedProviders || isAllowed) &&
              (countryCode === undefined || regions.includes(countryCode)) &&
              (currencyCode === undefined || currencies.includes(currencyCode)),
          )
          .toSorted((a, b) => compare(positionOf(a), positionOf(b)))
        const rest = after === undefined ? found : found.filter((provider) => compare(positionOf(provider), after) > 0)
        const data = rest.slice(0, limit)
        const last = data.at(-1)
        const hasMore = rest.length > limit
        return {
          data: data.map(toResource),
          hasMore,
          ...(hasMore && last !== undefined ? { nextCursor: Page.encodeCursor(positionOf(last), filters) } : {}),
          ...Page.totalCountOf(found.length),
        }
      })

      return UmaProviders.of({ list: (query) => platformOnly(list(query)) })
    }),
  )
}
