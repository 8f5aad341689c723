/**
 * The factors by which a customer proves itself: listed, enrolled, removed.
 * Source: wire contract 5.12 and B; D-086.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { invalidInput, notFound, type ServiceError } from "../../foundation/errors/ServiceError.ts"
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
import { loadSca, write } from "./ScaProfiles.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const confirmationOf = (request: ScaFactorConfirmRequest): ScaConfirmation =>
  request.type === "TOTP"
    ? { type: "TOTP", secret: Redacted.make(request.secret), code: Redacted.make(request.code) }
    : request

export class ScaFactors extends Context.Service<
  ScaFactors,
  {
    /** Every operation here answers 409 `CONFLICT` where the customer's region does not require it. */
    readonly list: (customerId: string) => Result<{ readonly data: ReadonlyArray<ScaFactorView> }>
    readonly enroll: (customerId: string, type: EnrollableFactor) => Result<ScaFactorEnrollStart>
    /** The answer may hold recovery codes, shown this once. Errors: `INVALID_INPUT`, `PASSKEY_ALREADY_ENROLLED`, `CONFLICT`. */
    readonly confirm: (
      customerId: string,
      request: ScaFactorConfirmRequest,
    ) => Result<Operation.Answered<ScaFactorConfirmResponse>>
    readonly remove: (customerId: string, credentialId: string) => Result<void>
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
        const { customer, profile } = yield* loadSca(store.read, regions, customerId)
        const sms: ReadonlyArray<ScaFactorView> =
          customer.data.phoneNumber === undefined ? [] : [{ factor: "SMS_OTP", name: customer.data.phoneNumber }]
        return { data: [...sms, ...profile.factors] }
      }, platformOnly)

      const enroll = Effect.fnUntraced(function* (customerId: string, type: EnrollableFactor) {
        yield* loadSca(store.read, regions, customerId)
        return yield* provider.startEnrollment(customerId, type)
      }, platformOnly)

      const loadAndConfirm = Effect.fnUntraced(function* (
        read: Operation.Read,
        customerId: string,
        request: ScaFactorConfirmRequest,
      ) {
        const loaded = yield* loadSca(read, regions, customerId)
        return { loaded, enrollment: yield* provider.confirmEnrollment(customerId, confirmationOf(request)) }
      })

      const confirm = Effect.fnUntraced(
        function* (customerId: string, request: ScaFactorConfirmRequest) {
          const { type } = request
          return yield* Operation.run({
            name: "ScaFactors.confirm",
            load: (read) => loadAndConfirm(read, customerId, request),
            decide: ({ enrollment, loaded }): Operation.Decision<ScaFactorConfirmResponse> => {
              if (enrollment._tag === "Refused") {
                return Operation.refuse(
                  invalidInput([{ field: enrollment.field, message: "must be what was asked for" }]),
                )
              }
              const { credentialId, name, recoveryCodes } = enrollment
              const { factors } = loaded.profile
              if (factors.some((factor) => factor.credentialId === credentialId)) {
                return Operation.refuse({
                  code: type === "PASSKEY" ? "PASSKEY_ALREADY_ENROLLED" : "CONFLICT",
                  message: "This factor is enrolled already.",
                })
              }
              const factor = { factor: type, credentialId, ...(name === undefined ? {} : { name }) }
              return Operation.answer<ScaFactorConfirmResponse>(
                200,
                type === "TOTP" ? { type, recoveryCodes } : { type, factor },
                write(loaded, { ...loaded.profile, factors: [...factors, factor] }),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const remove = Effect.fnUntraced(
        function* (customerId: string, credentialId: string) {
          yield* Operation.run({
            name: "ScaFactors.remove",
            load: (read) => loadSca(read, regions, customerId),
            decide: (loaded) => {
              const { factors } = loaded.profile
              const left = factors.filter((factor) => factor.credentialId !== credentialId)
              return left.length === factors.length
                ? Operation.refuse(notFound("factor"))
                : Operation.answer(204, null, write(loaded, { ...loaded.profile, factors: left }))
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ScaFactors.of({ list, enroll, confirm, remove })
    }),
  )
}
