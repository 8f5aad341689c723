/**
 * Lists exchange rates for a platform: the amount that would arrive now, after fees.
 * Spec: What the service does (exchange rates); wire contract 5.4; wire contract areas 2.4; D-126, D-403.
 */
import { Context, Effect, Layer } from "effect"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { Currencies, type CurrencyCode, currencyOf } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { displayed } from "../../foundation/money/Rate.ts"
import type { Platform } from "../../model/platform/Platform.ts"
import { usualWay } from "../../model/quote/DestinationRails.ts"
import type { ExchangeRateResource } from "../../model/quote/ExchangeRateResource.ts"
import { price, totalFee } from "../../model/quote/QuotePricing.ts"
import { feeTerms, limitsOf } from "../../model/quote/QuoteTermRules.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

export interface RatesQuery {
  readonly sourceCurrency?: CurrencyCode
  readonly destinationCurrency?: ReadonlyArray<CurrencyCode>
  /** Smallest unit of the source currency. */
  readonly sendingAmount?: number
  /** Whether corridors into crypto assets are listed, whose `destinationPaymentRail` is a network. */
  readonly includeCrypto?: boolean
}

const sendingAmountDefault = 10_000

const toExchangeRate = (platform: Platform, rate: OfferedRate, sendingAmount: number): ExchangeRateResource => {
  const terms = feeTerms(platform, rate)
  const priced = price("SENDING", sendingAmount, rate, terms)
  const limits = limitsOf(platform, rate.from)
  return {
    sourceCurrency: currencyOf(rate.from),
    sendingAmount,
    minSendingAmount: limits.minAmount,
    maxSendingAmount: limits.maxAmount,
    destinationCurrency: currencyOf(rate.to),
    destinationPaymentRail: usualWay(rate.to),
    receivingAmount: typeof priced === "string" ? 0 : priced.receiving,
    exchangeRate: displayed(rate),
    fees: {
      fixed: terms.serviceFixed + terms.platformFixed,
      total: typeof priced === "string" ? terms.serviceFixed + terms.platformFixed : totalFee(priced.fees),
    },
    updatedAt: iso(rate.updatedAt ?? 0),
  }
}

export class ExchangeRateLists extends Context.Service<
  ExchangeRateLists,
  {
    /** Returns one entry per pair with a known rate; without filters all pairs of the platform's currencies. Pairs into crypto assets on request. */
    readonly list: (
      query: RatesQuery,
    ) => Effect.Effect<
      { readonly data: ReadonlyArray<ExchangeRateResource> },
      ServiceError | StoreUnavailable,
      CurrentCaller
    >
  }
>()("@countersign/core/ExchangeRateLists") {
  static readonly layer = Layer.effect(
    ExchangeRateLists,
    Effect.gen(function* () {
      const store = yield* Store
      const rates = yield* ExchangeRates

      const list = Effect.fnUntraced(function* (query: RatesQuery) {
        const { destinationCurrency, includeCrypto = false, sourceCurrency } = query
        const { sendingAmount = sendingAmountDefault } = query
        const { platformId } = yield* CurrentCaller
        const read = yield* store.read({ records: [{ kind: "Platform", id: platformId }] })
        const platform = read.record("Platform", platformId)?.data
        if (platform === undefined) return yield* new ServiceError(notFound("platform"))
        const platformCurrencies = platform.supportedCurrencies.map(({ currencyCode }) => currencyCode)
        const sources = sourceCurrency === undefined ? platformCurrencies : [sourceCurrency]
        const destinations = (destinationCurrency ?? platformCurrencies).filter(
          (code) => includeCrypto || !Currencies.get(code).crypto,
        )
        const pairs = sources.flatMap((from) => destinations.flatMap((to) => (from === to ? [] : [{ from, to }])))
        const found = yield* Effect.forEach(pairs, ({ from, to }) => rates.rate(from, to), { concurrency: 8 })
        return {
          data: found.filter((rate) => rate !== undefined).map((rate) => toExchangeRate(platform, rate, sendingAmount)),
        }
      })

      return ExchangeRateLists.of({ list: (query) => platformOnly(list(query)) })
    }),
  )
}
