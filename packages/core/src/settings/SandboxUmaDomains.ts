/**
 * Further domains under which the sandbox's UMA network knows its scenario addresses, besides the deployment's `UmaDomain`. Clients that
 * name the domain of another sandbox in their code reach this one by it. The configuration shows the first domain.
 * Source: wire contract areas 3.9; D-404.
 */
import { Context } from "effect"

export const SandboxUmaDomains = Context.Reference<ReadonlyArray<string>>("@countersign/core/SandboxUmaDomains", {
  defaultValue: () => [],
})
