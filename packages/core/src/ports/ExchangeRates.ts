/**
 * Exchange rates between currencies, valid when they are asked for.
 * Source: wire contract 1.4 and 5.4.
 */
import { Context, type Effect } from "effect"
import type { CurrencyCode } from "../money/Currencies.ts"
import type { Rate } from "../money/Rate.ts"

export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /** Major units of `from` for one major unit of `to`; `undefined` where no rate is known. */
    readonly rate: (from: CurrencyCode, to: CurrencyCode) => Effect.Effect<Rate | undefined>
  }
>()("@countersign/core/ExchangeRates") {}
