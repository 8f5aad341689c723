/**
 * The runs of scenarios: one at a time, each with its audit record. The steps of a scenario are requests like any other.
 * Source: D-472.
 */
import { Context, Effect, Layer, Semaphore } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  auditScenario,
  type ScenarioStop,
  scenarioFailed,
  scenarioRunning,
} from "../../decision/scenario/ScenarioDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"

export class ScenarioRuns extends Context.Service<
  ScenarioRuns,
  {
    /** Runs the steps of a scenario. Errors: `CONFLICT` while another one runs, and if a step fails. */
    readonly run: <A>(
      name: string,
      steps: Effect.Effect<A, ScenarioStop>,
    ) => Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/ScenarioRuns") {
  static readonly layer = Layer.effect(
    ScenarioRuns,
    Effect.gen(function* () {
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const turn = yield* Semaphore.make(1)
      return ScenarioRuns.of({
        run: (name, steps) =>
          Effect.gen(function* () {
            yield* Operation.run({
              name: "ScenarioRuns.record",
              ids: 1,
              load: () => Effect.void,
              decide: auditScenario(name),
            }).pipe(Effect.provideContext(services))
            return yield* Effect.mapError(steps, (stop) => new ServiceError(scenarioFailed(name, stop)))
          }).pipe(
            turn.withPermitsIfAvailable(1),
            Effect.flatMap((made) =>
              made._tag === "Some" ? Effect.succeed(made.value) : Effect.fail(new ServiceError(scenarioRunning)),
            ),
            // A caller that disconnects does not end it halfway.
            Effect.uninterruptible,
            platformOnly,
          ),
      })
    }),
  )
}
