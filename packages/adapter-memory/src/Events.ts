/**
 * Events with the facts of their commits and the attempts to deliver them, until their retention ends.
 * Source: ports/Store.ts (event, events, delivery); D-056, D-104, D-450.
 */
import type { Caller } from "@countersign/core"
import {
  type ChangeSet,
  type CommitFacts,
  type DeliveredEvent,
  deliveryAttemptsMax,
  type EventFilter,
  eventLane,
  eventRetentionMillis,
  Page,
  Placeholders,
  type StoredAttempt,
  type StoredEvent,
  sees,
} from "@countersign/core/store"
import { Result } from "effect"
import { deliveryOf } from "./DeliveryJobs.ts"
import { frozen } from "./Frozen.ts"
import * as Jobs from "./Jobs.ts"
import { type Applied, conflict } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

/** An event with the business time (ms) from which it may be deleted. */
export interface RetainedEvent {
  readonly event: StoredEvent
  /** Oldest first. */
  readonly attempts: ReadonlyArray<StoredAttempt>
  readonly expiresAt: number
}

type ListKey = readonly [platformId: string, createdAt: number, id: string]

export interface Events {
  readonly byId: SortedMap.SortedMap<string, RetainedEvent>
  readonly expiries: SortedMap.SortedMap<readonly [at: number, id: string], true>
  readonly listed: SortedMap.SortedMap<ListKey, true>
}

/** More than most commits add, so that the sweep keeps up, and few enough that no commit is slow. */
const sweptPerCommit = 8

export const empty: Events = {
  byId: SortedMap.empty(SortedMap.natural),
  expiries: SortedMap.empty(SortedMap.lexical<readonly [number, string]>),
  listed: SortedMap.empty(SortedMap.lexical<ListKey>),
}

export const find = (events: Events, id: string): StoredEvent | undefined => SortedMap.get(events.byId, id)?.event

const listKeyOf = ({ createdAt, id, platformId }: StoredEvent): ListKey => [platformId, createdAt, id]

export const add = ({ byId, expiries, listed }: Events, retained: RetainedEvent): Events => ({
  byId: SortedMap.set(byId, retained.event.id, retained),
  expiries: SortedMap.set(expiries, [retained.expiresAt, retained.event.id], true),
  listed: SortedMap.set(listed, listKeyOf(retained.event), true),
})

/** The event with its delivery, as the caller sees it. `isBrief`: with the latest attempt only. */
const delivered = ({ attempts, event }: RetainedEvent, jobs: Jobs.Jobs, wallNow: number, isBrief: boolean) => {
  const job = deliveryOf(jobs, event, wallNow)
  return { event, ...(job === undefined ? {} : { job }), attempts: isBrief ? attempts.slice(-1) : attempts }
}

/** The event with all its attempts that are kept. */
export const delivery = (
  events: Events,
  jobs: Jobs.Jobs,
  caller: Caller,
  id: string,
  wallNow: number,
): DeliveredEvent | undefined => {
  const retained = SortedMap.get(events.byId, id)
  return retained !== undefined && sees(caller, retained.event) ? delivered(retained, jobs, wallNow, false) : undefined
}

const matches = (
  event: StoredEvent,
  { customerId, from = Number.NEGATIVE_INFINITY, subject, to = Number.POSITIVE_INFINITY, type }: EventFilter,
): boolean =>
  (type === undefined || event.type === type) &&
  (subject === undefined || event.subject === subject) &&
  (customerId === undefined || event.customerId === customerId) &&
  event.createdAt >= from &&
  event.createdAt <= to

/** A page of the caller's events; `totalCount` counts all pages, up to `totalCountMax`. */
export const page = (
  events: Events,
  jobs: Jobs.Jobs,
  caller: Caller,
  filter: EventFilter,
  { after, limit, order }: Page.PageRequest,
  wallNow: number,
): Omit<Page.Page<DeliveredEvent>, "nextCursor"> => {
  const { platformId } = caller
  const end = order === "asc" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const found: Array<RetainedEvent> = []
  let count = 0
  let isPast = after === undefined
  SortedMap.walk(events.listed, { order, after: [platformId, end, ""] }, (_, [owner, , id]) => {
    const retained = owner === platformId ? SortedMap.get(events.byId, id) : undefined
    if (retained === undefined) return false
    const { event } = retained
    if (!sees(caller, event) || !matches(event, filter)) return true
    count += 1
    isPast ||= after !== undefined && Page.compare(order)(event, after) > 0
    if (isPast && found.length <= limit) found.push(retained)
    return count <= Page.totalCountMax || found.length <= limit
  })
  return {
    data: found.slice(0, limit).map((retained) => delivered(retained, jobs, wallNow, true)),
    hasMore: found.length > limit,
    ...Page.totalCountOf(count),
  }
}

/** Adds attempts to their events, as `NewDeliveryAttempt` says. */
export const attempt = (events: Events, { attempts }: ChangeSet, caller: Caller): Events => {
  let { byId } = events
  for (const { attempt: made, eventId } of attempts) {
    const retained = SortedMap.get(byId, eventId)
    if (retained === undefined || !sees(caller, retained.event)) continue
    const number = (retained.attempts.at(-1)?.number ?? 0) + 1
    const kept = [...retained.attempts, frozen({ ...made, number })].slice(-deliveryAttemptsMax)
    byId = SortedMap.set(byId, eventId, { ...retained, attempts: kept })
  }
  return byId === events.byId ? events : { ...events, byId }
}

/** Deletes a few expired events. An event whose delivery is not finished is retained for another period. */
export const sweep = (events: Events, jobs: Jobs.Jobs, businessNow: number): Events => {
  let next = events
  for (let i = 0; i < sweptPerCommit; i++) {
    const [expiry] = SortedMap.first(next.expiries) ?? []
    if (expiry === undefined || expiry[0] > businessNow) break
    const retained = SortedMap.get(next.byId, expiry[1])
    next = { ...next, byId: SortedMap.remove(next.byId, expiry[1]), expiries: SortedMap.remove(next.expiries, expiry) }
    if (retained === undefined) continue
    next = { ...next, listed: SortedMap.remove(next.listed, listKeyOf(retained.event)) }
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
    next = add(next, { event: stored, attempts: [], expiresAt: set.at + eventRetentionMillis })
  }
  return Result.succeed(next)
}
