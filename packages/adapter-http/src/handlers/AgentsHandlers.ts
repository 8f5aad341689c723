/** Agents, for the platform: each handler calls its service. Spec: 4.2; wire contract 1.1. */

import { Api } from "@countersign/client/api"
import { AgentActions, Agents, DeviceCodes, PolicyEvaluations } from "@countersign/core"
import { Effect } from "effect"
import { source } from "../middleware/CredentialChecks.ts"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { withDates, withTimes } from "./OptionalField.ts"
import { requestedActionOf } from "./RequestedAction.ts"

export const layer = group(
  Api,
  "agents",
  Effect.fnUntraced(function* (handlers) {
    const agents = yield* Agents
    const actions = yield* AgentActions
    const codes = yield* DeviceCodes
    const evaluations = yield* PolicyEvaluations
    return handlers.handleAll(
      yield* answering(handlers, {
        listAgents: ({ query }) => ok(agents.list(withTimes(query))),
        createAgent: ({ payload }) => agents.create(payload),
        listAgentApprovals: ({ query }) => ok(actions.approvals(withDates(query))),
        getAgentById: ({ params }) => ok(agents.get(params.agentId)),
        updateAgent: ({ params, payload }) => agents.update(params.agentId, payload),
        deleteAgent: ({ params }) => noContent(agents.remove(params.agentId)),
        updateAgentPolicy: ({ params, payload }) => agents.updatePolicy(params.agentId, payload),
        evaluateAgentPolicy: ({ params, payload }) =>
          ok(evaluations.evaluate(params.agentId, requestedActionOf(payload))),
        evaluateAgentActionApproval: ({ params }) => ok(evaluations.evaluateApproval(params.agentId, params.actionId)),
        rotateAgentToken: ({ params, payload }) => agents.rotateToken(params.agentId, payload),
        regenerateAgentDeviceCode: ({ params }) => codes.issue(params.agentId),
        getAgentDeviceCodeStatus: ({ params }) => ok(codes.status(params.code)),
        approveAgentAction: ({ params }) => actions.approve(params.agentId, params.actionId),
        rejectAgentAction: ({ params, payload }) => actions.reject(params.agentId, params.actionId, payload.reason),
        redeemAgentDeviceCode: ({ params }) => Effect.flatMap(source, (from) => codes.redeem(params.code, from)),
      }),
    )
  }),
)
