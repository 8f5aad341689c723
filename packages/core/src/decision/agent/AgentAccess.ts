/**
 * The check that an operation of an agent needs beside its own rules: the agent is not paused, and its policy grants a permission.
 * Source: wire contract 1.3 and 11 (10, 30); D-211.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { AgentPermission } from "../../model/agent/Policy.ts"
import { AccessRules } from "../../model/agent/PolicyRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { withRule } from "./AgentPolicyEvaluation.ts"

/** The agent that calls, as loaded by `loadCallingAgent`; absent: a platform calls. */
export type CallingAgent = Stored<"Agent"> | undefined

/** Returns the refusal of an agent without `permission`, or `undefined`. A platform needs no permission. */
export const requirePermission = (agent: CallingAgent, permission: AgentPermission): Refusal | undefined => {
  const refused = agent && AccessRules.first({ agent: agent.data, permission })
  return refused && withRule(refused)
}

/** Guards the calling agent, so that it is neither paused nor changed before the commit. */
export const guardAgent = (agent: CallingAgent): Changes.Changes =>
  agent === undefined ? Changes.guard() : Changes.guard(agent)
