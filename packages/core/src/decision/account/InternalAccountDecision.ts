/**
 * Decides the funding of an internal account in the sandbox: a deposit by its funding instructions.
 * Spec: 4.6 (fund); wire contract 7.2; wire contract areas 2.13; D-398.
 */

import type { Deposit } from "../../model/account/Deposit.ts"
import { type InternalAccountResource, toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import type { PaymentInstructions } from "../../model/account/PaymentInstruction.ts"
import { destinationActive } from "../../model/transaction/TransferRules.ts"
import type { DepositVerdict } from "../../ports/DepositScreening.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { depositOf, isBeyondRange } from "../transaction/DepositDecision.ts"

export interface FundingLoaded {
  readonly account: Stored<"InternalAccount">
  /** Absent: the platform owns the account. */
  readonly customer: Stored<"Customer"> | undefined
  /** The owner's debt in the account's currency. */
  readonly owed: { readonly balance: number; readonly sequence: number }
  /** The account's available and held balance. */
  readonly total: number
  readonly instructions: ReadonlyArray<PaymentInstructions>
  /** The transaction that the deposit becomes. */
  readonly transactionId: string
  readonly deposit: Deposit
  readonly verdict: DepositVerdict
}

/** Credits `amount`, in the smallest unit of the account's currency. */
export const fundInternalAccount =
  (amount: number) =>
  (loaded: FundingLoaded, context: DecisionContext): Decision<InternalAccountResource> => {
    const { account, customer, deposit, instructions, transactionId } = loaded
    const { currency } = account.data
    const inactive = destinationActive({ destination: account.data })
    if (inactive !== undefined) return refuse(inactive)
    if (isBeyondRange(loaded, amount, context)) {
      return refuse({
        code: "AMOUNT_OUT_OF_RANGE",
        message: "The amount would take the balance beyond what can be kept exactly.",
      })
    }
    return answer(
      200,
      toInternalAccount(account, { available: 0, held: 0 }, instructions),
      Changes.combine(
        depositOf(loaded, context, transactionId, amount, { deposit }).changes,
        Changes.guard(account, ...(customer === undefined ? [] : [customer])),
        auditRecord(context, "SANDBOX_FUND", account, { details: { amount, currency } }),
      ),
      Ledger.balancePlaceholders(account.id),
    )
  }
