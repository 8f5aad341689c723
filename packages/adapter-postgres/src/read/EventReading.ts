/**
 * Events with their deliveries: pages of them with the latest attempt of each, and one with all attempts that are kept.
 * Source: ports/Store.ts (events, delivery); D-450, D-500.
 */
import type { Caller } from "@countersign/core"
import { EventTypes } from "@countersign/core/models"
import {
  type DeliveredEvent,
  type DeliveryJob,
  type EventFilter,
  eventLane,
  Page,
  type StoredAttempt,
  type StoredEvent,
} from "@countersign/core/store"
import { decodeFacts, type StoredSums } from "../commit/StoredSums.ts"
import type { Parameter, Statement } from "../connection/Connection.ts"
import { decodeTemplate, type StoredTemplate } from "../schema/StoredTemplate.ts"
import { type Bind, countOf, positions, type Selection } from "./OrderedList.ts"
import { ownedByTenant, tenantOf } from "./Reading.ts"

interface Row extends Omit<StoredEvent, "data" | "facts">, StoredSums {
  readonly data: StoredTemplate
  readonly job: (Omit<DeliveryJob, "error" | "firstClaimedAt"> & Nullable<DeliveryJob>) | null
  readonly attempts: ReadonlyArray<readonly [number: number, attempt: Omit<StoredAttempt, "number">]> | null
}

/** The members that an unclaimed job does not have. */
type Nullable<Job extends DeliveryJob> = {
  readonly [Name in "error" | "firstClaimedAt"]: Exclude<Job[Name], undefined> | null
}

/** `$3` is wall time. */
const jobJson = `(select json_build_object('id', j.id, 'attempt', j.attempt, 'notBefore', j.not_before, 'firstClaimedAt', j.first_claimed_at,
      'error', j.error, 'state', case when j.state = 'running' and j.not_before <= $3::bigint then 'waiting' else j.state end)
    from countersign.job j
    where j.platform_id = e.platform_id and j.queue = 'webhook' and j.lane = '${eventLane("")}' || e.subject and j.payload->>'eventId' = e.id
    order by j.sequence limit 1)`

const attemptsJson = (limit: string): string =>
  `(select json_agg(json_build_array(t.number, t.data) order by t.number) from (select a.number, a.data from countersign.event_attempt a
    where a.owner_id = e.owner_id and a.event_id = e.id order by a.number desc ${limit}) t)`

const eventJson = (attemptLimit: string): string =>
  `json_build_object('id', e.id, 'platformId', e.platform_id, 'customerId', e.customer_id, 'type', e.type, 'subject', e.subject,
    'data', e.data, 'createdAt', e.created_at, 'shown', e.shown, 'sums', e.sums, 'job', ${jobJson}, 'attempts', ${attemptsJson(attemptLimit)})`

/** Reads one event more than the page has, to know whether there are more. */
export const pageStatement = (
  filter: EventFilter,
  { limit, ...request }: Page.PageRequest,
  caller: Caller,
  wallNow: number,
): Statement => {
  // The first three are those of `ownedByTenant` and of the job's state.
  const values: Array<Parameter> = [...tenantOf(caller), wallNow]
  const bind: Bind = (value) => `$${values.push(value)}`
  const { customerId, from, subject, to, type } = filter
  const owner = caller._tag === "Agent" ? caller.customerId : customerId
  // The owner of a customer's event is the customer; the platform's id names no customer.
  const isNone =
    (caller._tag === "Agent" && customerId !== undefined && customerId !== owner) || owner === caller.platformId
  const selection: Selection = {
    from: "countersign.event c",
    choices: [
      ...(owner === undefined ? [] : [{ column: "c.owner_id", values: [owner] }]),
      ...(subject === undefined ? [] : [{ column: "c.subject", values: [subject] }]),
      ...(type !== undefined
        ? [{ column: "c.type", values: [type] }]
        : owner === undefined || subject !== undefined
          ? []
          : [{ column: "c.type", values: EventTypes.keys, isOpen: true }]),
    ],
    bounds: [
      ...(from === undefined ? [] : [`c.created_at >= ${bind(from)}::bigint`]),
      ...(to === undefined ? [] : [`c.created_at <= ${bind(to)}::bigint`]),
    ],
    conditions: [ownedByTenant("c"), ...(isNone ? ["false"] : [])],
    isSampled: true,
  }
  const page = positions(selection, { ...request, limit: limit + 1 }, bind)
  const text = `select json_build_object(
    'data', (select json_agg(${eventJson("limit 1")} order by e.created_at ${request.order}, e.id ${request.order}) from
      ${page} join countersign.event e on e.id = k.id),
    'count', ${countOf(selection, bind)})::text`
  return { text, values }
}

export const deliveryStatement = (id: string, caller: Caller, wallNow: number): Statement => ({
  text: `select ${eventJson("")}::text from countersign.event e where ${ownedByTenant("e")} and e.id = $4`,
  values: [...tenantOf(caller), wallNow, id],
})

const decode = ({ attempts, data, job, shown, sums, ...event }: Row): DeliveredEvent => {
  const { error, firstClaimedAt, ...present } = job ?? {}
  return {
    event: { ...event, data: decodeTemplate(data), facts: decodeFacts({ shown, sums }) },
    ...(job === null
      ? {}
      : {
          job: {
            ...(present as Omit<DeliveryJob, "error" | "firstClaimedAt">),
            ...(typeof firstClaimedAt === "number" ? { firstClaimedAt } : {}),
            ...(typeof error === "string" ? { error } : {}),
          },
        }),
    attempts: (attempts ?? []).map(([number, attempt]) => ({ ...attempt, number })),
  }
}

export const deliveryOf = (answer: string | null | undefined): DeliveredEvent | undefined =>
  answer === null || answer === undefined ? undefined : decode(JSON.parse(answer) as Row)

export const pageOf = (
  answer: string | null | undefined,
  limit: number,
): Omit<Page.Page<DeliveredEvent>, "nextCursor"> => {
  const { count, data } = JSON.parse(answer ?? '{"count":0}') as {
    readonly data?: ReadonlyArray<Row> | null
    readonly count: number
  }
  const found = (data ?? []).map(decode)
  return { data: found.slice(0, limit), hasMore: found.length > limit, ...Page.totalCountOf(count) }
}
