/**
 * A policy asked beforehand: the decision of a submission or an approval is made as always, and not committed.
 * Source: wire contract 1.4; D-212.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type ActionLoaded, approve, isPossible, spendingOf, submit } from "../../decision/approval/ActionDecision.ts"
import type { Decision } from "../../decision/Decision.ts"
import { bodyOf, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import type { AgentActionResource } from "../../model/agent/AgentActionResource.ts"
import type { AgentPolicyEvaluation } from "../../model/agent/PolicyEvaluationResource.ts"
import { remainingLimits } from "../../model/agent/RemainingLimits.ts"
import { toQuote } from "../../model/quote/QuoteResource.ts"
import type { Read } from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { asOf } from "../../store/AsOf.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { idsMax } from "../quote/QuoteLoads.ts"
import * as ActionLoads from "./ActionLoads.ts"

/** What would be done, and what that leaves. */
const numbersOf = (loaded: ActionLoaded, now: number) => {
  const { action } = loaded
  if (!isPossible(action)) return { limits: [] }
  const { kept, quote } = action
  return {
    ...(kept.transferDetails === undefined ? {} : { transferDetails: kept.transferDetails }),
    ...(quote === undefined ? {} : { quote: toQuote(asOf(quote, now)) }),
    limits: remainingLimits(spendingOf(loaded, action)),
  }
}

const told = (loaded: ActionLoaded, decision: Decision<AgentActionResource>, now: number): AgentPolicyEvaluation => {
  const numbers = numbersOf(loaded, now)
  if (decision._tag === "Refuse") {
    const { details } = decision.refusal
    return {
      outcome: "REFUSED",
      ...(details === undefined ? {} : { details }),
      error: bodyOf(decision.refusal),
      ...numbers,
    }
  }
  const { details, status } = decision.body
  // An approval that would execute tells why it was held no more: nothing holds it now.
  const isTold = details !== undefined && status !== "APPROVED"
  return { outcome: status === "REJECTED" ? "REFUSED" : status, ...(isTold ? { details } : {}), ...numbers }
}

type Result = Effect.Effect<AgentPolicyEvaluation, ServiceError | StoreUnavailable, CurrentCaller>

export class PolicyEvaluations extends Context.Service<
  PolicyEvaluations,
  {
    /** What the agent would be answered to this. A wallet's signature is not asked for. Errors: `REFERENCE_NOT_FOUND`. */
    readonly evaluate: (agentId: string, wish: ActionLoads.RequestedAction) => Result
    /** What approving a held action would come to. Errors: `REFERENCE_NOT_FOUND`, `CONFLICT` where it is decided. */
    readonly evaluateApproval: (agentId: string, actionId: string) => Result
  }
>()("@countersign/core/PolicyEvaluations") {
  static readonly layer = Layer.effect(
    PolicyEvaluations,
    Effect.gen(function* () {
      const store = yield* Store
      const random = yield* SecureRandom.SecureRandom
      const loads = yield* ActionLoads.make

      const agentOf = Effect.fnUntraced(function* <E>(read: Read<E>, agentId: string) {
        const agent = (yield* read({ records: [{ kind: "Agent", id: agentId }] })).record("Agent", agentId)
        return agent === undefined || agent.data.isDeleted ? yield* new ServiceError(notFound("agent")) : agent
      })

      const context = Effect.gen(function* () {
        const pool = yield* IdPool.make(idsMax)
        const now = yield* Clock.currentTimeMillis
        return { now, ids: pool.source(), caller: yield* CurrentCaller, requestId: undefined, rejections: [] }
      }).pipe(Effect.provideService(SecureRandom.SecureRandom, random))

      return PolicyEvaluations.of({
        evaluate: Effect.fn("PolicyEvaluations.evaluate")(function* (agentId, wish) {
          const agent = yield* agentOf(store.read, agentId)
          const loaded = yield* loads.wished(store.read, loads.actorOf(agent), wish)
          const asked = yield* context
          return told(loaded, submit(201)(loaded, asked), asked.now)
        }, platformOnly),
        evaluateApproval: Effect.fn("PolicyEvaluations.evaluateApproval")(function* (agentId, actionId) {
          const { action, loaded } = yield* loads.held(store.read, agentId, actionId)
          const asked = yield* context
          return told(loaded, approve(action)(loaded, asked), asked.now)
        }, platformOnly),
      })
    }),
  )
}
