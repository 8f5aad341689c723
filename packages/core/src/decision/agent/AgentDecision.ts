/**
 * Decides the operations of a platform on its agents, except their policies: create, rename, pause, resume and delete.
 * Spec: 4.2; wire contract 1.1 to 1.3.
 */
import { invalidInput } from "../../foundation/errors/ServiceError.ts"
import { type Agent, givenTo } from "../../model/agent/Agent.ts"
import {
  type AgentCreateRequest,
  type AgentCreateResponse,
  type AgentResource,
  type AgentUpdateRequest,
  toAgent,
  toDeviceCode,
} from "../../model/agent/AgentResource.ts"
import { policyProblems } from "../../model/agent/PolicyShapeRules.ts"
import type { Usage, UsageKeys } from "../../model/agent/Usage.ts"
import { tokenIdOf } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { newDeviceCode } from "./DeviceCodeDecision.ts"

const noUsage: Usage = { dailyCount: 0, dailySpend: 0, monthlySpend: 0 }

/** The records that the creation of an agent is decided on. */
export interface AgentCreationLoaded {
  readonly customer: Stored<"Customer"> | undefined
  /** The internal accounts that the policy names and that belong to the customer. */
  readonly ownAccountIds: ReadonlySet<string>
}

/** Creates an agent with its first device code. `code`: the plain text of the device code. */
export const createAgent =
  (request: AgentCreateRequest, code: string) =>
  ({ customer, ownAccountIds }: AgentCreationLoaded, context: DecisionContext): Decision<AgentCreateResponse> => {
    const { ids, now } = context
    if (customer === undefined || customer.data.isDeleted) {
      return refuse(invalidInput([{ field: "customerId", message: "must be a customer of the platform" }]))
    }
    const problems = policyProblems(request.policy, ownAccountIds, "policy.")
    if (problems.length > 0) return refuse(invalidInput(problems))
    const unused: Agent = {
      name: request.name,
      isPaused: false,
      isConnected: false,
      tokens: [],
      isDeleted: false,
      policy: request.policy,
      recastCount: 0,
      recasts: [],
    }
    const data = givenTo(unused, tokenIdOf(context.caller))
    const owner = { platformId: customer.platformId, customerId: customer.id }
    const agent = Changes.insertedRecord("Agent", ids("Agent"), owner, data, now)
    const deviceCode = newDeviceCode(ids, now, agent, code)
    return answer(
      201,
      { agent: toAgent(agent, noUsage, now), deviceCode: toDeviceCode(deviceCode.data, code) },
      Changes.combine(
        Changes.insert("Agent", agent.id, owner, data),
        deviceCode.changes,
        Changes.guard(customer),
        auditRecord(context, "AGENT_CREATE", agent),
      ),
    )
  }

/** An agent with its usage, read at `readAt`. */
export interface AgentWithUsage {
  readonly agent: Stored<"Agent">
  readonly usage: Usage
  readonly keys: UsageKeys
  /** Business time (ms) whose day and month the counters belong to. */
  readonly readAt: number
}

/** Renames, pauses or resumes an agent. */
export const updateAgent =
  (request: AgentUpdateRequest) =>
  ({ agent, usage }: AgentWithUsage, context: DecisionContext): Decision<AgentResource> => {
    const { now } = context
    const data: Agent = {
      ...agent.data,
      ...(request.name === undefined ? {} : { name: request.name }),
      ...(request.isPaused === undefined ? {} : { isPaused: request.isPaused }),
    }
    return answer(
      200,
      toAgent(Changes.after(agent, data, now), usage, now),
      Changes.combine(
        Changes.update(agent, data),
        auditRecord(context, "AGENT_UPDATE", agent, {
          details: { changed: Object.keys(request), isPaused: data.isPaused },
        }),
      ),
    )
  }

/** Revokes the agent's access for good. */
export const removeAgent = ({ agent }: { readonly agent: Stored<"Agent"> }, context: DecisionContext): Decision<null> =>
  answer(
    204,
    null,
    Changes.combine(
      Changes.update(agent, { ...agent.data, isDeleted: true, isConnected: false }),
      auditRecord(context, "AGENT_DELETE", agent),
    ),
  )
