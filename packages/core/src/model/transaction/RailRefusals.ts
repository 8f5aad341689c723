/**
 * The table of rail refusals: the failure reason of a pull, of a quote whose money is pulled and of a push, and the reason of the push's refund.
 * Source: wire contract 7.3 and 11 (50); wire contract areas 3.3.
 */
import * as Table from "../../foundation/kit/Table.ts"

import type { IncomingFailureReason, OutgoingFailureReason, RefundReason } from "./Transaction.ts"

interface RefusalRow {
  readonly pull: IncomingFailureReason
  readonly quotePull: OutgoingFailureReason
  readonly push: OutgoingFailureReason
  readonly refund: RefundReason
}

const refusal = (push: OutgoingFailureReason, refund: RefundReason = "TRANSACTION_FAILED"): RefusalRow => ({
  pull: "COLLECTION_FAILED",
  quotePull: push === "COMPLIANCE_REJECTED" ? push : "QUOTE_EXECUTION_FAILED",
  push,
  refund,
})

export const RailRefusals = Table.make("RailRefusals", {
  INSUFFICIENT_FUNDS: refusal("QUOTE_EXECUTION_FAILED"),
  ACCOUNT_INVALID: refusal("ACCOUNT_INVALID"),
  BANK_REJECTED: refusal("ACCOUNT_CANNOT_RECEIVE"),
  TIMED_OUT: refusal("QUOTE_EXECUTION_FAILED", "TIMEOUT"),
  EXECUTION_FAILED: refusal("QUOTE_EXECUTION_FAILED"),
  COUNTERPARTY_FAILED: refusal("COUNTERPARTY_POST_TX_FAILED"),
  COMPLIANCE_REJECTED: refusal("COMPLIANCE_REJECTED"),
})

/** A reason for which a rail refuses. */
export type RailRefusal = (typeof RailRefusals.keys)[number]
