/**
 * What it would cost to take a crypto asset out of an internal account. It promises nothing, and changes nothing.
 * Source: wire contract 5.10; D-254.
 */
import { Context, Effect, Layer } from "effect"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type {
  EstimateCryptoWithdrawalFeeRequest,
  EstimateCryptoWithdrawalFeeResponse,
} from "../../model/receiver/WithdrawalFeeResource.ts"
import { WithdrawalFeeRules } from "../../model/receiver/WithdrawalFeeRules.ts"
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

      const estimate = Effect.fnUntraced(function* (request: EstimateCryptoWithdrawalFeeRequest) {
        const { amount, cryptoNetwork: network, currency, destinationAddress, internalAccountId: id } = request
        const account = (yield* store.read({ records: [{ kind: "InternalAccount", id }] })).record(
          "InternalAccount",
          id,
        )
        const fee = yield* fees.estimate({ currency, network, amount, destinationAddress })
        const refused = WithdrawalFeeRules.first({ request, account: account?.data, fee })
        if (refused !== undefined) return yield* new ServiceError(refused.refusal)
        const { application: applicationFee, network: networkFee } = fee ?? { application: 0, network: 0 }
        const totalFee = networkFee + applicationFee
        return { networkFee, networkFeeAsset: currency, applicationFee, totalFee, netAmount: amount - totalFee }
      })

      return WithdrawalFees.of({ estimate: (request) => platformOnly(estimate(request)) })
    }),
  )
}
