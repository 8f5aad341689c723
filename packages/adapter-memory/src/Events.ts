/**
 * Events with the facts of their commits, until their retention ends.
 * Source: ports/Store.ts (event); D-056, D-104.
 */
import type { Caller } from "@countersign/core"
import {
  type ChangeSet,
  type CommitFacts,
  eventLane,
  eventRetentionMillis,
  Placeholders,
  type StoredEvent,
} from "@countersign/core/store"
import { Result } from "effect"
import { frozen } from "./Frozen.ts"
import * as Jobs from "./Jobs.ts"
import { type Applied, conflict } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

/** An event with the business time (ms) from which it may be deleted. */
export interface RetainedEvent {
  readonly event: StoredEvent
  readonly expiresAt: number
}

export interface Events {
  readonly byId: SortedMap.SortedMap<string, RetainedEvent>
  readonly expiries: SortedMap.SortedMap<readonly [at: number, id: string], true>
}

/** More than most commits add, so that the sweep keeps up, and few enough that no commit is slow. */
const sweptPerCommit = 8

export const empty: Events = {
  byId: SortedMap.empty(SortedMap.natural),
  expiries: SortedMap.empty(SortedMap.lexical<readonly [number, string]>),
}

export const find = (events: Events, id: string): StoredEvent | undefined => SortedMap.get(events.byId, id)?.event

export const add = ({ byId, expiries }: Events, retained: RetainedEvent): Events => ({
  byId: SortedMap.set(byId, retained.event.id, retained),
  expiries: SortedMap.set(expiries, [retained.expiresAt, retained.event.id], true),
})

/** Deletes a few expired events. An event whose delivery is not finished is retained for another period. */
export const sweep = (events: Events, jobs: Jobs.Jobs, businessNow: number): Events => {
  let next = events
  for (let i = 0; i < sweptPerCommit; i++) {
    const [expiry] = SortedMap.first(next.expiries) ?? []
    if (expiry === undefined || expiry[0] > businessNow) break
    const retained = SortedMap.get(next.byId, expiry[1])
    next = { byId: SortedMap.remove(next.byId, expiry[1]), expiries: SortedMap.remove(next.expiries, expiry) }
    if (retained === undefined) continue
    const { platformId, subject } = retained.event
    if (!Jobs.isInLane(jobs, { queue: "webhook", platformId }, eventLane(subject))) continue
    next = add(next, { ...retained, expiresAt: businessNow + eventRetentionMillis })
  }
  return next
}

/** Adds the events of a change set. An id that is in use is a conflict. */
export const append = (events: Events, set: ChangeSet, { platformId }: Caller, facts: CommitFacts): Applied<Events> => {
  let next = events
  for (const event of set.events) {
    if (find(next, event.id) !== undefined) return conflict(`event ${event.id}`)
    const stored: StoredEvent = Object.freeze({
      ...frozen(event),
      platformId,
      createdAt: set.at,
      facts: Placeholders.factsToStore(event.data, facts),
    })
    next = add(next, { event: stored, expiresAt: set.at + eventRetentionMillis })
  }
  return Result.succeed(next)
}
