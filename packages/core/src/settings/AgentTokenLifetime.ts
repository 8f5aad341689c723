/**
 * The lifetime (ms) of an agent's access token after its issue; `undefined`: until the agent is deleted.
 * Source: wire contract 1.5 (tokens do not expire); D-344 (a deployment's choice).
 */
import { Context } from "effect"

export const AgentTokenLifetime = Context.Reference<number | undefined>("@countersign/core/AgentTokenLifetime", {
  defaultValue: () => undefined,
})
