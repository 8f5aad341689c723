/**
 * Loads agents: the agent that a request names, the agent that calls, and an agent with its usage.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 1.3.
 */
import { Clock, Effect } from "effect"
import type { CallingAgent } from "../../decision/agent/AgentAccess.ts"
import type { AgentWithUsage } from "../../decision/agent/AgentDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Usage from "../../model/agent/Usage.ts"
import type { Read } from "../../operation/Operation.ts"
import { CurrentCaller } from "../../store/Caller.ts"

/** Loads an agent that is not deleted. Errors: `REFERENCE_NOT_FOUND`. */
export const loadAgent = Effect.fnUntraced(function* <E>(read: Read<E>, agentId: string) {
  const agent = (yield* read({ records: [{ kind: "Agent", id: agentId }] })).record("Agent", agentId)
  if (agent === undefined || agent.data.isDeleted) return yield* new ServiceError(notFound("agent"))
  return agent
})

/** Loads the agent that calls, for `requirePermission`; `undefined`: a platform calls. Errors: `REFERENCE_NOT_FOUND`. */
export const loadCallingAgent = Effect.fnUntraced(function* <E>(read: Read<E>) {
  const caller = yield* CurrentCaller
  if (caller._tag === "Platform") return undefined
  const agent = (yield* read({ records: [{ kind: "Agent", id: caller.agentId }] })).record("Agent", caller.agentId)
  return (agent ?? (yield* new ServiceError(notFound("agent")))) satisfies CallingAgent
})

/** Loads an agent that is not deleted, with its usage of the present day and month. Errors: `REFERENCE_NOT_FOUND`. */
export const loadAgentWithUsage = Effect.fnUntraced(function* <E>(read: Read<E>, agentId: string) {
  const agent = yield* loadAgent(read, agentId)
  const readAt = yield* Clock.currentTimeMillis
  const keys = Usage.keysAt(agent.id, Usage.budgetOf(agent.data), readAt)
  const counters = yield* read({ counters: Usage.keyList(keys) })
  return { agent, keys, usage: Usage.usageFrom(keys, counters.counter), readAt } satisfies AgentWithUsage
})
