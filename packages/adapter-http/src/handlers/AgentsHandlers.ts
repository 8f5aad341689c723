/** Agents, for the platform: each handler calls its service. Spec: 4.2; wire contract 1.1. */

import { Api } from "@countersign/client/api"
import { AgentActions, Agents, DeviceCodes, PolicyEvaluations, type RequestedAction } from "@countersign/core"
import type { AgentPolicyEvaluateRequest } from "@countersign/core/models"
import { Effect } from "effect"
import { source } from "../middleware/CredentialChecks.ts"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { optionalField, withDates, withTimes } from "./OptionalField.ts"

const requestedActionOf = (request: AgentPolicyEvaluateRequest): RequestedAction => {
  if (request.type === "EXECUTE_QUOTE") return request
  const { amount, destination, source, type } = request
  const order = { sourceAccountId: source.accountId, destinationAccountId: destination.accountId }
  return type === "TRANSFER_IN"
    ? { type, order: { ...order, amount } }
    : { type, order: { ...order, ...optionalField("amount", amount) } }
}

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
        list: ({ query }) => ok(agents.list(withTimes(query))),
        create: ({ payload }) => agents.create(payload),
        approvals: ({ query }) => ok(actions.approvals(withDates(query))),
        get: ({ params }) => ok(agents.get(params.agentId)),
        update: ({ params, payload }) => agents.update(params.agentId, payload),
        remove: ({ params }) => noContent(agents.remove(params.agentId)),
        updatePolicy: ({ params, payload }) => agents.updatePolicy(params.agentId, payload),
        evaluatePolicy: ({ params, payload }) => ok(evaluations.evaluate(params.agentId, requestedActionOf(payload))),
        evaluateApproval: ({ params }) => ok(evaluations.evaluateApproval(params.agentId, params.actionId)),
        rotateAgentToken: ({ params, payload }) => agents.rotateToken(params.agentId, payload),
        issueDeviceCode: ({ params }) => codes.issue(params.agentId),
        deviceCodeStatus: ({ params }) => ok(codes.status(params.code)),
        approve: ({ params }) => actions.approve(params.agentId, params.actionId),
        reject: ({ params, payload }) => actions.reject(params.agentId, params.actionId, payload.reason),
        redeemDeviceCode: ({ params }) => Effect.flatMap(source, (from) => codes.redeem(params.code, from)),
      }),
    )
  }),
)
