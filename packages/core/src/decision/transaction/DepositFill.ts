/**
 * Fills in what the simulated sender of a deposit leaves out, as the rail of the account's first instruction would tell it.
 * Source: wire contract areas 2.13 (sandbox).
 */

import { Schema } from "effect"
import { PaymentRail } from "../../model/account/AccountTypeRow.ts"
import type { DepositSource } from "../../model/account/Deposit.ts"
import type { PaymentInstructions } from "../../model/account/PaymentInstruction.ts"
import { type InstructionRow, PaymentInstructionTypes } from "../../model/account/PaymentInstructionTypes.ts"

const isRail = Schema.is(PaymentRail)

const railOf = ([first]: ReadonlyArray<PaymentInstructions>) => {
  const info = first?.accountOrWalletInfo
  const row: InstructionRow | undefined = info && PaymentInstructionTypes.get(info.accountType)
  const shown = info !== undefined && "paymentRails" in info ? info.paymentRails[0] : undefined
  const rail = isRail(shown) ? shown : row?.rails[0]
  return { rail, network: row?.networks[0] }
}

/** `transactionId` makes the identifiers of the simulated payment unique. */
export const filledSource = (
  source: DepositSource,
  instructions: ReadonlyArray<PaymentInstructions>,
  transactionId: string,
): DepositSource => {
  const { network, rail } = railOf(instructions)
  const suffix = transactionId.replaceAll("-", "").slice(-12)
  if (network !== undefined)
    return { accountIdentifier: `sandbox-sender-${suffix}x`, cryptoNetwork: network, ...source }
  return {
    accountHolderName: "Sandbox Sender",
    accountIdentifier: "000123456789",
    bankName: "Example Bank",
    bankIdentifier: "021000021",
    ...(rail === undefined ? {} : { paymentRail: rail }),
    endToEndId: `E2E-${suffix}`,
    traceNumber: `0210000${String(Number.parseInt(suffix.slice(-7), 16)).padStart(9, "0")}`,
    ...source,
  }
}
