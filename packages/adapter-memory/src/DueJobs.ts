/**
 * The jobs of a platform in the order in which they fall due.
 * Source: ports/Store.ts (dueJobs); D-455.
 */
import type { Caller } from "@countersign/core"
import { type DueJob, type DueJobs, type DueJobsPage, sees } from "@countersign/core/store"
import * as Jobs from "./Jobs.ts"
import * as SortedMap from "./SortedMap.ts"

/** Whether an earlier job of its lane is unfinished. */
const isBehind = (jobs: Jobs.Jobs, job: Jobs.Job): boolean => {
  const lane = job.lane === undefined ? undefined : SortedMap.get(jobs.lanes, Jobs.laneOf(job, job.lane))
  const head = lane === undefined ? undefined : SortedMap.first(lane.jobs)
  return head !== undefined && head[0] < job.sequence
}

const dueJob = (jobs: Jobs.Jobs, job: Jobs.Job, wallNow: number): DueJob => {
  const { attempt, customerId, dueAt, error, id, kind, lane, notBefore, platformId, queue } = job
  const state = Jobs.stateAt(job, wallNow) === "running" ? "running" : "waiting"
  return Object.freeze({
    id,
    queue,
    kind,
    platformId,
    customerId,
    dueAt,
    attempt,
    state,
    isBehind: isBehind(jobs, job),
    ...(lane === undefined ? {} : { lane }),
    ...(error === undefined ? {} : { error }),
    ...(state === "waiting" && notBefore > wallNow ? { retryAt: notBefore } : {}),
  })
}

/** A page of the tenant's jobs that are not parked, by due time and id. */
export const page = (jobs: Jobs.Jobs, caller: Caller, { after, limit }: DueJobsPage, wallNow: number): DueJobs => {
  const compare = (a: Pick<DueJob, "dueAt" | "id">, b: Pick<DueJob, "dueAt" | "id">): number =>
    a.dueAt - b.dueAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  const found = SortedMap.values(jobs.byId)
    .filter((job) => job.state !== "parked" && sees(caller, job) && (after === undefined || compare(job, after) > 0))
    .sort(compare)
  return {
    jobs: found.slice(0, limit).map((job) => dueJob(jobs, job, wallNow)),
    hasMore: found.length > limit,
  }
}
