/**
 * An order for a bank: what `pull` and `push` accepted, and what the bank's files say about it.
 * Source: D-530.
 */
import type { RailRefusal } from "@countersign/core/ports"

/** The account of the other party, in the form that a file carries. */
export type PartyAccount =
  | { readonly _tag: "Iban"; readonly iban: string; readonly bic?: string }
  | {
      readonly _tag: "Routing"
      readonly routingNumber: string
      readonly accountNumber: string
      readonly isSavings: boolean
    }

export interface Party {
  /** As the file carries it: transliterated. */
  readonly name: string
  readonly isBusiness: boolean
  readonly account: PartyAccount
}

/** The debtor's authorization of direct debits. */
export interface Mandate {
  readonly id: string
  /** The day of the signature, such as `2026-01-31`. */
  readonly signedOn: string
}

/**
 * `ACCEPTED`: waits for its cut-off, and can be cancelled. `BATCHED`: is in a file, which the bank may have. `BOOKED`: executed. `RETURNED`:
 * executed, and the money came back. `REJECTED`: not executed, or returned before anybody could rely on it.
 */
export const orderStates = ["ACCEPTED", "BATCHED", "BOOKED", "REJECTED", "RETURNED", "CANCELLED"] as const
export type OrderState = (typeof orderStates)[number]

export interface BankOrder {
  /** Of the `Rails` port: the id of the transaction. */
  readonly reference: string
  /** The platform for which the order was given, and for which its outcome is reported. */
  readonly platformId: string
  readonly bank: string
  readonly direction: "push" | "pull"
  readonly currency: string
  /** Smallest unit of the currency. */
  readonly amount: number
  /** Absent: the order was refused before it had one. */
  readonly party?: Party
  readonly mandate?: Mandate
  /** As the file carries it. */
  readonly remittance?: string
  readonly endToEndId: string
  readonly individualId: string
  /** Of the entry in a NACHA file. */
  readonly traceNumber?: string
  readonly batchId?: string
  readonly state: OrderState
  /** Business time (ms). */
  readonly acceptedAt: number
  readonly changedAt: number
  /** Business time (ms) from which the order counts as executed unless it came back, where the bank confirms nothing. */
  readonly settlesAt?: number
  readonly refusal?: RailRefusal
  /** The bank's own reason code. */
  readonly code?: string
  /** A notification of change: the bank executed the order, and names what has to be different next time. */
  readonly correction?: { readonly code: string; readonly data: string }
  /** Whether the service knows the state. */
  readonly isReported: boolean
}
