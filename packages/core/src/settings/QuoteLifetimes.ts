/**
 * The lifetimes of quotes: five minutes, or two when both sides settle instantly. A deployment can set its own.
 * Spec: Limits (quote validity); wire contract 11 (6).
 */
import { Context } from "effect"
import type { Lifetimes } from "../model/quote/QuoteTermRules.ts"

export const QuoteLifetimes = Context.Reference<Lifetimes>("@countersign/core/QuoteLifetimes", {
  defaultValue: () => ({ standardMillis: 300_000, instantMillis: 120_000 }),
})
