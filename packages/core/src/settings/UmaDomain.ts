/**
 * The parent domain of the platforms' default UMA domains. A platform can configure another one.
 * Source: wire contract 5.11 and 5.12 (`umaDomain`); D-085, D-115.
 */
import { Context } from "effect"

/** `.example` and `.invalid` are reserved: no address under them can belong to a third party. */
export const umaDomains = { sandbox: "uma.sandbox.example", live: "uma.invalid" } as const

export const UmaDomain = Context.Reference<string>("@countersign/core/UmaDomain", {
  defaultValue: () => umaDomains.sandbox,
})
