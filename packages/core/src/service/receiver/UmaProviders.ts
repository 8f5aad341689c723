/**
 * Lists the providers of UMA addresses in the network, ordered by domain.
 * Source: wire contract 5.10 and 0.3; D-253.
 */
import { Context, Effect, Layer } from "effect"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { type CurrencyCode, currencyOf } from "../../foundation/money/Currencies.ts"
import type { UmaProviderListResponse, UmaProviderResource } from "../../model/receiver/ReceiverResource.ts"
import { directoryPage, type ListQuery } from "../../operation/Listing.ts"
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

export class UmaProviders extends Context.Service<
  UmaProviders,
  { readonly list: (query: UmaProvidersQuery) => Effect.Effect<UmaProviderListResponse, ServiceError, CurrentCaller> }
>()("@countersign/core/UmaProviders") {
  static readonly layer = Layer.effect(
    UmaProviders,
    Effect.gen(function* () {
      const network = yield* UmaNetwork

      const list = Effect.fnUntraced(function* (query: UmaProvidersQuery) {
        const { countryCode, currencyCode, hasBlockedProviders = true, sortOrder = "desc", ...paging } = query
        const filters = { countryCode, currencyCode, hasBlockedProviders }
        const found = (yield* network.providers).filter(
          ({ currencies, isAllowed, regions }) =>
            (hasBlockedProviders || isAllowed) &&
            (countryCode === undefined || regions.includes(countryCode)) &&
            (currencyCode === undefined || currencies.includes(currencyCode)),
        )
        const page = yield* directoryPage(found, ({ domain }) => domain, filters, { ...paging, sortOrder })
        return { ...page, data: page.data.map(toResource) }
      })

      return UmaProviders.of({ list: (query) => platformOnly(list(query)) })
    }),
  )
}
