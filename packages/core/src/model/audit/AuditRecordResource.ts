/**
 * The wire format of audit records, an addition of this service.
 * Source: D-111.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import type { RecordOf } from "../record/Record.ts"
import type { AuditRecord } from "./AuditRecord.ts"
import { AuditActor, AuditDetails, AuditOperation, AuditOutcome } from "./AuditRecord.ts"

export const AuditRecordResource = Schema.Struct({
  id: Id("AuditRecord"),
  actor: AuditActor,
  operation: AuditOperation,
  target: Schema.String.annotate({ description: "The id of the record that the operation changed." }),
  customerId: Schema.optionalKey(
    Schema.String.annotate({ description: "The customer that the operation concerns, if any." }),
  ),
  outcome: AuditOutcome.annotate({
    description: "`HELD`: waiting for an approval. `FAILED`: approved, but the execution was not possible.",
  }),
  requestId: Schema.optionalKey(Schema.String.annotate({ description: "The `X-Request-Id` of the response." })),
  details: AuditDetails.annotate({ description: "What was changed, and the rule that decided with its numbers." }),
  createdAt: Timestamp,
}).annotate({ identifier: "AuditRecord" })
export type AuditRecordResource = typeof AuditRecordResource.Type

/** A page of audit records, newest first: the answer of `GET /audit-records`. */
export const AuditRecordListResponse = PageOf(AuditRecordResource, "AuditRecordListResponse")

export const toAuditRecord = ({
  createdAt,
  customerId,
  data,
  id,
}: RecordOf<"AuditRecord", AuditRecord>): AuditRecordResource => ({
  id,
  ...data,
  ...(customerId === null ? {} : { customerId }),
  createdAt: iso(createdAt),
})
