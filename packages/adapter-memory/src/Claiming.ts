/**
 * Claims due jobs: the job that was due first comes first, of each lane the head and its run, in turns between platforms.
 * Source: architecture, "The Store port" (claim); ports/Store.ts (ClaimRequest).
 */
import { type ClaimedJob, type ClaimRequest, reserveFor } from "@countersign/core/store"
import * as Jobs from "./Jobs.ts"
import * as SortedMap from "./SortedMap.ts"

/** Advances wall time, never back: ends leases and back-offs, and releases lanes whose hold has expired. */
export const advanceWallTime = (jobs: Jobs.Jobs, wallNow: number): Jobs.Jobs => {
  let next: Jobs.Jobs = { ...jobs, wallNow: Math.max(jobs.wallNow, wallNow) }
  for (;;) {
    const [moment, id] = SortedMap.first(next.alarms) ?? []
    if (moment === undefined || id === undefined || moment[0] > next.wallNow) return next
    next = { ...next, alarms: SortedMap.remove(next.alarms, moment) }
    const job = SortedMap.get(next.byId, id)
    if (job === undefined) continue
    const isOverdue = job.state === "running" && job.notBefore <= next.wallNow
    next = Jobs.replace(next, job, isOverdue ? Object.freeze({ ...job, state: "overdue" }) : job)
  }
}

/** Finds the open job of a line that was due first. Drops the entries of jobs whose lane blocks them by now. */
const headOf = (jobs: Jobs.Jobs, line: string, businessNow: number): readonly [Jobs.Jobs, Jobs.Job | undefined] => {
  let next = jobs
  for (;;) {
    const [place, id] = SortedMap.firstFrom(next.open, [line, Number.NEGATIVE_INFINITY, 0]) ?? []
    if (place === undefined || id === undefined || place[0] !== line || place[1] > businessNow) return [next, undefined]
    const job = SortedMap.get(next.byId, id)
    if (job !== undefined && !Jobs.isBlocked(next, job)) return [next, job]
    next = { ...next, open: SortedMap.remove(next.open, place) }
  }
}

const claimedForm = ({ wallNow }: Jobs.Jobs, job: Jobs.Job, request: ClaimRequest): Jobs.Job =>
  Object.freeze({
    ...job,
    state: "running",
    attempt: job.attempt + 1,
    notBefore: wallNow + request.leaseMillis,
    firstClaimedAt: job.firstClaimedAt ?? wallNow,
    worker: request.worker,
  })

const claimJob = (jobs: Jobs.Jobs, job: Jobs.Job, request: ClaimRequest): readonly [Jobs.Jobs, Jobs.Job] => {
  const claimed = claimedForm(jobs, job, request)
  return [Jobs.recordTurn(Jobs.replace(jobs, job, claimed), claimed), claimed]
}

/** The jobs of a lane behind one of its jobs, in order, as long as the condition holds, up to a maximum. */
const runBehind = (
  jobs: Jobs.Jobs,
  head: Jobs.Job,
  { isOfRun, max }: { readonly max: number; readonly isOfRun: (job: Jobs.Job) => boolean },
): ReadonlyArray<Jobs.Job> => {
  const lane = head.lane === undefined ? undefined : SortedMap.get(jobs.lanes, Jobs.laneOf(head, head.lane))
  const found: Array<Jobs.Job> = []
  if (lane === undefined || max === 0) return found
  SortedMap.walk(lane.jobs, { order: "asc", after: head.sequence }, (id) => {
    const job = SortedMap.get(jobs.byId, id)
    if (job === undefined || !isOfRun(job)) return false
    found.push(job)
    return found.length < max
  })
  return found
}

/** Claims the jobs of a head's run. */
const claimRun = (
  jobs: Jobs.Jobs,
  head: Jobs.Job,
  request: ClaimRequest,
): readonly [Jobs.Jobs, ReadonlyArray<Jobs.Job>] => {
  const { businessNow, runs } = request
  if (runs === undefined || head.attempt !== 1 || !runs.kinds.includes(head.kind)) return [jobs, []]
  const isOfRun = ({ attempt, dueAt, kind, state }: Jobs.Job) =>
    state === "waiting" && attempt === 0 && kind === head.kind && dueAt <= businessNow
  const behind = runBehind(jobs, head, { isOfRun, max: runs.jobsMax - 1 })
  let next = jobs
  const claimed = behind.map((job) => {
    const form = claimedForm(next, job, request)
    next = Jobs.claimBehind(next, job, form)
    return form
  })
  return [next, claimed]
}

const claimedJob = (job: Jobs.Job): ClaimedJob => {
  const { attempt, customerId, dueAt, firstClaimedAt = 0, id, kind, lane, payload, platformId, queue } = job
  const claimed = { id, queue, kind, platformId, customerId, dueAt, payload, attempt, firstClaimedAt }
  return Object.freeze(lane === undefined ? claimed : { ...claimed, lane })
}

/** The order of turns: the fewest running jobs, then the longest wait for a turn, then the earliest due time. */
type Turn = readonly [running: number, served: number, dueAt: number, sequence: number]

/** Claims up to `limit` jobs and returns them in the order of their due times, and then the jobs of their runs. */
export const claim = (
  jobs: Jobs.Jobs,
  request: ClaimRequest,
): { readonly jobs: Jobs.Jobs; readonly claimed: ReadonlyArray<ClaimedJob> } => {
  const { businessNow, leavesReserve, limit, queue } = request
  let next = advanceWallTime(jobs, request.wallNow)
  let turns = SortedMap.empty<Turn, Jobs.Job>(SortedMap.lexical)
  const addTurn = (name: string) => {
    const line = SortedMap.get(next.lines, name)
    if (line === undefined || line.queue !== queue) return
    const [checked, head] = headOf(next, name, businessNow)
    next = checked
    if (head === undefined) return
    turns = SortedMap.set(turns, [line.running, line.served, head.dueAt, head.sequence], head)
  }
  for (const [name] of SortedMap.entries(next.lines)) addTurn(name)
  const claimed: Array<Jobs.Job> = []
  while (claimed.length < limit) {
    const [turn, head] = SortedMap.first(turns) ?? []
    if (turn === undefined || head === undefined) break
    const [running] = turn
    if (leavesReserve && limit - claimed.length - 1 < reserveFor(running)) break
    turns = SortedMap.remove(turns, turn)
    const [after, job] = claimJob(next, head, request)
    next = after
    claimed.push(job)
    addTurn(Jobs.lineOf(job))
  }
  claimed.sort((a, b) => a.dueAt - b.dueAt || a.sequence - b.sequence)
  const behind = claimed.flatMap((head) => {
    const [after, jobsOfRun] = claimRun(next, head, request)
    next = after
    return jobsOfRun.map((job): ClaimedJob => Object.freeze({ ...claimedJob(job), behind: head.id }))
  })
  return { jobs: next, claimed: [...claimed.map(claimedJob), ...behind] }
}
