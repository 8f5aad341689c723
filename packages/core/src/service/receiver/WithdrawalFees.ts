/**
 * Estimates the cost of withdrawing a crypto asset from an internal account. An estimate is not binding and changes nothing.
 * Source: wire contract 5.10; D-254.
 */
import { Context, Effect, Layer } from "effect"
import { estimateOf } from "../../decision/receiver/WithdrawalFeeDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type {
  EstimateCryptoWithdrawalFeeRequest,
  EstimateCryptoWithdrawalFeeResponse,
} from "../../model/receiver/WithdrawalFeeResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { NetworkFees } from "../../ports/NetworkFees.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

export class WithdrawalFees extends Context.Service<
  WithdrawalFees,
  {
    /** Errors: those of `WithdrawalFeeRules`. */
    readonly estimate: (
      request: EstimateCryptoWithdrawalFeeRequest,
    ) => Effect.Effect<EstimateCryptoWithdrawalFeeResponse, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/WithdrawalFees") {
  static readonly layer = Layer.effect(
    WithdrawalFees,
    Effect.gen(function* () {
      const store = yield* Store
      const fees = yield* NetworkFees

      const loadAccount = Effect.fnUntraced(function* (id: string) {
        const found = yield* store.read({ records: [{ kind: "InternalAccount", id }] })
        return found.record("InternalAccount", id)?.data
      })

      const askFee = (request: EstimateCryptoWithdrawalFeeRequest) => {
        const { amount, cryptoNetwork: network, currency, destinationAddress } = request
        return fees.estimate({ currency, network, amount, destinationAddress })
      }

      const estimate = Effect.fnUntraced(function* (request: EstimateCryptoWithdrawalFeeRequest) {
        const account = yield* loadAccount(request.internalAccountId)
        const fee = yield* askFee(request)
        const decided = estimateOf(request, account, fee)
        return "code" in decided ? yield* new ServiceError(decided) : decided
      })

      return WithdrawalFees.of({ estimate: (request) => platformOnly(estimate(request)) })
    }),
  )
}
