/**
 * Exchange rates between currencies with what the service charges for exchanging, valid when they are asked for. The service
 * keeps each for about five minutes.
 * Spec: What the service does (exchange rates); wire contract 1.4 and 5.4.
 */
import { Context, type Effect } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"

import type { OfferedRate } from "../foundation/money/Rate.ts"

export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /** Major units of `from` for one major unit of `to`; `undefined` where no rate is known. */
    readonly rate: (from: CurrencyCode, to: CurrencyCode) => Effect.Effect<OfferedRate | undefined>
  }
>()("@countersign/core/ExchangeRates") {}
