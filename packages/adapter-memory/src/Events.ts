/**
 * Events with the facts of their commits, until they are forgotten.
 * Source: ports/Store.ts (event); D-056, D-104.
 */
import type { Caller } from "@countersign/core"
import {
  type ChangeSet,
  type CommitFacts,
  eventLane,
  eventRetentionMillis,
  Placeholders as Holes,
  type StoredEvent,
} from "@countersign/core/store"
import { Result } from "effect"
import { frozen } from "./Frozen.ts"
import * as Jobs from "./Jobs.ts"
import { type Applied, conflict } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

/** An event, and the business time (ms) from which it may be forgotten. */
export interface Kept {
  readonly event: StoredEvent
  readonly expiresAt: number
}

export interface Events {
  readonly byId: SortedMap.SortedMap<string, Kept>
  readonly expiries: SortedMap.SortedMap<readonly [at: number, id: string], true>
}

/** More than most commits add, so that forgetting keeps up and no commit pays for many. */
const forgottenPerCommit = 8

export const empty: Events = {
  byId: SortedMap.empty(SortedMap.natural),
  expiries: SortedMap.empty(SortedMap.lexical<readonly [number, string]>),
}

export const find = (events: Events, id: string): StoredEvent | undefined => SortedMap.get(events.byId, id)?.event

export const keep = ({ byId, expiries }: Events, kept: Kept): Events => ({
  byId: SortedMap.set(byId, kept.event.id, kept),
  expiries: SortedMap.set(expiries, [kept.expiresAt, kept.event.id], true),
})

/** Forgets a few events that are old enough; one whose delivery is not finished gets as much time again. */
export const forget = (events: Events, jobs: Jobs.Jobs, businessNow: number): Events => {
  let next = events
  for (let i = 0; i < forgottenPerCommit; i++) {
    const [expiry] = SortedMap.first(next.expiries) ?? []
    if (expiry === undefined || expiry[0] > businessNow) break
    const kept = SortedMap.get(next.byId, expiry[1])
    next = { byId: SortedMap.remove(next.byId, expiry[1]), expiries: SortedMap.remove(next.expiries, expiry) }
    if (kept === undefined) continue
    const { platformId, subject } = kept.event
    if (!Jobs.isInLane(jobs, { queue: "webhook", platformId }, eventLane(subject))) continue
    next = keep(next, { ...kept, expiresAt: businessNow + eventRetentionMillis })
  }
  return next
}

/** Adds the events of a change set; an id is used once. */
export const append = (events: Events, set: ChangeSet, { platformId }: Caller, facts: CommitFacts): Applied<Events> => {
  let next = events
  for (const event of set.events) {
    if (find(next, event.id) !== undefined) return conflict(`event ${event.id}`)
    const stored: StoredEvent = Object.freeze({
      ...frozen(event),
      platformId,
      createdAt: set.at,
      facts: Holes.factsToStore(event.data, facts),
    })
    next = keep(next, { event: stored, expiresAt: set.at + eventRetentionMillis })
  }
  return Result.succeed(next)
}
