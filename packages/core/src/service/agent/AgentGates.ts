/**
 * What an agent's other writes rest on: that it is not paused, and that its policy grants them, until they are committed.
 * Source: wire contract 1.3 and 11 (10, 30); D-211.
 */
import { Effect } from "effect"
import { withRule } from "../../decision/agent/AgentPolicyEvaluation.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { AgentPermission } from "../../model/agent/Policy.ts"
import { AccessRules } from "../../model/agent/PolicyRules.ts"
import type { Read } from "../../operation/Operation.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"

/** The guard of the calling agent; none for a platform. Errors: `FORBIDDEN`. */
export const requirePermission = Effect.fnUntraced(function* <E>(read: Read<E>, permission: AgentPermission) {
  const caller = yield* CurrentCaller
  if (caller._tag === "Platform") return Changes.guard()
  const agent = (yield* read({ records: [{ kind: "Agent", id: caller.agentId }] })).record("Agent", caller.agentId)
  if (agent === undefined) return yield* new ServiceError(notFound("agent"))
  const denied = AccessRules.first({ agent: agent.data, permission })
  return denied === undefined ? Changes.guard(agent) : yield* new ServiceError(withRule(denied))
})
