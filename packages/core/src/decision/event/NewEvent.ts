/**
 * An event and the job that delivers it, as parts of the change that the event reports.
 * Source: wire contract 6.1 and 6.2 (the events of one record are delivered in creation order).
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import { eventLane } from "../../model/event/Retention.ts"
import type { Template } from "../../store/ChangeSet.ts"
import type { Changes } from "../../store/Changes.ts"
import { type JobKind, job } from "../../store/JobKinds.ts"

/** Returns the event about `subject`, with its full record as `data`, and its delivery job. */
export const newEvent = (
  ids: IdSource,
  now: number,
  event: {
    readonly type: EventType
    readonly customerId: string | null
    readonly subject: string
    readonly data: Template
    /** The job that delivers the event; absent: the default delivery job. */
    readonly job?: JobKind
  },
): Changes => {
  const id = ids("Webhook", event.customerId)
  const { job: kind = event.type === "TEST" ? "webhook.test" : "webhook.deliver", ...fields } = event
  return {
    events: [{ id, ...fields }],
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
