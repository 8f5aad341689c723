/**
 * When a quote pulls from an external account in the sandbox. In a live deployment the answer of its `Rails` decides; they may apply
 * `QuotePullCriteria` too.
 * Source: wire contract areas 3.1; D-401.
 */
import { Context } from "effect"
import type { QuotePullCriterion } from "../model/transaction/QuotePullCriteria.ts"

export const QuotePull = Context.Reference<QuotePullCriterion>("@countersign/core/QuotePull", {
  defaultValue: () => "DECLARED",
})
