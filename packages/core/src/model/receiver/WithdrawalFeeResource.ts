/**
 * The cost of a withdrawal on the wire, all in the smallest unit of the asset.
 * Source: wire contract 5.10; D-254.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { NonNegativeAmount, PositiveAmount } from "../../foundation/money/Amount.ts"
import { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"

/** Body of `POST /crypto/estimate-withdrawal-fee`. */
export const EstimateCryptoWithdrawalFeeRequest = Schema.Struct({
  internalAccountId: Id("InternalAccount"),
  currency: CurrencyCode,
  cryptoNetwork: CryptoNetwork,
  amount: PositiveAmount,
  destinationAddress: Text(512),
}).annotate({ identifier: "EstimateCryptoWithdrawalFeeRequest" })
export type EstimateCryptoWithdrawalFeeRequest = typeof EstimateCryptoWithdrawalFeeRequest.Type

/** Answer of `POST /crypto/estimate-withdrawal-fee`: an estimate, which is not binding. */
export const EstimateCryptoWithdrawalFeeResponse = Schema.Struct({
  networkFee: NonNegativeAmount,
  networkFeeAsset: CurrencyCode.pipe(Schema.annotateKey({ description: "In which the network's fee is paid." })),
  applicationFee: NonNegativeAmount,
  totalFee: NonNegativeAmount,
  netAmount: PositiveAmount.annotate({ description: "What arrives of `amount`." }),
}).annotate({ identifier: "EstimateCryptoWithdrawalFeeResponse" })
export type EstimateCryptoWithdrawalFeeResponse = typeof EstimateCryptoWithdrawalFeeResponse.Type
