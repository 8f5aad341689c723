/**
 * Decides the estimate of a crypto withdrawal's cost.
 * Source: wire contract 5.10; D-254.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { InternalAccount } from "../../model/account/InternalAccount.ts"
import type {
  EstimateCryptoWithdrawalFeeRequest,
  EstimateCryptoWithdrawalFeeResponse,
} from "../../model/receiver/WithdrawalFeeResource.ts"
import { type WithdrawalFee, WithdrawalFeeRules } from "../../model/receiver/WithdrawalFeeRules.ts"

export const estimateOf = (
  request: EstimateCryptoWithdrawalFeeRequest,
  account: InternalAccount | undefined,
  fee: WithdrawalFee | undefined,
): EstimateCryptoWithdrawalFeeResponse | Refusal => {
  const refused = WithdrawalFeeRules.first({ request, account, fee })
  if (refused !== undefined) return refused.refusal
  const { application: applicationFee, network: networkFee } = fee ?? { application: 0, network: 0 }
  const totalFee = networkFee + applicationFee
  return {
    networkFee,
    networkFeeAsset: request.currency,
    applicationFee,
    totalFee,
    netAmount: request.amount - totalFee,
  }
}
