/**
 * The unfinished jobs that deliver events.
 * Source: ports/Store.ts (DeliveryJob); D-450.
 */
import { type DeliveryJob, eventLane, type StoredEvent } from "@countersign/core/store"
import * as Jobs from "./Jobs.ts"
import * as SortedMap from "./SortedMap.ts"

/** The unfinished job that delivers an event: the first of its lane whose payload names it. */
export const deliveryOf = (jobs: Jobs.Jobs, event: StoredEvent, wallNow: number): DeliveryJob | undefined => {
  const { platformId, subject } = event
  const lane = SortedMap.get(jobs.lanes, Jobs.laneOf({ queue: "webhook", platformId }, eventLane(subject)))
  let found: Jobs.Job | undefined
  if (lane !== undefined) {
    SortedMap.walk(lane.jobs, { order: "asc" }, (id) => {
      const job = SortedMap.get(jobs.byId, id)
      const payload = job?.payload
      const isOfEvent = typeof payload === "object" && payload !== null && Reflect.get(payload, "eventId") === event.id
      found = isOfEvent ? job : undefined
      return found === undefined
    })
  }
  if (found === undefined) return undefined
  const { attempt, error, firstClaimedAt, id, notBefore, state } = found
  const isRunning = state === "running" && notBefore > wallNow
  return {
    id,
    attempt,
    notBefore,
    ...(firstClaimedAt === undefined ? {} : { firstClaimedAt }),
    ...(error === undefined ? {} : { error }),
    state: isRunning ? "running" : state === "parked" ? "parked" : "waiting",
  }
}
