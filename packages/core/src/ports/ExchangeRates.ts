/**
 * Exchange rates between currencies with what the service charges for exchanging, valid when they are asked for. The service
 * keeps each for about five minutes.
 * Spec: What the service does (exchange rates); wire contract 1.4 and 5.4.
 */
import { Context, type Effect } from "effect"
import type { CurrencyCode } from "../money/Currencies.ts"
import type { Rate } from "../money/Rate.ts"

/** What the service keeps of an exchange. */
export interface ServiceFee {
  /** Smallest unit of the currency that is sent. */
  readonly fixed: number
  /** Hundredths of a percent of what is sent. */
  readonly variableBps: number
}

/** A rate without the fee, and the fee. */
export interface OfferedRate extends Rate {
  /** Absent: none. */
  readonly fee?: ServiceFee
  /** Since when it holds (ms); absent: since it was asked for. */
  readonly updatedAt?: number
}

export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /** Major units of `from` for one major unit of `to`; `undefined` where no rate is known. */
    readonly rate: (from: CurrencyCode, to: CurrencyCode) => Effect.Effect<OfferedRate | undefined>
  }
>()("@countersign/core/ExchangeRates") {}
