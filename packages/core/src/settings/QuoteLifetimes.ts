/**
 * How long quotes hold: five minutes, or two where money is there at once on both sides, unless the deployment says otherwise.
 * Spec: Limits (quote validity); wire contract 11 (6).
 */
import { Context } from "effect"
import type { Lifetimes } from "../model/quote/QuoteTermRules.ts"

export const QuoteLifetimes = Context.Reference<Lifetimes>("@countersign/core/QuoteLifetimes", {
  defaultValue: () => ({ standardMillis: 300_000, instantMillis: 120_000 }),
})
