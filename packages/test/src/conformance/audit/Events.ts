/**
 * The events that a history's sets are expected to have left, each with the number of its attempts.
 * Source: D-518; ports/Store.ts (StoredEvent, StoredAttempt).
 */
import { eventRetentionMillis, Page, Placeholders, type StoredEvent, sees } from "@countersign/core/store"
import { never } from "../Law.ts"
import type { AppliedSet } from "./Applied.ts"

interface AuditedEvent {
  readonly event: StoredEvent
  readonly attempts: number
}

/** The events of a platform, oldest first, without those whose retention has ended at this business time (ms). */
export const eventsIn = (
  applied: ReadonlyArray<AppliedSet>,
  platform: string,
  businessNow: number,
): ReadonlyArray<AuditedEvent> => {
  const own = applied.filter(({ caller }) => caller.platformId === platform)
  const events = own.flatMap(({ begin, caller: { platformId }, facts, set }) =>
    set.events.map((event) => {
      const stamps = { platformId, createdAt: set.at, facts: Placeholders.factsToStore(event.data, facts) }
      return { ...stamps, id: event.id, begin, event: { ...event, ...stamps } satisfies StoredEvent }
    }),
  )
  const kept = events.filter(({ createdAt }) => isKept(createdAt, businessNow))
  const twice = [...Map.groupBy(kept, ({ id }) => id)].filter(([, all]) => all.length > 1).map(([id]) => id)
  never("of two events with one id, one is a conflict", twice)
  const attempts = own.flatMap((by) => by.set.attempts.map((attempt) => ({ ...attempt, by })))
  return kept.toSorted(Page.compare("asc")).map(({ begin, event }) => {
    const of = attempts.filter(({ by, eventId }) => eventId === event.id && by.end > begin && sees(by.caller, event))
    return { event, attempts: of.length }
  })
}

/** Whether the retention of what was created at `createdAt` lasts. */
export const isKept = (createdAt: number, businessNow: number): boolean =>
  createdAt + eventRetentionMillis > businessNow
