/**
 * The audit on the wire: an addition of this service.
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
  target: Schema.String.annotate({ description: "The id of the record that it was done to." }),
  customerId: Schema.optionalKey(
    Schema.String.annotate({ description: "The customer whom it concerns, where it is one." }),
  ),
  outcome: AuditOutcome.annotate({
    description: "`HELD`: it waits for an approval. `FAILED`: it was decided as wished, and then not possible.",
  }),
  requestId: Schema.optionalKey(Schema.String.annotate({ description: "The answer's `X-Request-Id`." })),
  details: AuditDetails.annotate({ description: "What was changed; which rule decided, with its numbers." }),
  createdAt: Timestamp,
}).annotate({ identifier: "AuditRecord" })
export type AuditRecordResource = typeof AuditRecordResource.Type

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
