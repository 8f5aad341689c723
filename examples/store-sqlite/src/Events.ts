/** Events with the facts of their commits and the attempts to deliver them, until their retention ends. */
import type { Caller } from "@countersign/core"
import {
  type ChangeSet,
  type CommitFacts,
  type DeliveredEvent,
  type DeliveryJob,
  deliveryAttemptsMax,
  type EventFilter,
  eventLane,
  eventRetentionMillis,
  type Page,
  Placeholders,
  type StoredAttempt,
  type StoredEvent,
  sees,
} from "@countersign/core/store"
import type { Database } from "./Database.ts"
import { isInLane, type JobRow } from "./Jobs.ts"
import { pageOf } from "./Lists.ts"
import { conflict } from "./Refusal.ts"

interface EventRow extends Omit<StoredEvent, "data" | "facts"> {
  readonly data: string
  readonly facts: string
}

const columns = "id, platformId, customerId, type, subject, data, facts, createdAt"
const eventOf = (row: EventRow): StoredEvent => ({ ...row, data: JSON.parse(row.data), facts: JSON.parse(row.facts) })

export const find = (db: Database, caller: Caller, id: string): StoredEvent | undefined => {
  const row = db.get<EventRow>(`select ${columns} from event where id = $id`, { id })
  return row !== undefined && sees(caller, row) ? eventOf(row) : undefined
}

export const append = (db: Database, set: ChangeSet, { platformId }: Caller, facts: CommitFacts): void => {
  for (const { customerId, data, id, subject, type } of set.events) {
    if (db.get("select 1 as found from event where id = $id", { id }) !== undefined) conflict(`event ${id}`)
    const texts = { data: JSON.stringify(data), facts: JSON.stringify(Placeholders.factsToStore(data, facts)) }
    const times = { createdAt: set.at, expiresAt: set.at + eventRetentionMillis }
    db.insert("event", { id, platformId, customerId, type, subject, ...texts, ...times })
  }
}

/** Adds attempts and keeps the latest ones. An attempt of an event that does not exist for the caller is ignored. */
export const attempt = (db: Database, set: ChangeSet, caller: Caller): void => {
  for (const { attempt: made, eventId } of set.attempts) {
    if (find(db, caller, eventId) === undefined) continue
    db.run(
      `insert into deliveryAttempt select $eventId, coalesce(max(number), 0) + 1, $data from deliveryAttempt where eventId = $eventId`,
      { eventId, data: JSON.stringify(made) },
    )
    db.run(
      `delete from deliveryAttempt where eventId = $eventId and number <=
         (select max(number) from deliveryAttempt where eventId = $eventId) - $kept`,
      { eventId, kept: deliveryAttemptsMax },
    )
  }
}

/** Deletes a few expired events. One whose delivery is unfinished is kept for another period. */
export const sweep = (db: Database, businessNow: number): void => {
  const expired = db.all<EventRow>(
    `select ${columns} from event where expiresAt <= $businessNow order by expiresAt limit 8`,
    { businessNow },
  )
  for (const { id, platformId, subject } of expired) {
    if (isInLane(db, { queue: "webhook", platformId, lane: eventLane(subject) }))
      db.run("update event set expiresAt = $at where id = $id", { id, at: businessNow + eventRetentionMillis })
    else db.run("delete from event where id = $id", { id })
  }
}

/** The unfinished job that delivers an event. */
const jobOf = (
  db: Database,
  { id: eventId, platformId, subject }: StoredEvent,
  wallNow: number,
): DeliveryJob | undefined => {
  const row = db.get<JobRow>(
    `select * from job where queue = 'webhook' and platformId = $platformId and lane = $lane
       and payload ->> '$.eventId' = $eventId order by sequence limit 1`,
    { platformId, lane: eventLane(subject), eventId },
  )
  if (row === undefined) return undefined
  const { attempt, error, firstClaimedAt, id, notBefore, state } = row
  return {
    id,
    state: state === "running" && notBefore <= wallNow ? "waiting" : state,
    attempt,
    notBefore,
    ...(firstClaimedAt === null ? {} : { firstClaimedAt }),
    ...(error === null ? {} : { error }),
  }
}

const delivered = (db: Database, event: StoredEvent, wallNow: number, latest: number): DeliveredEvent => {
  const job = jobOf(db, event, wallNow)
  const attempts = db.all<{ readonly number: number; readonly data: string }>(
    "select number, data from deliveryAttempt where eventId = $id order by number desc limit $latest",
    { id: event.id, latest },
  )
  return {
    event,
    ...(job === undefined ? {} : { job }),
    attempts: attempts.map(({ data, number }): StoredAttempt => ({ ...JSON.parse(data), number })).reverse(),
  }
}

export const delivery = (db: Database, caller: Caller, id: string, wallNow: number): DeliveredEvent | undefined => {
  const event = find(db, caller, id)
  return event && delivered(db, event, wallNow, deliveryAttemptsMax)
}

export const page = (
  db: Database,
  caller: Caller,
  { customerId, from = Number.NEGATIVE_INFINITY, subject, to = Number.POSITIVE_INFINITY, type }: EventFilter,
  request: Page.PageRequest,
  wallNow: number,
): Omit<Page.Page<DeliveredEvent>, "nextCursor"> => {
  const own = caller._tag === "Agent" ? { owner: caller.customerId } : {}
  const { rows, ...found } = pageOf<EventRow>(db, {
    table: "event",
    columns,
    request,
    where: (bind) => {
      const equal = (column: string, value: string | undefined) =>
        value === undefined ? [] : [`${column} = ${bind(value)}`]
      return [
        `platformId = ${bind(caller.platformId)} and createdAt between ${bind(from)} and ${bind(to)}`,
        ...equal("customerId", own.owner),
        ...equal("customerId", customerId),
        ...equal("subject", subject),
        ...equal("type", type),
      ].join(" and ")
    },
  })
  return { ...found, data: rows.map((row) => delivered(db, eventOf(row), wallNow, 1)) }
}
