/**
 * The lifetime (ms) of a wallet session after it is issued or refreshed.
 * Spec: Limits (15 minutes by default).
 */
import { Context } from "effect"

export const SessionLifetime = Context.Reference<number>("@countersign/core/SessionLifetime", {
  defaultValue: () => 15 * 60 * 1000,
})
