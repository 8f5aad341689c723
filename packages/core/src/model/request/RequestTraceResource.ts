/**
 * What a request decided and wrote, on the wire.
 * Source: D-465.
 */
import { Schema } from "effect"
import { Currency } from "../../foundation/money/Currencies.ts"

/** A rule that failed while a request was decided. */
export const RequestRule = Schema.Struct({
  operation: Schema.String.annotate({ description: "The operation of the service that decided." }),
  list: Schema.String.annotate({ description: "The rule list, as in the documentation of the rules." }),
  rule: Schema.String,
  position: Schema.Int.annotate({ description: "Its place in the list, from 1: the rules before it passed." }),
  rows: Schema.Int.annotate({ description: "How many rules the list has." }),
  isRefusal: Schema.Boolean.annotate({
    description:
      "Whether the answer is this rule's refusal; otherwise the decision went another way because the rule failed.",
  }),
  facts: Schema.Record(Schema.String, Schema.String).annotate({
    description: "What the rule saw, by path: numbers, truth values, ids and constants. Other texts are left out.",
  }),
}).annotate({ identifier: "RequestRule" })
export type RequestRule = typeof RequestRule.Type

/** What one commit of a request wrote. Amounts are in the smallest unit of their currency. */
export const RequestCommit = Schema.Struct({
  operation: Schema.String.annotate({ description: "The operation of the service that committed." }),
  records: Schema.Array(
    Schema.Struct({
      kind: Schema.String,
      id: Schema.String,
      change: Schema.Literals(["INSERTED", "UPDATED"]),
    }).annotate({ identifier: "RequestRecordChange" }),
  ),
  transfers: Schema.Array(
    Schema.Struct({
      from: Schema.String.annotate({ description: "A ledger account." }),
      to: Schema.String.annotate({ description: "A ledger account." }),
      amount: Schema.Int,
      currency: Currency,
      reference: Schema.String.annotate({ description: "The id of the transaction." }),
    }).annotate({ identifier: "RequestLedgerTransfer" }),
  ),
  events: Schema.Array(
    Schema.Struct({ id: Schema.String, type: Schema.String, subject: Schema.String }).annotate({
      identifier: "RequestEmittedEvent",
    }),
  ),
  jobs: Schema.Array(Schema.Struct({ id: Schema.String, kind: Schema.String }).annotate({ identifier: "RequestJob" })),
  omitted: Schema.Int.annotate({ description: "How many more the commit wrote." }),
}).annotate({ identifier: "RequestCommit" })
export type RequestCommit = typeof RequestCommit.Type
