/**
 * What webhooks told of a record, and whether it came in order.
 * Source: wire contract 6.2 (at least once; one record's events in order, unless one of them does not get through).
 */

import type { Received } from "@countersign/test"
import * as JobKinds from "../../../packages/core/src/store/JobKinds.ts"
import type { Pay } from "./World.ts"

/** How long an event that does not get through holds back those after it (ms). */
const heldMillis = JobKinds.JobKinds.get("webhook.deliver").laneHoldMillis ?? 0

/** Whether it waited too long to hold others back. */
export const isLate = ({ sentAt, timestamp }: Received, since = Date.parse(timestamp)): boolean =>
  sentAt - since >= heldMillis

export const nameOf = ({ type }: Received): string => type.slice(type.indexOf(".") + 1)

export type Told = (id: string, family?: string) => ReadonlyArray<Received>

/** The events about each record, each once, in the order of their first arrival. */
export const toldBy = (pay: Pay): Told => {
  const first = new Map<string, Received>()
  for (const event of pay.webhooks.received) if (!first.has(event.id)) first.set(event.id, event)
  const byRecord = Map.groupBy(first.values(), ({ data }) => data["id"])
  return (id, family = "") => (byRecord.get(id) ?? []).filter(({ type }) => type.startsWith(family))
}

/** Whether the events came in this order, save those that waited too long to hold the others back. */
export const came = (events: ReadonlyArray<Received>, sequence: string): boolean => {
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

/** What is wrong with states that were told one by one: each follows on the one before, and the last is the present one. */
export const stateProblems = (
  id: string,
  {
    events,
    first,
    last,
    mayBecome,
  }: {
    /** In order of arrival, each with the state that it told. */
    readonly events: ReadonlyArray<readonly [event: Received, state: string]>
    readonly first: string
    readonly last: string
    readonly mayBecome: { readonly [from: string]: ReadonlyArray<string> }
  },
): ReadonlyArray<string> => {
  const states = events.map(([, state]) => state)
  const shown = `${id} is ${last} after: ${states.join(" ")}`
  // One that came late may have been overtaken: then it is only known which there were.
  if (events.some(([event]) => isLate(event))) return [first, ...states].includes(last) ? [] : [shown]
  const isFollowing = [first, ...states].every(
    (state, index, all) => index === 0 || mayBecome[all[index - 1] ?? ""]?.includes(state) === true,
  )
  return isFollowing && (states.at(-1) ?? first) === last ? [] : [shown]
}
