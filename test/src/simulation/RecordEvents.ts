/**
 * The events of a record, and whether they arrived in order.
 * Source: wire contract 6.2 (at least once; one record's events in order, unless one of them does not get through).
 */

import type { Received } from "@countersign/test"
import * as JobKinds from "../../../packages/core/src/store/JobKinds.ts"
import type { Answers } from "./Answers.ts"
import type { Pay } from "./World.ts"

/** How long a failing event delays those after it (ms). */
const laneHoldMillis = JobKinds.JobKinds.get("webhook.deliver").laneHoldMillis ?? 0

/** Whether it was delayed longer than it may delay others. */
export const isLate = ({ sentAt, timestamp }: Received, since = Date.parse(timestamp)): boolean =>
  sentAt - since >= laneHoldMillis

export const nameOf = ({ type }: Received): string => type.slice(type.indexOf(".") + 1)

export type EventsOf = (id: string, family?: string) => ReadonlyArray<Received>

/** An event that was sent again after its endpoint had been out of service has no place in the order: it counts as late. */
const withoutOrder = (event: Received): Received => ({
  ...event,
  timestamp: new Date(0).toISOString(),
  sentAt: Number.POSITIVE_INFINITY,
})

/**
 * The events of each record without repetitions, in the order of their first arrival. `known`: those that were delivered before the run; a
 * client may have had them sent again.
 */
export const eventsByRecord = (pay: Pay, { endpoint: { unsent } }: Answers, known: ReadonlySet<string>): EventsOf => {
  const first = new Map<string, Received>()
  for (const event of pay.webhooks.received)
    if (!first.has(event.id) && !known.has(event.id))
      first.set(event.id, unsent.has(event.id) ? withoutOrder(event) : event)
  const byRecord = Map.groupBy(first.values(), ({ data }) => data["id"])
  return (id, family = "") => (byRecord.get(id) ?? []).filter(({ type }) => type.startsWith(family))
}

/** Whether the events arrived in this order; those that were delayed too long may be overtaken. */
export const arrivedInOrder = (events: ReadonlyArray<Received>, sequence: string): boolean => {
  const names = sequence.split(" ")
  if (names.toSorted().join() !== events.map(nameOf).toSorted().join()) return false
  return events.every((event, index) =>
    events
      .slice(index + 1)
      .every(
        (later) =>
          names.indexOf(nameOf(event)) < names.indexOf(nameOf(later)) || isLate(event, Date.parse(later.timestamp)),
      ),
  )
}

/** The problems of a sequence of reported states: each must follow from the one before, and the last must be the present one. */
export const stateProblems = (
  id: string,
  {
    events,
    first,
    last,
    mayBecome,
  }: {
    /** In order of arrival, each with the state that it reports. */
    readonly events: ReadonlyArray<readonly [event: Received, state: string]>
    readonly first: string
    readonly last: string
    readonly mayBecome: { readonly [from: string]: ReadonlyArray<string> }
  },
): ReadonlyArray<string> => {
  const states = events.map(([, state]) => state)
  const shown = `${id} is ${last} after: ${states.join(" ")}`
  // A late event may have been overtaken: then only the set of states is known.
  if (events.some(([event]) => isLate(event))) return [first, ...states].includes(last) ? [] : [shown]
  const isFollowing = [first, ...states].every(
    (state, index, all) => index === 0 || mayBecome[all[index - 1] ?? ""]?.includes(state) === true,
  )
  return isFollowing && (states.at(-1) ?? first) === last ? [] : [shown]
}
