/**
 * The table of magic suffixes for quotes to an external account; any other suffix succeeds.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 7.4 and 11 (49); D-128.
 */
import * as Table from "../foundation/kit/Table.ts"
import type { RailRefusal } from "../model/transaction/RailRefusals.ts"
import type { RailOutcome } from "../ports/Rails.ts"

export interface QuoteBehaviour {
  /** What the rail says of the push, once it knows. */
  readonly outcome: RailOutcome
  /** How long (ms) it says that it is not known yet. */
  readonly delayMillis: number
  /** How long (ms) after the push the receiving bank sends the money back. */
  readonly returnsAfterMillis?: number
  /** What the rail says of the refund. */
  readonly refund: "comes" | "fails"
}

const second = 1000

/** What happens, at once and without a return unless `more` says so. */
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
