/** What simulated banks have in common: the payments that they received, their fates, and the faults of a day. Source: D-530. */

/** A payment in a file that the bank collected. */
export interface SimulatedPayment {
  /** The end-to-end id, or the individual id of a NACHA entry. */
  readonly id: string
  readonly fileName: string
  readonly batchId: string
  readonly direction: "push" | "pull"
  readonly currency: string
  readonly amount: number
  /** The name of the other party. */
  readonly name: string
}

/** What the bank does with a payment. */
export type Fate =
  | { readonly _tag: "Book" }
  | { readonly _tag: "Reject"; readonly code: string }
  /** Executes it, and brings the money back after this number of days with files. */
  | { readonly _tag: "Return"; readonly code: string; readonly days: number }
  /** Executes it, and names what has to be different next time; NACHA only. */
  | { readonly _tag: "Correct"; readonly code: string; readonly data: string }

/** What goes wrong with the files of a day. */
export const faults = [
  /** A file arrives a second time under another name. */
  "duplicate",
  /** A file is incomplete until the next day. */
  "half",
  /** The statement is read before the status report. */
  "reordered",
  /** A statement does not add up. */
  "wrongTotals",
  /** Entries that are not about our orders. */
  "foreign",
] as const
/** A fault in the files of a day, of those in `faults`. */
export type Fault = (typeof faults)[number]

export interface OutgoingFile {
  readonly name: string
  readonly content: string
}
