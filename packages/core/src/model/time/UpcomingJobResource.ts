/**
 * The jobs of a platform by due time, on the wire: an extension of the specification. They have no payload, which may be confidential.
 * Source: D-455.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"

export const UpcomingJobResource = Schema.Struct({
  id: Id("Job"),
  kind: Schema.String.annotate({ description: "What the job does, such as `webhook.deliver`." }),
  customerId: Schema.optionalKey(Schema.String),
  subject: Schema.optionalKey(Schema.String.annotate({ description: "The id of the record that the job works on." })),
  dueAt: Timestamp.annotate({ description: "Business time from which it may run." }),
  isDue: Schema.Boolean.annotate({ description: "Whether that time has come." }),
  state: Schema.Literals(["WAITING", "RUNNING"]),
  attempts: Schema.Int.annotate({ description: "How often it was tried." }),
  isBehind: Schema.Boolean.annotate({
    description: "Whether it waits in a lane: an earlier job of the same record is unfinished and goes first.",
  }),
  retryAt: Schema.optionalKey(
    Timestamp.annotate({
      description: "Real time before which it is not tried again; business time does not shorten it.",
    }),
  ),
  error: Schema.optionalKey(Schema.String.annotate({ description: "Why the last attempt failed." })),
}).annotate({ identifier: "UpcomingJob" })
export type UpcomingJobResource = typeof UpcomingJobResource.Type

/** A page of the platform's unfinished jobs, by due time: the answer of `GET /operator/jobs`. */
export const UpcomingJobListResponse = Schema.Struct({
  now: Timestamp.annotate({ description: "Business time of the read." }),
  data: Schema.Array(UpcomingJobResource),
  hasMore: Schema.Boolean.annotate({ description: "Whether another page exists." }),
  nextCursor: Schema.optionalKey(Schema.String.annotate({ description: "Opaque; only when hasMore is true." })),
}).annotate({ identifier: "UpcomingJobListResponse" })
export type UpcomingJobListResponse = typeof UpcomingJobListResponse.Type
