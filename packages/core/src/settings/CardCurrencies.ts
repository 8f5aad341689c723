/**
 * The currencies that can fund cards. A deployment can set its own.
 * Spec: Limits (card funding sources share one card-eligible currency); wire contract 3.2.
 */
import { Context } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"

export const CardCurrencies = Context.Reference<ReadonlyArray<CurrencyCode>>("@countersign/core/CardCurrencies", {
  defaultValue: () => ["USDB", "USD"],
})
