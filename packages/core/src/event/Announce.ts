/**
 * An event and its delivery, as parts of the change that they tell of.
 * Source: wire contract 6.1 and 6.2 (the events of one record are delivered in creation order).
 */
import type { IdSource } from "../ids/IdPool.ts"
import type { Changes } from "../operation/Changes.ts"
import { job } from "../operation/JobKinds.ts"
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
  },
): Changes => {
  const id = ids("Webhook")
  return {
    events: [{ id, ...event }],
    jobs: [
      job(ids, event.type === "TEST" ? "webhook.test" : "webhook.deliver", {
        customerId: event.customerId,
        dueAt: now,
        lane: eventLane(event.subject),
        payload: { eventId: id },
      }),
    ],
  }
}
