/** What a comparison of statement lines with orders and the ledger finds. Source: D-530. */
import type { LedgerFact } from "@countersign/core/ports"
import type { BankLine } from "../orders/BankFile.ts"
import type { BankOrder } from "../orders/BankOrder.ts"

/** What is wrong with a line, in order of precedence. */
export const lineProblems = {
  AMBIGUOUS: "The ids of the line name different orders.",
  UNKNOWN_REFERENCE: "Money left the account, or came back, under a reference that no order has.",
  AMOUNT_DIFFERS: "The amount or currency is not that of the order, or not that of the file's orders.",
  DOUBLED: "An earlier line moved the money of the same order in the same direction.",
  CONTRADICTION: "The order has a state in which the bank should not have moved its money.",
} as const
export type LineProblem = keyof typeof lineProblems

/** What is wrong with an order. */
export const orderProblems = {
  MISSING: "No line has moved the order's money, although it is overdue.",
  NOT_RETURNED: "The order counts as returned, and no line has brought its money back.",
  LEDGER_MISSING: "The ledger has no transaction of the order.",
  LEDGER_AMOUNT: "The transaction has another amount or currency.",
  LEDGER_STATE: "The transaction counts as executed and the order does not, or the reverse.",
} as const
export type OrderProblem = keyof typeof orderProblems

/** What is compared: the lines, orders and ledger of a period. */
export interface ReconciliationInput {
  readonly lines: ReadonlyArray<BankLine>
  /** The orders of the period, and older ones that lines name. */
  readonly orders: ReadonlyArray<BankOrder>
  /** The beginning (ms) of the period. The lines of older orders may be outside of it. */
  readonly from: number
  /** Business time (ms). */
  readonly now: number
  /** How long an order may be without a line. */
  readonly missingAfterMillis: number
  /** Whether the bank's statements have a line for each order or batch. */
  readonly confirms: boolean
  /** Absent: the ledger is not compared. */
  readonly ledger?: ReadonlyArray<LedgerFact>
  /** How long the ledger may lag behind the state of an order, because its outcome is on its way. Absent: not at all. */
  readonly ledgerAfterMillis?: number
}

/** Every line and every order of the input, by the verdict on it. */
export interface Reconciliation {
  /** Lines that agree with their orders. */
  readonly matched: ReadonlyArray<{ readonly line: BankLine; readonly references: ReadonlyArray<string> }>
  /** Lines that are not about orders, such as payments of others and fees. */
  readonly unmatched: ReadonlyArray<BankLine>
  readonly suspicious: ReadonlyArray<{
    readonly line: BankLine
    readonly problem: LineProblem
    readonly reference?: string
  }>
  readonly orders: {
    /** Orders whose lines and ledger agree with their state. */
    readonly agreed: ReadonlyArray<string>
    /** Orders that are not due. */
    readonly open: ReadonlyArray<string>
    readonly suspicious: ReadonlyArray<{ readonly reference: string; readonly problem: OrderProblem | LineProblem }>
  }
}
