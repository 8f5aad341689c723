/**
 * Decides the transfer of the platform's earned fees from the books of a customer to the platform's own account.
 * Source: architecture, "The Store port" (Ledger); wire contract 5.3 (platform fees); D-124.
 */
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type DecisionContext, exceededExactRange } from "../Decision.ts"
import { balanceEvent, creditFrom, type ReceivableBalance } from "../ledger/PostingChanges.ts"

/** The ledger account of the fees, with its balance, and the account that they are swept to. */
export interface FeeSweepLoaded {
  readonly feesId: string
  readonly earned: { readonly balance: number; readonly sequence: number }
  /** Absent: the platform has no active account of the currency. */
  readonly account: Stored<"InternalAccount"> | undefined
  /** The platform's debt in the currency. */
  readonly owed: ReceivableBalance
}

/** Returns the sweep. Fees stay where they are if none are earned, no account takes them, or its balance would overflow. */
export const sweepFees = (
  { account, earned, feesId, owed }: FeeSweepLoaded,
  reference: string,
  { ids, now, rejections }: DecisionContext,
): Changes.Changes | undefined => {
  if (account === undefined || earned.balance <= 0 || exceededExactRange(rejections)) return undefined
  const movement = { account, amount: earned.balance, reference }
  return Changes.combine(balanceEvent(ids, now, account), creditFrom(movement, feesId, owed), {
    assertions: [{ account: feesId, sequence: earned.sequence }],
  })
}
