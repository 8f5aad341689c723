/**
 * The reset of a factor that a customer has lost: begun, looked at, completed once the provider has seen the person.
 * Source: wire contract 5.12 and B; D-086.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { conflict, hasFactor, notEnrolled, type ScaLoaded } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor, ScaReset, TwoFactorResetState } from "../../model/sca/ScaProfile.ts"
import type { TwoFactorResetStart, TwoFactorResetStatus } from "../../model/sca/ScaResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { ScaProvider } from "../../ports/ScaProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadSca, write } from "./ScaProfiles.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const dayMillis = 24 * 60 * 60 * 1000
const resetMillis = 60 * 60 * 1000
/** So many resets may be begun within a day. */
const resetsMax = 5

export class ScaResets extends Context.Service<
  ScaResets,
  {
    /** Errors: `CONFLICT` (not required here, or no such factor), `RATE_LIMITED`. */
    readonly start: (customerId: string, factor: ScaFactor) => Result<Operation.Answered<TwoFactorResetStart>>
    readonly get: (customerId: string, resetId: string) => Result<TwoFactorResetStatus>
    /** Takes the factor away, so that it can be enrolled anew. Errors: `CONFLICT` before the provider has passed it. */
    readonly complete: (customerId: string, resetId: string) => Result<void>
  }
>()("@countersign/core/ScaResets") {
  static readonly layer = Layer.effect(
    ScaResets,
    Effect.gen(function* () {
      const store = yield* Store
      const provider = yield* ScaProvider
      const regions = yield* ScaRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const begin = (customerId: string, resetId: string, factor: ScaFactor) =>
        Operation.run({
          name: "ScaResets.start",
          load: (read) => loadSca(read, regions, customerId),
          decide: (loaded, { now }) => {
            if (!hasFactor(loaded, factor)) return Operation.refuse(notEnrolled(factor))
            const recent = loaded.profile.resets.filter(({ startedAt }) => now - startedAt < dayMillis)
            const [oldest] = recent
            if (recent.length >= resetsMax && oldest !== undefined) {
              return Operation.refuse({
                code: "RATE_LIMITED",
                message: "Too many resets within a day.",
                details: { retryAfterSeconds: Math.ceil((oldest.startedAt + dayMillis - now) / 1000) },
              })
            }
            const reset: ScaReset = { resetId, factor, startedAt: now, expiresAt: now + resetMillis }
            return Operation.answer(201, reset, write(loaded, { ...loaded.profile, resets: [...recent, reset] }))
          },
        })

      const start = Effect.fnUntraced(
        function* (customerId: string, factor: ScaFactor) {
          const resetId = (yield* IdPool.make(1)).source()("ScaReset")
          const begun = yield* begin(customerId, resetId, factor)
          const page = yield* provider.startReset(customerId, resetId, factor)
          const body: TwoFactorResetStart = { resetId, ...page, expiresAt: iso(begun.body.expiresAt) }
          return { ...begun, body }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const load = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, customerId: string, resetId: string) {
        const loaded: ScaLoaded = yield* loadSca(read, regions, customerId)
        const reset = loaded.profile.resets.find((known) => known.resetId === resetId)
        if (reset === undefined) return yield* new ServiceError(notFound("reset"))
        const now = yield* Clock.currentTimeMillis
        const said: TwoFactorResetState =
          reset.completedAt === undefined ? yield* provider.resetState(customerId, resetId) : "COMPLETED"
        const isLate = reset.completedAt === undefined && now >= reset.expiresAt
        const status: TwoFactorResetState = isLate ? "EXPIRED" : said
        return { loaded, reset, status }
      })

      const get = Effect.fnUntraced(function* (customerId: string, resetId: string) {
        const { loaded, reset, status } = yield* load(store.read, customerId, resetId)
        const { completedAt, expiresAt, factor } = reset
        const isEnrolled = hasFactor(loaded, factor)
        const shown: TwoFactorResetStatus = {
          status,
          factor,
          ...(completedAt === undefined ? {} : { enrollmentStatus: isEnrolled ? "COMPLETED" : "PENDING" }),
          expiresAt: iso(expiresAt),
          ...(completedAt === undefined ? {} : { completedAt: iso(completedAt) }),
        }
        return shown
      }, platformOnly)

      const complete = Effect.fnUntraced(
        function* (customerId: string, resetId: string) {
          yield* Operation.run({
            name: "ScaResets.complete",
            load: (read) => load(read, customerId, resetId),
            decide: ({ loaded, reset, status }, { now }) => {
              if (status !== "LIVENESS_PASSED") {
                return Operation.refuse(conflict("RESET_NOT_PASSED", `The reset is ${status}, not LIVENESS_PASSED.`))
              }
              const { profile } = loaded
              return Operation.answer(
                204,
                null,
                write(loaded, {
                  ...profile,
                  factors: profile.factors.filter(({ factor }) => factor !== reset.factor),
                  resets: profile.resets.map((known) =>
                    known.resetId === resetId ? { ...known, completedAt: now } : known,
                  ),
                }),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ScaResets.of({ start, get, complete })
    }),
  )
}
