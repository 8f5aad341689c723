/**
 * The table of magic suffixes for quotes to an external account; any other suffix succeeds.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 7.4 and 11 (49); D-128.
 */
import * as Table from "../foundation/kit/Table.ts"
import type { RailRefusal } from "../model/transaction/RailRefusals.ts"
import type { RailOutcome } from "../ports/Rails.ts"

/** What becomes of the payout of a quote, and of its refund. */
export interface QuoteBehaviour {
  /** The outcome of the push. */
  readonly outcome: RailOutcome
  /** Milliseconds until the outcome is known. */
  readonly delayMillis: number
  /** Milliseconds after the push until the receiving bank returns the money; absent: never. */
  readonly returnsAfterMillis?: number
  /** The outcome of the refund. */
  readonly refund: "comes" | "fails"
}

const second = 1000

/** Builds a behaviour: by default without delay and without a return. */
export const behaves = (outcome: RailOutcome, more: Partial<QuoteBehaviour> = {}): QuoteBehaviour => ({
  outcome,
  delayMillis: 0,
  refund: "comes",
  ...more,
})
export const refused = (reason: RailRefusal): RailOutcome => ({ _tag: "Refused", reason })

export const QuoteSuffixes = Table.make("QuoteSuffixes", {
  /** Execution failed. */
  "002": behaves(refused("EXECUTION_FAILED")),
  /** Completes after about six minutes. */
  "003": behaves({ _tag: "Done" }, { delayMillis: 360 * second }),
  /** Delivery by the counterparty failed. */
  "004": behaves(refused("COUNTERPARTY_FAILED")),
  /** Completes, and the receiving bank returns it. */
  "005": behaves({ _tag: "Done" }, { returnsAfterMillis: second }),
  /** Cancelled by the user. */
  "006": behaves({ _tag: "Cancelled" }),
  /** Payout and refund failed. */
  "007": behaves(refused("EXECUTION_FAILED"), { refund: "fails" }),
})
