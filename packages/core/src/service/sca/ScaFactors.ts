/**
 * Lists, enrols and removes the factors of a customer.
 * Source: wire contract 5.12 and B; wire contract areas 2.2; D-086, D-380.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideEnrollment, decideRemoval } from "../../decision/sca/ScaFactorDecision.ts"
import type { StoredSca } from "../../decision/sca/ScaProfileChanges.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { factorViews, regionRefusal } from "../../model/sca/ScaFactorRules.ts"
import type {
  EnrollableFactor,
  ScaFactorConfirmRequest,
  ScaFactorConfirmResponse,
  ScaFactorEnrollStart,
  ScaFactorView,
} from "../../model/sca/ScaResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type ScaConfirmation, ScaProvider } from "../../ports/ScaProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadProfile, loadSca } from "./ScaProfiles.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const confirmationOf = (request: ScaFactorConfirmRequest): ScaConfirmation =>
  request.type === "TOTP"
    ? { type: "TOTP", secret: Redacted.make(request.secret), code: Redacted.make(request.code) }
    : request

export class ScaFactors extends Context.Service<
  ScaFactors,
  {
    /** Every operation answers 409 `CONFLICT` if the customer's region does not require strong authentication. */
    readonly list: (customerId: string) => Reply<{ readonly factors: ReadonlyArray<ScaFactorView> }>
    readonly enroll: (customerId: string, type: EnrollableFactor) => Reply<ScaFactorEnrollStart>
    /** The answer may contain recovery codes, shown only once. Errors: `INVALID_INPUT`, `PASSKEY_ALREADY_ENROLLED`, `CONFLICT`. */
    readonly confirm: (
      customerId: string,
      request: ScaFactorConfirmRequest,
    ) => Reply<Operation.Answered<ScaFactorConfirmResponse>>
    readonly remove: (customerId: string, credentialId: string) => Reply<void>
  }
>()("@countersign/core/ScaFactors") {
  static readonly layer = Layer.effect(
    ScaFactors,
    Effect.gen(function* () {
      const store = yield* Store
      const provider = yield* ScaProvider
      const regions = yield* ScaRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const list = Effect.fnUntraced(function* (customerId: string) {
        return { factors: factorViews(yield* loadSca(store.read, regions, customerId)) }
      }, platformOnly)

      const enroll = Effect.fnUntraced(function* (customerId: string, type: EnrollableFactor) {
        yield* loadSca(store.read, regions, customerId)
        return yield* provider.startEnrollment(customerId, type)
      }, platformOnly)

      const askEnrollment = Effect.fnUntraced(function* (sca: StoredSca, request: ScaFactorConfirmRequest) {
        if (regionRefusal(sca, regions) !== undefined) return { enrollment: undefined }
        return { enrollment: yield* provider.confirmEnrollment(sca.customer.id, confirmationOf(request)) }
      })

      const confirm = Effect.fnUntraced(
        function* (customerId: string, request: ScaFactorConfirmRequest) {
          return yield* Operation.run({
            name: "ScaFactors.confirm",
            load: (read) => loadProfile(read, customerId),
            ask: (sca) => askEnrollment(sca, request),
            decide: decideEnrollment(request.type, regions),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const remove = Effect.fnUntraced(
        function* (customerId: string, credentialId: string) {
          yield* Operation.run({
            name: "ScaFactors.remove",
            load: (read) => loadProfile(read, customerId),
            decide: decideRemoval(credentialId, regions),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ScaFactors.of({ list, enroll, confirm, remove })
    }),
  )
}
