/**
 * Jobs as the database returns them: claimed jobs, and the operator's view.
 * Source: ports/Store.ts (ClaimedJob, JobView).
 */
import type { Caller } from "@countersign/core"
import type {
  ClaimedJob,
  ClaimRequest,
  DueJob,
  DueJobs,
  DueJobsPage,
  JobCountQuery,
  JobView,
  ParkedJobsPage,
} from "@countersign/core/store"
import type { Statement } from "../connection/Connection.ts"
import { functions } from "../functions/Functions.ts"
import { ownedByTenant, tenantOf } from "./Reading.ts"

type Row<Job> = Omit<Job, "payload" | "customerId"> & { readonly payload: string; readonly customerId?: string }

// Payloads travel as text, so that json_strip_nulls does not reach into them.
const decodeJob = <Job>({ customerId, payload, ...job }: Row<Job>) => ({
  ...job,
  customerId: customerId ?? null,
  payload: JSON.parse(payload),
})

/** `name`: of this claim alone. `session`: of this process; `null`: only the lease ends the claim. */
export const claimStatement = (request: ClaimRequest, name: string, session: number | null): Statement => ({
  name: "countersign_claim",
  text: `select ${functions.claimJobs}($1, $2, $3::int, $4::bigint, $5::bigint, $6::int, $7::boolean, $8::bigint, $9::text[],
    $10::int)`,
  values: [
    request.queue,
    name,
    session,
    request.businessNow,
    request.wallNow,
    request.limit,
    String(request.leavesReserve),
    request.leaseMillis,
    [...(request.runs?.kinds ?? [])],
    request.runs?.jobsMax ?? 1,
  ],
})

/**
 * Whether a claim may find a job: with the offset of business time, as `[found, ahead]`. It looks at more than a claim finds, and never at
 * less.
 */
export const claimableStatement = ({ businessNow, queue, wallNow }: ClaimRequest): Statement => ({
  name: "countersign_claimable",
  text: `select json_build_array(
    exists (select from countersign.job j where j.state <> 'parked' and j.due_at <= $2::bigint and j.queue = $1 and j.open
      and j.not_before <= $3::bigint)
    or exists (select from countersign.job j where j.queue = $1 and j.holds_until <= $3::bigint),
    coalesce((select t.ahead_millis from countersign.business_time t), 0))::text`,
  values: [queue, businessNow, wallNow],
})

/** Reads when the next job is due. */
export const nextDueStatement = (after: number): Statement => ({
  name: "countersign_next_due",
  text: "select min(j.due_at)::text from countersign.job j where j.state <> 'parked' and j.due_at > $1::bigint",
  values: [after],
})

/** Releases what these claims claimed. Their answers were lost, so no worker runs it. */
export const releaseClaimsStatement = (names: Iterable<string>): Statement => ({
  text: `select ${functions.releaseJobs}('{}', $1::text[], false)`,
  values: [[...names]],
})

/** Releases all running jobs: their workers ended with the process before. */
export const releaseAllStatement: Statement = {
  text: `select ${functions.releaseJobs}('{}', '{}', true)`,
  values: [],
}

/** What a claim returns: the jobs, and the offset of business time in milliseconds. */
interface ClaimAnswer {
  readonly ahead: number
  readonly jobs: ReadonlyArray<Row<ClaimedJob>>
}

export const decodeClaim = (answer: string | null | undefined) => {
  const { ahead, jobs } = JSON.parse(answer ?? '{"ahead":0,"jobs":[]}') as ClaimAnswer
  return { ahead, jobs: jobs.map((row): ClaimedJob => decodeJob<ClaimedJob>(row)) }
}

/** A job as the operator sees it; `$3` is wall time. */
const viewColumns = `json_strip_nulls(json_build_object('id', j.id, 'queue', j.queue, 'kind', j.kind, 'platformId', j.platform_id,
      'customerId', j.customer_id, 'lane', j.lane, 'laneHoldMillis', j.lane_hold_millis, 'dueAt', j.due_at, 'payload', j.payload::text,
      'attempt', j.attempt, 'error', j.error,
      'state', case when j.state = 'running' and j.not_before <= $3::bigint then 'waiting' else j.state end))::text`

export const viewStatement = (caller: Caller, wallNow: number): Statement => ({
  text: `select ${viewColumns} from countersign.job j where ${ownedByTenant("j")} order by j.sequence`,
  values: [...tenantOf(caller), wallNow],
})

/** One job more than the page has, to know whether there are more. */
export const parkedStatement = (caller: Caller, { after = "", id, limit }: ParkedJobsPage): Statement => ({
  text: `select ${viewColumns} from countersign.job j
    where ${ownedByTenant("j")} and j.state = 'parked' and j.id > $4 and ($6::text is null or j.id = $6) order by j.id limit $5::int`,
  values: [...tenantOf(caller), 0, after, limit + 1, id ?? null],
})

/**
 * One job more than the page has, to know whether there are more. The index of due times orders them; the payload, which may be
 * confidential, is not read. `$3` is wall time.
 */
export const dueStatement = (caller: Caller, { after, limit }: DueJobsPage, wallNow: number): Statement => ({
  text: `select json_strip_nulls(json_build_object('id', j.id, 'queue', j.queue, 'kind', j.kind, 'platformId', j.platform_id,
      'customerId', j.customer_id, 'lane', j.lane, 'dueAt', j.due_at, 'attempt', j.attempt, 'error', j.error,
      'state', case when j.state = 'running' and j.not_before > $3::bigint then 'running' else 'waiting' end,
      'retryAt', case when j.state = 'waiting' and j.not_before > $3::bigint then j.not_before end,
      'isBehind', j.lane is not null and exists (select from countersign.job b
        where b.platform_id = j.platform_id and b.queue = j.queue and b.lane = j.lane and b.sequence < j.sequence)))::text
    from countersign.job j
    where ${ownedByTenant("j")} and j.state <> 'parked' and (j.due_at, j.id) > ($4::bigint, $5)
    order by j.due_at, j.id limit $6::int`,
  values: [...tenantOf(caller), wallNow, after?.dueAt ?? -1, after?.id ?? "", limit + 1],
})

export const dueJobs = (rows: ReadonlyArray<string | null>, { limit }: DueJobsPage): DueJobs => {
  const found = rows.flatMap((row): ReadonlyArray<DueJob> => {
    if (row === null) return []
    const job = JSON.parse(row) as Omit<DueJob, "customerId"> & { readonly customerId?: string }
    return [{ ...job, customerId: job.customerId ?? null }]
  })
  return { jobs: found.slice(0, limit), hasMore: found.length > limit }
}

/** Stops at the maximum, so that a long queue costs no more than a short one. */
export const countStatement = (caller: Caller, { kinds, max }: JobCountQuery): Statement => ({
  text: `select count(*)::text from (
    select from countersign.job j where ${ownedByTenant("j")} and j.kind = any ($3::text[]) limit $4::int) counted`,
  values: [...tenantOf(caller), [...kinds], max],
})

export const jobViews = (rows: ReadonlyArray<string | null>): ReadonlyArray<JobView> =>
  rows.map((row): JobView => decodeJob<JobView>(JSON.parse(row ?? "{}") as Row<JobView>))
