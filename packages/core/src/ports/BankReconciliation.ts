/**
 * Compares the statements of banks with the orders that were given to them and with the ledger. It only reads. A deployment without it
 * reconciles no bank here.
 * Source: D-535.
 */
import { Context, Effect } from "effect"
import type { PushRequest, RailAccount } from "./Rails.ts"

/** What the ledger has of an order. */
export interface LedgerFact {
  readonly reference: string
  readonly currency: string
  /** Smallest unit of the currency. */
  readonly amount: number
  /** Whether the money counts as moved; absent: the transaction is under way. */
  readonly isExecuted?: boolean
}

/** A transaction that the service has submitted to its rail. */
export interface SubmittedPayment {
  readonly reference: string
  readonly direction: "push" | "pull"
  readonly account: RailAccount
  readonly rail?: PushRequest["rail"]
  /** Smallest unit of the account's currency. */
  readonly amount: number
  /** Business time (ms). */
  readonly submittedAt: number
}

/** An order by its reference, and the platform for which it was given. */
export interface OwnedOrder {
  readonly reference: string
  readonly platformId: string
}

/** A line of a statement, compared with the orders. */
export interface ComparedLine {
  readonly statementId: string
  /** The day of the booking, such as `2026-01-31`. */
  readonly day: string
  readonly currency: string
  /** Smallest unit of the currency. */
  readonly amount: number
  readonly isCredit: boolean
  /** `UNMATCHED`: it is not about an order, such as a payment of others or a fee. */
  readonly verdict: "MATCHED" | "UNMATCHED" | "SUSPICIOUS"
  /** A key of `problems`. */
  readonly problem?: string
  /** The orders that it is about. */
  readonly orders: ReadonlyArray<OwnedOrder>
}

/** An order, compared with the lines and the ledger. */
export interface ComparedOrder extends OwnedOrder {
  readonly direction: "push" | "pull"
  readonly currency: string
  /** Smallest unit of the currency. */
  readonly amount: number
  /** The bank's day of its acceptance. */
  readonly day: string
  /** `OPEN`: it is not due. */
  readonly verdict: "AGREED" | "OPEN" | "SUSPICIOUS"
  /** A key of `problems`. */
  readonly problem?: string
  /** Whether the order counts as executed. */
  readonly isExecuted: boolean
  /** Whether the statements have moved its money; absent: the bank confirms nothing. */
  readonly isOnStatement?: boolean
  /** Whether the ledger has moved its money. */
  readonly isInLedger: boolean
}

/** The result for a bank and a period: every line of its statements, and every order. */
export interface BankComparison {
  readonly lines: ReadonlyArray<ComparedLine>
  readonly orders: ReadonlyArray<ComparedOrder>
}

/** The first and the last day of a period, as the bank's calendar has them. */
export interface BankPeriod {
  readonly from: string
  readonly to: string
}

/** The facts of the ledger about orders. Orders that the caller may not see have none. */
export type LedgerFacts = (orders: ReadonlyArray<OwnedOrder>) => Effect.Effect<ReadonlyArray<LedgerFact>>

export interface BankReconciliation {
  /** `account`: our account at the bank, as a person recognizes it. */
  readonly banks: ReadonlyArray<{ readonly name: string; readonly account: string }>
  /** What each problem means. */
  readonly problems: Readonly<Record<string, string>>
  /** Compares the lines and orders of a period. The bank is one of `banks`. */
  readonly compare: (bank: string, period: BankPeriod, factsOf: LedgerFacts) => Effect.Effect<BankComparison>
  /** The references of the payments that one of the banks should have an order of, and none has. */
  readonly withoutOrder: (payments: ReadonlyArray<SubmittedPayment>) => Effect.Effect<ReadonlyArray<string>>
}

const noBank = Effect.die(new RangeError("no bank is reconciled here"))

export const BankReconciliation = Context.Reference<BankReconciliation>("@countersign/core/BankReconciliation", {
  defaultValue: () => ({ banks: [], problems: {}, compare: () => noBank, withoutOrder: () => noBank }),
})
