/**
 * Evaluations of a policy: they load, ask and decide as a submission or an approval does, and commit nothing.
 * Source: wire contract 1.4; D-212.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { alreadyDecided, executeHeld } from "../../decision/approval/ActionApprovalDecision.ts"
import type { RequestedAction } from "../../decision/approval/ActionLoaded.ts"
import { submitAction } from "../../decision/approval/ActionSubmissionDecision.ts"
import { toEvaluation } from "../../decision/approval/PolicyEvaluationDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { AgentPolicyEvaluation } from "../../model/agent/PolicyEvaluationResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadAgent } from "../agent/AgentLoads.ts"
import { drawChallengeId } from "../quote/QuoteChallenges.ts"
import { type ActionPorts, actorOf, askAction, loadAction } from "./ActionSteps.ts"
import { askApproval, loadApproval } from "./ApprovalSteps.ts"
import { evaluationContexts } from "./EvaluationContext.ts"

type Result = Effect.Effect<AgentPolicyEvaluation, ServiceError | StoreUnavailable, CurrentCaller>

export class PolicyEvaluations extends Context.Service<
  PolicyEvaluations,
  {
    /** Evaluates a submission by the agent, without a wallet's signature. Errors: `REFERENCE_NOT_FOUND`. */
    readonly evaluate: (agentId: string, action: RequestedAction) => Result
    /** Evaluates the approval of a held action. Errors: `REFERENCE_NOT_FOUND`, `CONFLICT` if it has been decided already. */
    readonly evaluateApproval: (agentId: string, actionId: string) => Result
  }
>()("@countersign/core/PolicyEvaluations") {
  static readonly layer = Layer.effect(
    PolicyEvaluations,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | SecureRandom.SecureRandom | ActionPorts>()

      const evaluate = Effect.fn("PolicyEvaluations.evaluate")(
        function* (agentId: string, action: RequestedAction) {
          const agent = yield* loadAgent(store.read, agentId)
          const records = yield* loadAction(store.read, actorOf(agent), action)
          const facts = yield* askAction(records, { challengeId: yield* drawChallengeId })
          const loaded = { ...records, ...facts }
          const context = (yield* evaluationContexts)()
          return toEvaluation(loaded, submitAction(201)(loaded, context), context.now)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const evaluateApproval = Effect.fn("PolicyEvaluations.evaluateApproval")(
        function* (agentId: string, actionId: string) {
          const records = yield* loadApproval(store.read, agentId, actionId)
          const { facts } = yield* askApproval(records, yield* drawChallengeId)
          const context = (yield* evaluationContexts)()
          const { action, execution } = records
          const refusal = alreadyDecided(records, context.now)
          if (refusal !== undefined) return yield* new ServiceError(refusal)
          if (execution === undefined || facts === undefined) {
            return yield* Effect.die(new Error(`${actionId} was loaded without its execution`))
          }
          const loaded = { ...execution, ...facts }
          return toEvaluation(loaded, executeHeld(action)(loaded, context), context.now, true)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return PolicyEvaluations.of({ evaluate, evaluateApproval })
    }),
  )
}
