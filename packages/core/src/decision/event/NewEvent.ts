/**
 * An event and its delivery, as parts of the change that they tell of.
 * Source: wire contract 6.1 and 6.2 (the events of one record are delivered in creation order).
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import { eventLane } from "../../model/event/Retention.ts"
import type { Template } from "../../store/ChangeSet.ts"
import type { Changes } from "../../store/Changes.ts"
import { type JobKind, job } from "../../store/JobKinds.ts"

/** The event about `subject` with its full record, and the job that delivers it. */
export const newEvent = (
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
