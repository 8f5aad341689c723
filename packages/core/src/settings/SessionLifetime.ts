/**
 * How long (ms) a wallet's session lives after it was issued or refreshed.
 * Spec: Limits (15 minutes by default).
 */
import { Context } from "effect"

export const SessionLifetime = Context.Reference<number>("@countersign/core/SessionLifetime", {
  defaultValue: () => 15 * 60 * 1000,
})
