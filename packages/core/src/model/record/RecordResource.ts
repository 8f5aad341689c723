/**
 * Records of every type on the wire, for the operator of a platform. Additions of this service.
 * Source: D-467.
 */
import { Schema } from "effect"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { Currency } from "../../foundation/money/Currencies.ts"

/** The types that an operator reads, each the prefix of its ids. */
export const RecordTypeName = Schema.Literals([
  "Customer",
  "InternalAccount",
  "ExternalAccount",
  "Agent",
  "AgentAction",
  "Quote",
  "Transaction",
  "Card",
  "CardTransaction",
  "AuthMethod",
  "Session",
  "DelegatedKey",
  "Verification",
  "BeneficialOwner",
  "Document",
  "Invitation",
  "StablecoinProviderAccount",
  "Stablecoin",
  "StablecoinOperation",
]).annotate({ identifier: "RecordType" })
export type RecordTypeName = typeof RecordTypeName.Type

const summary = {
  id: Schema.String,
  type: RecordTypeName,
  name: Schema.optionalKey(Schema.String.annotate({ description: "Absent: it has none, or is deleted." })),
  amount: Schema.optionalKey(Schema.Struct({ amount: Schema.Int, currency: Currency })),
  state: Schema.optionalKey(Schema.String.annotate({ description: "Absent: the type has no states." })),
  isDeleted: Schema.Boolean,
  customerId: Schema.optionalKey(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

/** What names a record, its state and its customer. `amount` is in the smallest unit of its currency. */
export const RecordSummary = Schema.Struct(summary).annotate({ identifier: "RecordSummary" })
export type RecordSummary = typeof RecordSummary.Type

/** A page of the records of one type, newest first, deleted ones included: the answer of `GET /operator/records`. */
export const RecordListResponse = PageOf(RecordSummary, "RecordListResponse")

/** How many records a search returns at most. */
export const foundRecordsMax = 20
/** Answer of `GET /operator/find`: the records that have the given id, name or reference. */
export const FoundRecords = Schema.Struct({
  data: Schema.Array(RecordSummary).annotate({ description: `At most ${foundRecordsMax}.` }),
}).annotate({ identifier: "FoundRecords" })
export type FoundRecords = typeof FoundRecords.Type

/** How many versions of a record are shown: the latest. */
export const shownVersionsMax = 50

/** Answer of `GET /operator/records/{recordId}`: the states, links and versions of a record. */
export const RecordDetail = Schema.Struct({
  ...summary,
  resourcePath: Schema.optionalKey(
    Schema.String.annotate({
      description: "Where the record itself is read, below the base address; in a list, its entry.",
    }),
  ),
  states: Schema.Array(
    Schema.Struct({
      field: Schema.String,
      state: Schema.String,
      machine: Schema.optionalKey(Schema.String.annotate({ description: "The state machine, if any." })),
    }),
  ),
  links: Schema.Array(Schema.Struct({ field: Schema.String, id: Schema.String })).annotate({
    description: "The records that it names.",
  }),
  related: Schema.Array(RecordTypeName).annotate({
    description: "The types that `relatedTo` this record lists.",
  }),
  versions: Schema.Array(
    Schema.Struct({
      version: Schema.Int,
      at: Timestamp,
      states: Schema.Record(Schema.String, Schema.String),
    }),
  ).annotate({
    description: `Oldest first; the latest ${shownVersionsMax}.`,
  }),
}).annotate({ identifier: "RecordDetail" })
export type RecordDetail = typeof RecordDetail.Type
