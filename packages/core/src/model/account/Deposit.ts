/**
 * A deposit: money that arrives by the funding instructions of an internal account, with what the rail tells about its originator.
 * Source: wire contract areas 2.8 and 2.13; D-398.
 */
import { Schema } from "effect"
import { atMost } from "../../foundation/kit/Lengths.ts"
import { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { PaymentRail } from "./AccountTypeRow.ts"
import type { AccountInfo } from "./ExternalAccount.ts"

/** Why a payment waits. */
export const PendingReason = Schema.Literals([
  "COUNTERPARTY_DECLARATION_REQUIRED",
  "WALLET_VERIFICATION_REQUIRED",
  "COUNTERPARTY_INFORMATION_REQUIRED",
  "COMPLIANCE_REVIEW",
]).annotate({ identifier: "TransactionPendingReason" })
export type PendingReason = typeof PendingReason.Type

const text = Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), atMost("text")))

/** The originator of a deposit and its payment, as far as the rail tells. */
export const DepositSource = Schema.Struct({
  accountHolderName: text,
  accountIdentifier: text,
  bankName: text,
  bankIdentifier: text,
  paymentRail: Schema.optionalKey(PaymentRail),
  remittanceInformation: text,
  endToEndId: text,
  traceNumber: text,
  cryptoNetwork: Schema.optionalKey(CryptoNetwork),
}).annotate({ identifier: "DepositSource" })
export type DepositSource = typeof DepositSource.Type

/** The deposit of an incoming transaction, as it is stored. */
export const Deposit = Schema.Struct({
  source: DepositSource,
  /** The rail's own identifier: a second report of the same deposit changes nothing. */
  depositId: Schema.optionalKey(Schema.String),
  /** The hash of its transaction on a chain. */
  transactionHash: Schema.optionalKey(Schema.String),
})
export type Deposit = typeof Deposit.Type

/** How long a held deposit waits before it is refused (ms). */
export const depositHoldMillis = 7 * 24 * 60 * 60 * 1000

const originatorType = "DEPOSIT_ORIGINATOR"

/** Returns the originator as account details, by which a rail is asked about the deposit and gives it back. */
export const originatorAccountInfo = (source: DepositSource): AccountInfo => ({
  accountType: originatorType,
  ...source,
})

/** Returns the originator's account of such details, or `undefined` for any other account type. */
export const originatorOf = ({ accountIdentifier, accountType }: AccountInfo): string | undefined => {
  if (accountType !== originatorType) return undefined
  return typeof accountIdentifier === "string" ? accountIdentifier : ""
}

/** Shows the last four characters of an account's number or address. */
export const masked = (accountIdentifier: string): string => `****${Array.from(accountIdentifier).slice(-4).join("")}`
