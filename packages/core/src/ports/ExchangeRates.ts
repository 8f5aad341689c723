/**
 * Exchange rates between currencies, with the fee of the service, valid at the time of the call. The service caches each rate for five
 * minutes.
 * Spec: What the service does (exchange rates); wire contract 1.4 and 5.4.
 */
import { Context, type Effect } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"

import type { OfferedRate } from "../foundation/money/Rate.ts"

export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /** Major units of `from` for one major unit of `to`; `undefined` if no rate exists. */
    readonly rate: (from: CurrencyCode, to: CurrencyCode) => Effect.Effect<OfferedRate | undefined>
  }
>()("@countersign/core/ExchangeRates") {}
