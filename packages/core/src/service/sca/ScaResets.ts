/**
 * Resets a factor that a customer has lost: the provider verifies the customer, then the factor can be enrolled anew.
 * Source: wire contract 5.12 and B; wire contract areas 2.2; D-086, D-380.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { StoredSca } from "../../decision/sca/ScaProfileChanges.ts"
import { decideResetCompletion, decideResetStart, resetOf, toResetStatus } from "../../decision/sca/ScaResetDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { regionRefusal } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor, ScaReset } from "../../model/sca/ScaProfile.ts"
import type { MobileNumber, TwoFactorResetStart, TwoFactorResetStatus } from "../../model/sca/ScaResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { ScaProvider } from "../../ports/ScaProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadProfile, loadSca } from "./ScaProfiles.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

export class ScaResets extends Context.Service<
  ScaResets,
  {
    /** Errors: `CONFLICT` (not required for the region, or no such factor), `RATE_LIMITED`. */
    readonly start: (customerId: string, factor: ScaFactor) => Reply<Operation.Answered<TwoFactorResetStart>>
    readonly get: (customerId: string, resetId: string) => Reply<TwoFactorResetStatus>
    /**
     * Removes the factor, so that it can be enrolled anew; `SMS_OTP` gets the new telephone number `mobile`. Errors: `CONFLICT` before
     * the provider has verified the customer, `INVALID_INPUT` without the number.
     */
    readonly complete: (customerId: string, resetId: string, mobile?: MobileNumber) => Reply<void>
  }
>()("@countersign/core/ScaResets") {
  static readonly layer = Layer.effect(
    ScaResets,
    Effect.gen(function* () {
      const store = yield* Store
      const provider = yield* ScaProvider
      const regions = yield* ScaRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const start = Effect.fnUntraced(
        function* (customerId: string, factor: ScaFactor) {
          const resetId = yield* IdPool.draw("ScaReset", customerId)
          const started = yield* Operation.run({
            name: "ScaResets.start",
            load: (read) => loadProfile(read, customerId),
            decide: decideResetStart(resetId, factor, regions),
          })
          const page = yield* provider.startReset(customerId, resetId, factor)
          const body: TwoFactorResetStart = { resetId, ...page, expiresAt: iso(started.body.expiresAt) }
          return { ...started, body }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Asks the provider for the state of a reset that is not completed. */
      const askState = Effect.fnUntraced(function* (sca: StoredSca, reset: ScaReset | undefined) {
        const isRefused = regionRefusal(sca, regions) !== undefined
        if (isRefused || reset === undefined || reset.completedAt !== undefined) return { providerState: undefined }
        return { providerState: yield* provider.resetState(sca.customer.id, reset.resetId) }
      })

      const get = Effect.fnUntraced(function* (customerId: string, resetId: string) {
        const sca = yield* loadSca(store.read, regions, customerId)
        const reset = resetOf(sca, resetId)
        if (reset === undefined) return yield* new ServiceError(notFound("reset"))
        return toResetStatus(sca, reset, yield* askState(sca, reset), yield* Clock.currentTimeMillis)
      }, platformOnly)

      const complete = Effect.fnUntraced(
        function* (customerId: string, resetId: string, mobile?: MobileNumber) {
          yield* Operation.run({
            name: "ScaResets.complete",
            load: (read) => loadProfile(read, customerId),
            ask: (sca) => askState(sca, resetOf(sca, resetId)),
            decide: decideResetCompletion(resetId, mobile, regions),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ScaResets.of({ start, get, complete })
    }),
  )
}
