/**
 * The books of the whole deployment, as its operator sees them. No request has this sight: who asks needs `Operator`, which
 * only the command line provides, so that a handler that asked would not compile.
 * Source: issue "Books"; architecture, "The Store port" (Ledger, Caller); D-110.
 */
import { Context } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"

/**
 * Whoever runs the deployment, and has its database anyway.
 * @effect-leakable-service
 */
export class Operator extends Context.Service<Operator, { readonly _tag: "Operator" }>()(
  "@countersign/core/Operator",
) {}

/** All ledger accounts of one role in one currency. Sums are exact, and may pass what one balance may be. */
export interface TrialBalanceLine {
  /** What stands before the colon of their names. */
  readonly role: string
  readonly currency: CurrencyCode
  readonly accounts: number
  /** What ever left them. */
  readonly debit: bigint
  /** What ever entered them. */
  readonly credit: bigint
  readonly balance: bigint
  /** Accounts whose balance is not the sum of their entries. */
  readonly differing: number
}

/** One side of a posting, as its account saw it. */
export interface PostingSide {
  readonly account: string
  /** 1 for the account's first entry. */
  readonly sequence: number
  readonly balanceAfter: number
}

/** One balanced movement as it stands in the books. */
export interface Posting {
  readonly operationId: string
  /** Business time (ms) of the decision. */
  readonly at: number
  readonly amount: number
  readonly currency: CurrencyCode
  readonly from: PostingSide
  readonly to: PostingSide
}

/** The role of a ledger account. */
export const roleOf = (account: string): string => account.split(":", 1)[0] ?? account
