/**
 * Rules for estimating the cost of a withdrawal, in order of precedence.
 * Source: wire contract 5.10 and 11 (30); D-254.
 */

import { invalidInput, notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { AccountTypes } from "../account/AccountTypes.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import { networksOf, PaymentInstructionTypes } from "../account/PaymentInstructionTypes.ts"

import type { EstimateCryptoWithdrawalFeeRequest } from "./WithdrawalFeeResource.ts"

export interface WithdrawalFeeFacts {
  readonly request: EstimateCryptoWithdrawalFeeRequest
  readonly account: InternalAccount | undefined
  readonly fee: WithdrawalFee | undefined
}

/** The address format of a network; `undefined` when it is not known. */
const addressFormatOf = (network: string) => {
  const type = PaymentInstructionTypes.entries.find(([, row]) => row.networks.some((name) => name === network))
  return type && AccountTypes.find(type[0])?.fields["address"]?.format
}

export const WithdrawalFeeRules = Rules.make<WithdrawalFeeFacts, Refusal>("WithdrawalFee", [
  ["ACCOUNT_EXISTS", ({ account }) => (account === undefined ? notFound("internal account") : undefined)],
  [
    "SAME_CURRENCY",
    ({ account, request: { currency } }) =>
      account === undefined || account.currency === currency
        ? undefined
        : {
            code: "INVALID_CURRENCY",
            message: `The account holds ${account.currency}.`,
            details: { currency: account.currency },
          },
  ],
  [
    "NETWORK_OF_CURRENCY",
    ({ request: { cryptoNetwork, currency } }) => {
      const networks = networksOf(currency)
      const problem = { field: "cryptoNetwork", message: `must be a network of ${currency}` }
      return networks.includes(cryptoNetwork)
        ? undefined
        : invalidInput([{ ...problem, constraint: { enum: [...networks] } }])
    },
  ],
  [
    "ADDRESS_OF_NETWORK",
    ({ request: { cryptoNetwork, destinationAddress } }) => {
      const format = addressFormatOf(cryptoNetwork)
      return format?.pattern === undefined || format.pattern.test(destinationAddress)
        ? undefined
        : invalidInput([{ field: "destinationAddress", message: `must be ${format.expected}` }])
    },
  ],
  [
    "FEE_KNOWN",
    ({ fee }) =>
      fee === undefined
        ? {
            code: "NOT_IMPLEMENTED",
            message: "This deployment cannot tell the cost of withdrawals.",
            details: { reason: "NO_NETWORK_FEES" },
          }
        : undefined,
  ],
  [
    "AMOUNT_ABOVE_FEE",
    ({ fee, request: { amount } }) =>
      fee === undefined || fee.network + fee.application < amount
        ? undefined
        : {
            code: "AMOUNT_OUT_OF_RANGE",
            message: "The fees would leave nothing of the amount.",
            details: { totalFee: fee.network + fee.application },
          },
  ],
])

export interface WithdrawalFee {
  /** The network's fee. */
  readonly network: number
  /** The service's fee. */
  readonly application: number
}
