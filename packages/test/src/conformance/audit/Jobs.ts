/**
 * The jobs that a history's sets are expected to have left, and the laws of their claims.
 * Source: D-518; ports/Store.ts (ClaimedJob, JobView).
 */
import { type ClaimedJob, isParkedJobDecision, type NewJob } from "@countersign/core/store"
import { equal, never } from "../Law.ts"
import type { AppliedSet } from "./Applied.ts"
import type { History, SentClaim } from "./History.ts"

/** What the suite compares of a job. */
interface AuditedJob extends Omit<NewJob, "laneHoldMillis" | "opensLane"> {
  readonly platformId: string
}

interface KeptJob {
  readonly job: AuditedJob
  readonly by: AppliedSet
  readonly end?: AppliedSet
  readonly payloads: ReadonlyArray<{ readonly attempt: number; readonly payload: NewJob["payload"] }>
}

const shown = ({ customerId, dueAt, id, kind, lane, payload, platformId, queue }: AuditedJob): AuditedJob => ({
  id,
  queue,
  kind,
  platformId,
  customerId,
  dueAt,
  payload,
  ...(lane === undefined ? {} : { lane }),
})

/** All jobs of the sets by id, with the set that ended each. */
const jobsIn = (applied: ReadonlyArray<AppliedSet>): ReadonlyMap<string, KeptJob> => {
  const all = new Map<string, KeptJob>()
  const twice: Array<string> = []
  for (const by of applied) {
    for (const job of by.set.jobs) {
      if (all.has(job.id)) twice.push(job.id)
      all.set(job.id, { job: shown({ ...job, platformId: by.caller.platformId }), by, payloads: [] })
    }
  }
  never("of two jobs with one id, one is a conflict", twice)
  for (const by of applied) {
    const dropped = by.set.returns.filter(({ outcome }) => outcome === "dropped")
    for (const { id } of [...by.set.finishes, ...dropped]) {
      const known = all.get(id)
      if (known?.end !== undefined) twice.push(id)
      if (known !== undefined) all.set(id, { ...known, end: by })
    }
    for (const change of by.set.returns) {
      const known = all.get(change.id)
      if (isParkedJobDecision(change) || change.payload === undefined || known === undefined) continue
      const payloads = [...known.payloads, { attempt: change.attempt, payload: change.payload }]
      all.set(change.id, { ...known, payloads })
    }
  }
  never("a job is finished or dropped once", twice)
  return all
}

/** The unfinished jobs of a platform by id. */
export const unfinishedIn = (applied: ReadonlyArray<AppliedSet>, platform: string): ReadonlyArray<AuditedJob> =>
  [...jobsIn(applied).values()]
    .filter(({ end, job }) => end === undefined && job.platformId === platform)
    .map(({ job, payloads }) => {
      const latest = payloads.toSorted((a, b) => b.attempt - a.attempt)[0]
      return latest === undefined ? job : { ...job, payload: latest.payload }
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** What the suite compares of the jobs that the store lists, by id. */
export const shownJobs = (jobs: ReadonlyArray<AuditedJob>): ReadonlyArray<AuditedJob> =>
  jobs.map(shown).toSorted((a, b) => (a.id < b.id ? -1 : 1))

type OneClaim = ClaimedJob & { readonly of: SentClaim }

/** Requires the claims of a history to be of jobs that existed, and each of the next attempt of its job. */
export const auditClaims = (history: History, applied: ReadonlyArray<AppliedSet>): void => {
  const kept = jobsIn(applied)
  const claims = history.claims.flatMap((of) => of.claimed.map((job): OneClaim => ({ ...job, of })))
  const unknown: Array<string> = []
  for (const [id, all] of Map.groupBy(claims, (claim) => claim.id)) {
    const attempts = all.map(({ attempt }) => attempt)
    equal(
      "each claim of a job is its next attempt, which no other worker has",
      [id, attempts.toSorted((a, b) => a - b)],
      [id, attempts.map((_, index) => index + 1)],
    )
    for (const claim of all) {
      const job = kept.get(id)
      if (job === undefined || (job.end !== undefined && job.end.end < claim.of.begin)) unknown.push(id)
      else if (job.payloads.length === 0) {
        equal("a claimed job is the one that was committed", shown(claim), job.job)
      }
      if (claim.dueAt > claim.of.request.businessNow || claim.queue !== claim.of.request.queue) unknown.push(id)
    }
  }
  never("only jobs of the queue are claimed that are due, committed and not finished", unknown)
  const fences = applied.flatMap((by) => [...by.set.finishes, ...by.set.returns].map((fence) => ({ by, fence })))
  const stale = fences.filter(({ by, fence }) =>
    claims.some(({ attempt, id, of }) => id === fence.id && attempt > fence.attempt && of.end < by.begin),
  )
  never(
    "a worker cannot finish or return a job that another one has claimed since",
    stale.map(({ fence }) => fence),
  )
}
