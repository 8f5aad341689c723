/** What the files of a bank are in the store: batches that went out, files that came in, and the lines of statements. Source: D-530. */
import type { RailRefusal } from "@countersign/core/ports"

/**
 * `BUILT`: its content is fixed. `STAGED`: the file with the name of this attempt is complete on the disk, and only its renaming puts it
 * into `out/`. `WRITTEN`: it was renamed.
 */
export type BatchState = "BUILT" | "STAGED" | "WRITTEN"

/** A file for the bank with its orders, from the cut-off on. */
export interface BankBatch {
  /** Also the id of the message. */
  readonly id: string
  readonly bank: string
  /** The instant (ms) of the cut-off that closed it. */
  readonly cutOff: number
  /** What separates files of one cut-off, such as `push.EUR`. */
  readonly kind: string
  /** From 1 on: a cut-off with many orders has several files. */
  readonly part: number
  readonly fileName: string
  readonly content: string
  readonly state: BatchState
  /** The number of the attempt whose file is renamed. */
  readonly attempt?: number
}

/** A file that was taken, by which another with the same content is recognized. */
export interface ReceivedFile {
  readonly bank: string
  /** SHA-256 of its bytes. */
  readonly digest: string
  readonly name: string
  readonly kind: string
  /** The id that the bank gave to the message. */
  readonly messageId: string
  /** Business time (ms). */
  readonly takenAt: number
}

/** An entry of a statement, or of a file of returns. */
export interface BankLine {
  /** The same for the same entry in whichever file it arrives. */
  readonly key: string
  readonly bank: string
  /** The file that brought it first. */
  readonly digest: string
  /** Whether it is an entry of the account, or a notice about an order whose entry is elsewhere. */
  readonly isMovement: boolean
  readonly statementId: string
  /** The day of the booking, such as `2026-01-31`. */
  readonly bookedOn: string
  readonly currency: string
  /** Smallest unit of the currency. */
  readonly amount: number
  readonly isCredit: boolean
  /** Whether the bank calls it a return or reversal. */
  readonly isReturn: boolean
  /** The ids by which an order may be found, the most certain one first. */
  readonly orderIds: ReadonlyArray<string>
  /** Set if the entry is the total of a file. */
  readonly batchId?: string
  readonly code?: string
  /** What a return is for the service; absent: the code is not about an order of ours. */
  readonly refusal?: RailRefusal
  readonly text?: string
}
