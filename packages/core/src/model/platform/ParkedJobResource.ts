/**
 * Parked jobs on the wire: work that was given up after too many failures and waits for an operator.
 * Source: D-354.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"

export const ParkedJobResource = Schema.Struct({
  id: Id("Job"),
  kind: Schema.String.annotate({ description: "What the job does, such as `webhook.deliver`." }),
  customerId: Schema.optionalKey(Schema.String),
  subject: Schema.optionalKey(Schema.String.annotate({ description: "The id of the record that the job works on." })),
  attempts: Schema.Int.annotate({ description: "How often it was tried." }),
  error: Schema.optionalKey(Schema.String.annotate({ description: "Why the last attempt failed." })),
  dueAt: Timestamp.annotate({ description: "When it first became due." }),
  isDroppable: Schema.Boolean.annotate({ description: "Whether it can be dropped: no money waits for it." }),
}).annotate({ identifier: "ParkedJob" })
export type ParkedJobResource = typeof ParkedJobResource.Type

/** A page of parked jobs, oldest first: the answer of `GET /jobs/parked`. */
export const ParkedJobListResponse = Schema.Struct({
  data: Schema.Array(ParkedJobResource),
  hasMore: Schema.Boolean.annotate({ description: "Whether another page exists." }),
  nextCursor: Schema.optionalKey(Schema.String.annotate({ description: "Opaque; only when hasMore is true." })),
}).annotate({ identifier: "ParkedJobListResponse" })
export type ParkedJobListResponse = typeof ParkedJobListResponse.Type
