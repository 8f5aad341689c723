/**
 * The wire format of a comparison: what an agent's present policy and an updated one decide on the same actions. An addition.
 * Source: D-475, D-476.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { AgentActionStatus, AgentActionType } from "./AgentAction.ts"
import { AgentPolicyUpdateRequest, AgentUsage } from "./AgentResource.ts"
import { AgentPolicy } from "./Policy.ts"
import { AgentPolicyEvaluateRequest, AgentPolicyEvaluation } from "./PolicyEvaluationResource.ts"

/** The maximum number of requested actions, and of the agent's own, of one comparison. */
export const comparedActionsMax = 20
/** The largest number of an agent's latest actions in one comparison. */
export const recentActionsMax = 100

/** Optional body of `POST /operator/agents/{agentId}/policy-evaluations`: an update of the policy, and the actions to decide. */
export const AgentPolicyCompareRequest = Schema.Struct({
  policy: Schema.optionalKey(
    AgentPolicyUpdateRequest.pipe(
      Schema.annotateKey({
        description: "Absent: only the present policy decides.",
      }),
    ),
  ),
  actions: Schema.optionalKey(
    Schema.Array(AgentPolicyEvaluateRequest)
      .check(Schema.isMaxLength(comparedActionsMax).abort())
      .annotate({ description: "As if submitted now." }),
  ),
  recent: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: recentActionsMax })).annotate({
      description: "How many of the agent's latest actions to compare.",
    }),
  ),
}).annotate({ identifier: "AgentPolicyCompareRequest" })
export type AgentPolicyCompareRequest = typeof AgentPolicyCompareRequest.Type

/** What both policies decide on one action. */
const outcomes = {
  present: AgentPolicyEvaluation,
  proposed: Schema.optionalKey(
    AgentPolicyEvaluation.pipe(Schema.annotateKey({ description: "Absent: the request has no `policy`." })),
  ),
}

const ComparedPolicy = Schema.Struct({ policy: AgentPolicy, usage: AgentUsage }).annotate({
  identifier: "AgentComparedPolicy",
})

/**
 * Answer of `POST /operator/agents/{agentId}/policy-evaluations`. Amounts are in the smallest unit of their currency; `proposed` is
 * absent without an update.
 */
export const AgentPolicyComparison = Schema.Struct({
  asOf: Timestamp.annotate({ description: "Business time." }),
  present: ComparedPolicy,
  proposed: Schema.optionalKey(
    ComparedPolicy.pipe(Schema.annotateKey({ description: "As the update would leave them." })),
  ),
  actions: Schema.Array(
    Schema.Struct({ action: AgentPolicyEvaluateRequest, ...outcomes }).annotate({ identifier: "AgentComparedAction" }),
  ),
  recent: Schema.Array(
    Schema.Struct({
      actionId: Id("AgentAction"),
      type: AgentActionType,
      status: AgentActionStatus,
      amount: Schema.Int,
      currency: CurrencyCode,
      createdAt: Timestamp,
      asOf: Timestamp.annotate({
        description: "Whose usage is compared: the submission's, or today's if that was not stored.",
      }),
      ...outcomes,
    }).annotate({ identifier: "AgentComparedRecentAction" }),
  ).annotate({
    description:
      "Newest first. The policies' rules decide alone, on the usage before the submission and today's exchange rates.",
  }),
}).annotate({ identifier: "AgentPolicyComparison" })
export type AgentPolicyComparison = typeof AgentPolicyComparison.Type
