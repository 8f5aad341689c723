/**
 * The reconciliation of banks on the wire: an extension of the specification.
 * Source: D-535.
 */
import { Schema } from "effect"
import { CalendarDate, Timestamp } from "../../foundation/kit/Instant.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Bank = Schema.String.annotate({ description: "The name of the bank in the deployment." })
const Sum = Schema.String.check(Schema.isPattern(/^-?\d+$/u, { expected: "an integer" })).annotate({
  examples: ["125000"],
})

/** A bank may keep accounts in currencies that the service does not have. */
const currency = {
  currency: Schema.String.annotate({ examples: ["EUR"] }),
  decimals: Count.annotate({ description: "The decimals of the currency." }),
}

const ReconciledBank = Schema.Struct({
  name: Bank,
  account: Schema.String.annotate({ description: "The deployment's account at the bank, shortened." }),
}).annotate({ identifier: "ReconciledBank" })

const ReconciledDay = Schema.Struct({
  bank: Bank,
  day: CalendarDate,
  matched: Count.annotate({ description: "Statement lines that agree with their orders." }),
  unmatched: Count.annotate({
    description: "Statement lines that are not about orders. Only where the deployment has one platform.",
  }),
  suspicious: Count.annotate({ description: "Statement lines that need attention." }),
  orders: Count.annotate({ description: "Orders that were accepted on this day." }),
  open: Count.annotate({ description: "Those of them that are not due." }),
  suspiciousOrders: Count.annotate({ description: "Those of them that need attention." }),
}).annotate({ identifier: "ReconciledDay" })

const ReconciledTotal = Schema.Struct({
  bank: Bank,
  ...currency,
  direction: Schema.Literals(["IN", "OUT"]),
  statement: Schema.optionalKey(
    Sum.annotate({ description: "Moved by the statements. Absent: the bank sends only what failed." }),
  ),
  orders: Sum.annotate({ description: "Moved by orders that count as executed." }),
  ledger: Sum.annotate({ description: "Moved in the ledger." }),
  open: Sum.annotate({ description: "The sum of open orders, which are in none of the others." }),
  agrees: Schema.Boolean.annotate({ description: "Whether the sums are equal." }),
}).annotate({ identifier: "ReconciledTotal" })

const ReconciliationFinding = Schema.Struct({
  kind: Schema.Literals(["LINE", "ORDER", "TRANSACTION"]).annotate({
    description: "What it is about: a statement line, an order, or a transaction of the ledger without an order.",
  }),
  verdict: Schema.Literals(["SUSPICIOUS", "UNMATCHED", "OPEN"]),
  bank: Schema.optionalKey(Bank),
  day: CalendarDate,
  ...currency,
  amount: Schema.Int.annotate({ description: "In the smallest unit of the currency." }),
  direction: Schema.Literals(["IN", "OUT"]),
  problem: Schema.optionalKey(Schema.String.annotate({ examples: ["AMOUNT_DIFFERS"] })),
  meaning: Schema.optionalKey(Schema.String),
  transactionId: Schema.optionalKey(Schema.String),
  statementId: Schema.optionalKey(Schema.String),
}).annotate({ identifier: "ReconciliationFinding" })
/** A statement line, order or transaction that is suspicious, has no counterpart (`UNMATCHED`), or is not due (`OPEN`). */
export type ReconciliationFinding = typeof ReconciliationFinding.Type

/**
 * Answer of `GET /operator/books/reconciliation`: statements of banks compared with orders and the ledger. Sums are in the smallest
 * unit, as texts.
 */
export const ReconciliationResponse = Schema.Struct({
  asOf: Timestamp.annotate({ description: "Business time of the read." }),
  from: CalendarDate,
  to: CalendarDate,
  banks: Schema.Array(ReconciledBank).annotate({ description: "Empty: no bank is reconciled here." }),
  agrees: Schema.Boolean.annotate({
    description: "Whether nothing is suspicious. Unmatched lines and open orders are usual.",
  }),
  days: Schema.Array(ReconciledDay),
  totals: Schema.Array(ReconciledTotal),
  findings: Schema.Array(ReconciliationFinding).annotate({ description: "Suspicious ones first." }),
  findingsCount: Count.annotate({ description: "How many findings there are; the list has at most 500." }),
}).annotate({ identifier: "ReconciliationResponse" })
export type ReconciliationResponse = typeof ReconciliationResponse.Type
