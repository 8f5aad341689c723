/**
 * The faults of a sandbox's ports: shows them, and switches them on and off.
 * Source: D-480.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { auditFaults, faultsNotOffered, faultsOfSeveralPlatforms } from "../../decision/fault/FaultDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { type FaultsRequest, type FaultsResource, faultPorts } from "../../model/fault/FaultResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { PortFaults, WithoutStoreFaults } from "../../ports/PortFaults.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const resourceOf = ({ met, settings }: PortFaults): FaultsResource => {
  const faults = settings()
  return {
    ...faults,
    seed: faults.seed ?? 1,
    on: faultPorts.filter((port) => faults[port] !== undefined),
    met: { rail: met("rail"), issuer: met("issuer"), webhooks: met("webhooks"), store: met("store") },
  }
}

export class Faults extends Context.Service<
  Faults,
  {
    readonly get: Result<FaultsResource>
    /** Replaces all faults. Errors: `CONFLICT` if several platforms share the server. */
    readonly set: (request: FaultsRequest) => Result<FaultsResource>
  }
>()("@countersign/core/Faults") {
  static readonly layer = Layer.effect(
    Faults,
    Effect.gen(function* () {
      const store = yield* Store
      const faults = yield* PortFaults
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const offered = Effect.gen(function* () {
        if (faults === undefined) return yield* new ServiceError(faultsNotOffered)
        if ((yield* store.platformCount) > 1) return yield* new ServiceError(faultsOfSeveralPlatforms)
        return faults
      })

      return Faults.of({
        get: platformOnly(Effect.map(offered, resourceOf)),
        set: Effect.fnUntraced(function* (request) {
          const own = yield* offered
          yield* Operation.run({
            name: "Faults.record",
            ids: 1,
            load: () => Effect.void,
            decide: auditFaults(faultPorts.filter((port) => request[port] !== undefined)),
          }).pipe(Effect.provideContext(services), Effect.provideService(WithoutStoreFaults, true))
          own.set(request)
          return resourceOf(own)
        }, platformOnly),
      })
    }),
  )
}
