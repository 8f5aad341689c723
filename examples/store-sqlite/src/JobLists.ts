/** Unfinished jobs as an operator and a worker ask for them. */
import type { Caller } from "@countersign/core"
import type {
  DueJobs,
  DueJobsPage,
  JobCountQuery,
  JobView,
  ParkedJobs,
  ParkedJobsPage,
  Workload,
} from "@countersign/core/store"
import type { Database, Values } from "./Database.ts"
import type { JobRow } from "./Jobs.ts"

/** The condition for rows of the caller's tenant, with its parameters. */
const isOwn = "platformId = $platformId and ($customerId is null or customerId = $customerId)"
const tenantOf = (caller: Caller) => ({
  platformId: caller.platformId,
  customerId: caller._tag === "Agent" ? caller.customerId : null,
})

/** A running job whose lease has expired is as good as waiting. */
const viewOf = (row: JobRow, wallNow: number) => {
  const { attempt, customerId, dueAt, error, id, kind, lane, notBefore, platformId, queue } = row
  const isRunning = row.state === "running" && notBefore > wallNow
  return {
    ...{
      id,
      queue,
      kind,
      platformId,
      customerId,
      dueAt,
      attempt,
      state: isRunning ? ("running" as const) : ("waiting" as const),
    },
    ...(lane === null ? {} : { lane }),
    ...(error === null ? {} : { error }),
  }
}

const withPayload = (row: JobRow, wallNow: number): JobView => ({
  ...viewOf(row, wallNow),
  ...(row.state === "parked" ? { state: "parked" } : {}),
  ...(row.laneHoldMillis === null ? {} : { laneHoldMillis: row.laneHoldMillis }),
  payload: JSON.parse(row.payload),
})

const select = (db: Database, caller: Caller, tail: string, values: Values = {}): ReadonlyArray<JobRow> =>
  db.all<JobRow>(`select * from job j where ${isOwn} and ${tail}`, { ...tenantOf(caller), ...values })

export const all = (db: Database, caller: Caller, wallNow: number): ReadonlyArray<JobView> =>
  select(db, caller, "true order by sequence").map((row) => withPayload(row, wallNow))

export const count = (db: Database, caller: Caller, { kinds, max }: JobCountQuery): number => {
  const ofKind = "kind in (select value from json_each($kinds)) limit $max"
  return select(db, caller, ofKind, { kinds: JSON.stringify(kinds), max }).length
}

export const parked = (db: Database, caller: Caller, { after = "", id, limit }: ParkedJobsPage): ParkedJobs => {
  const tail = "state = 'parked' and id > $after and ($id is null or id = $id) order by id limit $limit"
  const rows = select(db, caller, tail, { after, id: id ?? null, limit: limit + 1 })
  return { jobs: rows.slice(0, limit).map((row) => withPayload(row, 0)), hasMore: rows.length > limit }
}

export const due = (db: Database, caller: Caller, { after, limit }: DueJobsPage, wallNow: number): DueJobs => {
  const rows = select(db, caller, "state <> 'parked' and (dueAt, id) > ($dueAt, $id) order by dueAt, id limit $limit", {
    dueAt: after?.dueAt ?? Number.NEGATIVE_INFINITY,
    id: after?.id ?? "",
    limit: limit + 1,
  })
  const isBehind = ({ lane, platformId, queue, sequence }: JobRow): boolean =>
    db.get(
      `select 1 as found from job where queue = $queue and platformId = $platformId and lane = $lane and sequence < $sequence limit 1`,
      { queue, platformId, lane, sequence },
    ) !== undefined
  const jobs = rows.slice(0, limit).map((row) => {
    const view = viewOf(row, wallNow)
    const isDelayed = view.state === "waiting" && row.notBefore > wallNow
    return { ...view, isBehind: isBehind(row), ...(isDelayed ? { retryAt: row.notBefore } : {}) }
  })
  return { jobs, hasMore: rows.length > limit }
}

export const nextDue = (db: Database, after: number): number | undefined =>
  db.get<{ readonly at: number | null }>(
    "select min(dueAt) as at from job where dueAt > $after and state <> 'parked'",
    { after },
  )?.at ?? undefined

export const workload = (db: Database, wallNow: number): Workload =>
  db.get<Workload>(
    `select (select count(*) from job where state = 'running' and notBefore > $wallNow) as running, claims from state`,
    { wallNow },
  ) ?? { running: 0, claims: 0 }
