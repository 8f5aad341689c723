/** The harness with a customer, its external accounts, and an agent with its token. */
import type { AgentPolicy } from "@countersign/core/models"
import { type AgentOptions, type AgentParts, withAgent } from "./AgentWorld.ts"
import { type Harness, type HarnessOptions, harness } from "./Harness.ts"

export const agentHarness = async (
  rules: Partial<AgentPolicy> = {},
  options: AgentOptions & HarnessOptions = {},
): Promise<Harness & AgentParts> => withAgent(await harness(options), rules, options)
