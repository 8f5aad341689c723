/**
 * The domain under which each platform has one of its own for its customers' UMA addresses, until it configures another.
 * Source: wire contract 5.11 and 5.12 (`umaDomain`); D-085, D-115.
 */
import { Context } from "effect"

/** Names under `.example` and `.invalid` are nobody's: an address there can never be somebody else's. */
export const umaDomains = { sandbox: "uma.sandbox.example", live: "uma.invalid" } as const

export const UmaDomain = Context.Reference<string>("@countersign/core/UmaDomain", {
  defaultValue: () => umaDomains.sandbox,
})
