/**
 * The trust of customers in their external accounts: a request is started, and a proof by strong authentication confirms it.
 * Source: wire contract areas 1.3; D-381.
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { accountNotFound } from "../../decision/account/ExternalAccountDecision.ts"
import {
  answeredRequest,
  confirmTrust,
  factorOf,
  startTrust,
  type TrustCall,
  type TrustConfirmAsked,
  type TrustLoaded,
  type TrustStartAsked,
  trustRefusal,
} from "../../decision/sca/BeneficiaryTrustDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { isAlready, type TrustPurpose } from "../../model/sca/BeneficiaryTrust.ts"
import type {
  BeneficiaryTrustConfirm,
  BeneficiaryTrustConfirmRequest,
  BeneficiaryTrustStart,
} from "../../model/sca/BeneficiaryTrustResource.ts"
import { hasFactor } from "../../model/sca/ScaFactorRules.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type ScaAnswer, ScaProvider } from "../../ports/ScaProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { readExternalAccount } from "../account/ExternalAccountReads.ts"
import { loadProfile } from "./ScaProfiles.ts"

type Reply<A> = Effect.Effect<Operation.Answered<A>, ServiceError | StoreUnavailable, CurrentCaller>

/** Errors: `REFERENCE_NOT_FOUND`, also for an account of the platform. */
const load = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, accountId: string) {
  const account = yield* readExternalAccount(read, accountId, "customers")
  const { customerId } = account
  if (customerId === null) return yield* new ServiceError(accountNotFound)
  const loaded: TrustLoaded = { account, sca: yield* loadProfile(read, customerId) }
  return loaded
})

const answerOf = (
  customerId: string,
  { factor, id }: { readonly factor: ScaAnswer["factor"]; readonly id: string },
  { code, origin, passkeyAssertion }: BeneficiaryTrustConfirmRequest,
): ScaAnswer => ({
  customerId,
  challengeId: id,
  factor,
  ...(typeof code === "string" ? { code: Redacted.make(code) } : {}),
  ...(passkeyAssertion === undefined || passkeyAssertion === null ? {} : { passkeyAssertion }),
  ...(typeof origin === "string" ? { origin } : {}),
})

export class BeneficiaryTrusts extends Context.Service<
  BeneficiaryTrusts,
  {
    /**
     * Starts a request, which replaces an open one. Errors: `REFERENCE_NOT_FOUND`, `CONFLICT`, `SCA_SESSION_REQUIRED`,
     * `ACCOUNT_LOCKED`.
     */
    readonly start: (accountId: string, purpose: TrustPurpose, keyed?: Operation.Keyed) => Reply<BeneficiaryTrustStart>
    /** Confirms the open request. Errors: those of `start`, and `INVALID_INPUT` for a wrong proof, which is counted. */
    readonly confirm: (
      accountId: string,
      purpose: TrustPurpose,
      request: BeneficiaryTrustConfirmRequest,
      keyed?: Operation.Keyed,
    ) => Reply<BeneficiaryTrustConfirm>
  }
>()("@countersign/core/BeneficiaryTrusts") {
  static readonly layer = Layer.effect(
    BeneficiaryTrusts,
    Effect.gen(function* () {
      const store = yield* Store
      const provider = yield* ScaProvider
      const regions = yield* ScaRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** Asks whether a challenge is required, and for the options of a passkey. A code is sent after the commit. */
      const askStart = Effect.fnUntraced(function* (loaded: TrustLoaded, call: TrustCall, challengeId: string) {
        const { account, sca } = loaded
        const now = yield* Clock.currentTimeMillis
        const unasked: TrustStartAsked = { requiresChallenge: true, passkeyChallenge: undefined }
        if (trustRefusal(loaded, call, now) !== undefined || isAlready(account.data, call.purpose)) return unasked
        const customerId = sca.customer.id
        const { accountInfo } = account.data
        const requiresChallenge =
          provider.challengesTrust === undefined || (yield* provider.challengesTrust({ customerId, accountInfo }))
        const factor = factorOf(sca)
        const isPasskey = requiresChallenge && factor === "PASSKEY" && hasFactor(sca, factor)
        const asked: TrustStartAsked = {
          requiresChallenge,
          passkeyChallenge: isPasskey ? yield* provider.challenge({ customerId, challengeId, factor }) : undefined,
        }
        return asked
      })

      /** Sends the code of a challenge that the operation has started. */
      const sendCode = Effect.fnUntraced(function* (accountId: string, { scaChallenge }: BeneficiaryTrustStart) {
        if (scaChallenge?.factor !== "SMS_OTP") return
        const { sca } = yield* load(store.read, accountId)
        const { phoneNumber } = sca.customer.data
        yield* provider.challenge({
          customerId: sca.customer.id,
          challengeId: scaChallenge.id,
          factor: scaChallenge.factor,
          ...(phoneNumber === undefined ? {} : { phoneNumber }),
        })
      })

      const start = Effect.fnUntraced(
        function* (accountId: string, purpose: TrustPurpose, keyed?: Operation.Keyed) {
          const challengeId = yield* IdPool.draw("ScaChallenge", accountId)
          const call: TrustCall = { purpose, regions }
          const started = yield* Operation.run({
            name: "BeneficiaryTrusts.start",
            keyed,
            load: (read) => load(read, accountId),
            ask: (loaded) => askStart(loaded, call, challengeId),
            decide: startTrust(challengeId, call),
          })
          if (!started.replayed) yield* sendCode(accountId, started.body)
          return started
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Asks the provider about the proof, if a challenge waits for one. */
      const askProof = Effect.fnUntraced(function* (
        loaded: TrustLoaded,
        call: TrustCall,
        request: BeneficiaryTrustConfirmRequest,
      ) {
        const answered = answeredRequest(loaded, call, request, yield* Clock.currentTimeMillis)
        const challenge = "code" in answered ? undefined : answered.open?.challenge
        const isRight =
          challenge !== undefined && (yield* provider.check(answerOf(loaded.sca.customer.id, challenge, request)))
        return { isRight } satisfies TrustConfirmAsked
      })

      const confirm = Effect.fnUntraced(
        function* (
          accountId: string,
          purpose: TrustPurpose,
          request: BeneficiaryTrustConfirmRequest,
          keyed?: Operation.Keyed,
        ) {
          const call: TrustCall = { purpose, regions }
          return yield* Operation.run({
            name: "BeneficiaryTrusts.confirm",
            keyed,
            load: (read) => load(read, accountId),
            ask: (loaded) => askProof(loaded, call, request),
            decide: confirmTrust(request, call),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return BeneficiaryTrusts.of({ start, confirm })
    }),
  )
}
