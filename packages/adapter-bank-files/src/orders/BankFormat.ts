/**
 * A format of bank files: writes the orders of a batch, and reads the files that a bank answers with. Both are pure; a file that is not
 * valid is a thrown `FileProblem`.
 * Source: D-530.
 */
import type { PushRequest, RailAccount, RailRefusal } from "@countersign/core/ports"
import type { BankLine } from "./BankFile.ts"
import type { BankOrder, Mandate, Party } from "./BankOrder.ts"
import type { OrderEvent } from "./OrderEvent.ts"

/** What the format makes of an account. */
export type PartyAnswer =
  | { readonly _tag: "Party"; readonly party: Party; readonly mandate?: Mandate }
  | { readonly _tag: "Refused"; readonly refusal: RailRefusal; readonly code: string }

export interface Payment {
  readonly account: RailAccount
  readonly direction: "push" | "pull"
  readonly amount: number
}

export interface BatchInput {
  readonly batchId: string
  /** Business time (ms). */
  readonly createdAt: number
  /** The same instant as the bank's clock shows it: `2026-01-31T15:30:00`. */
  readonly createdLocal: string
  /** The day of the cut-off, and the business day after it. */
  readonly date: string
  readonly nextDate: string
  readonly orders: ReadonlyArray<BankOrder>
  /** Numbers of the store, one for each order: none is used twice. */
  readonly numbers: ReadonlyArray<number>
}

export interface BuiltBatch {
  readonly content: string
  /** Of the orders, in their order, where the format has them. */
  readonly traceNumbers?: ReadonlyArray<string>
}

/** A statement about an order without a line of the account. */
export interface Notice {
  /** The ids by which the order may be found; absent: all orders of the batch. */
  readonly orderIds?: ReadonlyArray<string>
  readonly batchId?: string
  readonly event: OrderEvent
}

export interface ReadFile {
  readonly kind: string
  readonly messageId: string
  readonly notices: ReadonlyArray<Notice>
  /** Without what the store adds. */
  readonly lines: ReadonlyArray<Omit<BankLine, "bank" | "digest">>
}

export interface BankFormat {
  /** How files are called, such as `xml`. */
  readonly extension: string
  /** Whether the bank sends statements with an entry for each order or batch. If not, orders are executed by the passing of time. */
  readonly confirms: boolean
  /** The business days after the cut-off on which an order counts as executed, where the bank confirms nothing. */
  readonly settlementDays: { readonly push: number; readonly pull: number }
  /** Whether the bank carries such a payment at all. */
  readonly carries: (account: RailAccount, direction: "push" | "pull", rail?: PushRequest["rail"]) => boolean
  readonly partyOf: (payment: Payment) => PartyAnswer
  /** The text as the file carries it; `undefined`: it cannot. */
  readonly remittanceOf: (text: string) => string | undefined
  /** Orders with the same kind share a file. */
  readonly kindOf: (order: BankOrder) => string
  /** The greatest sum that the totals of a file hold. */
  readonly sumMax: number
  /** The id of a batch from a number of the store. */
  readonly batchIdOf: (number: number) => string
  readonly write: (input: BatchInput) => BuiltBatch
  readonly read: (bytes: Uint8Array) => ReadFile
}
