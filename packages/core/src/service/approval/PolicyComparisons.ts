/**
 * Comparisons of an agent's policy with an update of it, on actions that it could submit and on those that it has submitted. They
 * decide as the update and the submissions would, and commit nothing.
 * Source: D-475, D-476.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { applyUpdate } from "../../decision/agent/PolicyUpdateDecision.ts"
import {
  type ActionRecords,
  type RequestedAction,
  type TransferAction,
  touchedMoneyOf,
} from "../../decision/approval/ActionLoaded.ts"
import * as Compare from "../../decision/approval/PolicyComparisonDecision.ts"
import { recordedMoney } from "../../decision/approval/RecordedFacts.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { AgentPolicyUpdateRequest } from "../../model/agent/AgentResource.ts"
import type { AgentPolicyComparison } from "../../model/agent/PolicyComparisonResource.ts"
import type { AgentPolicyEvaluateRequest } from "../../model/agent/PolicyEvaluationResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { askRate, loadForPolicyUpdate } from "../agent/PolicyUpdateSteps.ts"
import { drawChallengeId } from "../quote/QuoteChallenges.ts"
import { type ActionPorts, actorOf, askAction, askRates, loadAction, loadTransfers } from "./ActionSteps.ts"
import { askComparedRates } from "./ComparedRates.ts"
import { evaluationContexts } from "./EvaluationContext.ts"

/** An action to compare, as the request names it and as it would be submitted. */
export interface ComparedRequest {
  readonly action: AgentPolicyEvaluateRequest
  readonly requested: RequestedAction
}

export interface PolicyComparisonRequest {
  readonly policy?: AgentPolicyUpdateRequest
  readonly actions?: ReadonlyArray<ComparedRequest>
  /** How many of the agent's latest actions to compare, too. */
  readonly recent?: number
}

const isTransfer = (requested: RequestedAction): requested is TransferAction => requested.type !== "EXECUTE_QUOTE"

/** Loads the agent as it is and as the update would leave it. Errors: `REFERENCE_NOT_FOUND`, and those of the update. */
const loadAgents = Effect.fnUntraced(function* (agentId: string, update: AgentPolicyUpdateRequest | undefined) {
  const store = yield* Store
  const records = yield* loadForPolicyUpdate(store.read, agentId, update ?? {})
  const present = { data: records.agent.data, usage: records.usage }
  const agents: Compare.ComparedAgents = { agent: records.agent, present, proposed: undefined }
  if (update === undefined) return agents
  const updated = applyUpdate(update, { ...records, ...(yield* askRate(records, update)) })
  if ("refusal" in updated) return yield* new ServiceError(updated.refusal)
  const compared: Compare.ComparedAgents = { ...agents, proposed: updated }
  return compared
})

/** Loads and asks what each requested action would be decided on. All transfers are read in one trip. */
const loadRequested = Effect.fnUntraced(function* (
  { agent, proposed }: Compare.ComparedAgents,
  actions: ReadonlyArray<ComparedRequest>,
) {
  const store = yield* Store
  const actor = actorOf(agent)
  const transfers = actions.map(({ requested }) => requested).filter(isTransfer)
  const read = transfers.length === 0 ? [] : yield* loadTransfers(store.read, actor, transfers)
  const byTransfer = new Map<RequestedAction, ActionRecords>(
    read.flatMap((records, index) => {
      const transfer = transfers[index]
      return transfer === undefined ? [] : [[transfer, records] as const]
    }),
  )
  return yield* Effect.forEach(
    actions,
    Effect.fnUntraced(function* ({ action, requested }: ComparedRequest) {
      const records = byTransfer.get(requested) ?? (yield* loadAction(store.read, actor, requested))
      const facts = yield* askAction(records, { challengeId: yield* drawChallengeId })
      // Without rates the action is impossible under either policy.
      const isCompared = proposed !== undefined && facts.rates.size > 0
      const more = isCompared
        ? yield* askRates({ ...agent, data: proposed.data }, touchedMoneyOf(records.requested))
        : facts.rates
      const loaded = { ...records, ...facts, rates: new Map([...facts.rates, ...more]) }
      return { action, loaded } satisfies Compare.RequestedComparison
    }),
  )
})

/** Loads the agent's latest actions with what they move. The quotes that they execute are read in one trip. */
const loadRecent = Effect.fnUntraced(function* (agentId: string, limit: number) {
  const store = yield* Store
  const { data } = yield* store.list("AgentAction", { agentId: { eq: agentId } }, { limit, order: "desc" })
  const ids = data.flatMap(({ data: { quoteId } }) => quoteId ?? [])
  const found = ids.length === 0 ? undefined : yield* store.read({ records: ids.map((id) => ({ kind: "Quote", id })) })
  return data.flatMap((action): ReadonlyArray<Compare.RecentComparison> => {
    const { quoteId } = action.data
    const money = recordedMoney(action.data, quoteId === undefined ? undefined : found?.record("Quote", quoteId)?.data)
    return money === undefined ? [] : [{ action, money }]
  })
})

export class PolicyComparisons extends Context.Service<
  PolicyComparisons,
  {
    /** Compares the agent's policy with an update of it. Errors: `REFERENCE_NOT_FOUND`, and those of the update. */
    readonly compare: (
      agentId: string,
      request: PolicyComparisonRequest,
    ) => Effect.Effect<AgentPolicyComparison, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/PolicyComparisons") {
  static readonly layer = Layer.effect(
    PolicyComparisons,
    Effect.gen(function* () {
      const services = yield* Effect.context<Store | SecureRandom.SecureRandom | ActionPorts>()

      const compare = Effect.fn("PolicyComparisons.compare")(
        function* (agentId: string, { actions = [], policy, recent = 0 }: PolicyComparisonRequest) {
          const agents = yield* loadAgents(agentId, policy)
          const requested = yield* loadRequested(agents, actions)
          const latest = recent === 0 ? [] : yield* loadRecent(agentId, recent)
          const rates = yield* askComparedRates(agents, latest)
          const contextOf = yield* evaluationContexts
          const { now } = contextOf()
          const comparison: AgentPolicyComparison = {
            ...Compare.comparedPolicies(agents, now),
            actions: requested.map((each) => Compare.compareRequested(agents, each, contextOf)),
            recent: latest.map((each) => Compare.compareRecent(agents, each, rates, now)),
          }
          return comparison
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return PolicyComparisons.of({ compare })
    }),
  )
}
