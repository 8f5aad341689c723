/**
 * The wire form of events with their deliveries.
 * Source: D-450.
 */
import { iso } from "../../foundation/kit/Instant.ts"
import type { DeliveryAttemptResource, EventDetailResource, EventResource } from "../../model/event/EventResource.ts"
import type { DeliveredEvent, StoredAttempt } from "../../store/Store.ts"

const states = { waiting: "WAITING", running: "RUNNING", parked: "PARKED" } as const

const toAttempt = ({ at, failure, timestamp: _timestamp, ...attempt }: StoredAttempt): DeliveryAttemptResource => ({
  ...attempt,
  at: iso(at),
  isAcknowledged: failure === undefined,
  ...(failure === undefined ? {} : { reason: failure }),
})

const summaryOf = ({ event: { createdAt, customerId, id, subject, type }, job }: DeliveredEvent) => ({
  id,
  type,
  ...(customerId === null ? {} : { customerId }),
  subject,
  createdAt: iso(createdAt),
  delivery: job === undefined ? ("DONE" as const) : states[job.state],
  // An event that was never claimed is sent as soon as a worker is free.
  ...(job?.state === "waiting" && job.notBefore > 0 ? { nextAttemptAt: iso(job.notBefore) } : {}),
  ...(job?.error === undefined || job.state === "running" ? {} : { reason: job.error }),
})

/** The attempts have only the latest one, or none. */
export const toEvent = (delivered: DeliveredEvent): EventResource => {
  const last = delivered.attempts.at(-1)
  return { ...summaryOf(delivered), ...(last === undefined ? {} : { lastAttempt: toAttempt(last) }) }
}

export const toEventDetail = (delivered: DeliveredEvent, body: string): EventDetailResource => ({
  ...summaryOf(delivered),
  body,
  attempts: delivered.attempts.map(toAttempt),
})
