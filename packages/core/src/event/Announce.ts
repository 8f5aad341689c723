/**
 * An event and its delivery, as parts of the change that they tell of.
 * Source: wire contract 6.1 and 6.2 (the events of one record are delivered in creation order).
 */
import type { IdSource } from "../ids/IdPool.ts"
import type { Changes } from "../operation/Changes.ts"
import { type JobKind, job } from "../operation/JobKinds.ts"
import type { Template } from "../ports/ChangeSet.ts"
import type { EventType } from "./EventTypes.ts"
import { eventLane } from "./Retention.ts"

/** The event about `subject` with its full record, and the job that delivers it. */
export const announce = (
  ids: IdSource,
  now: number,
  event: {
    readonly type: EventType
    readonly customerId: string | null
    readonly subject: string
    readonly data: Template
    /** Which job delivers it; absent: the one of all events. */
    readonly job?: JobKind
  },
): Changes => {
  const id = ids("Webhook")
  const { job: kind = event.type === "TEST" ? "webhook.test" : "webhook.deliver", ...told } = event
  return {
    events: [{ id, ...told }],
    jobs: [
      job(ids, kind, {
        customerId: event.customerId,
        dueAt: now,
        lane: eventLane(event.subject),
        payload: { eventId: id },
      }),
    ],
  }
}
