/**
 * The limits of use that a deployment chooses: other counts than those of the table, and the prices of codes. Limits on reads and writes
 * are off unless their counts are set.
 * Source: D-335, D-336.
 */
import { Context } from "effect"
import { codePricesDefault } from "../model/limit/CodePrices.ts"
import type { SendLimits } from "../model/limit/CodeSend.ts"

export interface UseLimitSettings extends SendLimits {
  /** How many processes share the deployment's reads and writes: each allows its part of them. */
  readonly processes: number
}

export const UseLimitSettings = Context.Reference<UseLimitSettings>("@countersign/core/UseLimitSettings", {
  defaultValue: () => ({ counts: {}, prices: codePricesDefault, processes: 1 }),
})
