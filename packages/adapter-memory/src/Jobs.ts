/**
 * Unfinished jobs, indexed so that neither a commit nor a claim visits more jobs than it changes.
 * Source: architecture, "Jobs, external calls and time"; ports/Store.ts (claim).
 */
import type { Caller } from "@countersign/core"
import {
  type ChangeSet,
  isParkedJobDecision,
  type JobCountQuery,
  type JobFence,
  type JobView,
  type NewJob,
  type Owner,
  type ParkedJobs,
  type ParkedJobsPage,
  type Queue,
  sees,
} from "@countersign/core/store"
import { Result } from "effect"
import { frozen } from "./Frozen.ts"
import { type Applied, conflict, key, mistake } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

/** A stored job. */
export interface Job extends NewJob {
  readonly platformId: string
  /** The order of commits. */
  readonly sequence: number
  /** How often it was claimed: the fence of its worker. */
  readonly attempt: number
  /**
   * `running`: claimed under a live lease. `overdue`: the lease has expired and no worker has claimed the job again, so the
   * last worker may still finish it. Both have the fence of the last claim.
   */
  readonly state: "waiting" | "running" | "overdue" | "parked"
  /** Wall time (ms) before which it is not claimed: the end of a back-off or of a lease; 0 if there is neither. */
  readonly notBefore: number
  /** Wall time (ms) of the first claim. */
  readonly firstClaimedAt?: number
  readonly worker?: string
  readonly error?: string
}

/** Jobs that run one after another. Those up to `holder` are open; it blocks all that follow. */
interface Lane {
  readonly jobs: SortedMap.SortedMap<number, string>
  readonly holder: number | undefined
}

/** The jobs of one platform in one queue. */
export interface Line {
  readonly queue: Queue
  readonly platformId: string
  readonly running: number
  /** When it had its last turn, counted in claimed jobs of the store. */
  readonly served: number
}

type Moment = readonly [at: number, sequence: number]

export interface Jobs {
  readonly byId: SortedMap.SortedMap<string, Job>
  readonly lines: SortedMap.SortedMap<string, Line>
  readonly lanes: SortedMap.SortedMap<string, Lane>
  /** By line and due time: the jobs that neither a lane nor wall time blocks. A claim checks the lane again. */
  readonly open: SortedMap.SortedMap<readonly [line: string, dueAt: number, sequence: number], string>
  /** By wall time: the ends of back-offs, leases and lane holds. An outdated entry has no effect. */
  readonly alarms: SortedMap.SortedMap<Moment, string>
  /** By due time: all jobs that are not parked. */
  readonly dues: SortedMap.SortedMap<Moment, string>
  /** The sequence of the last job. */
  readonly sequence: number
  /** How many jobs have been claimed in total. */
  readonly claims: number
  /** The latest wall time (ms) of a claim, the only wall time that queues use. */
  readonly wallNow: number
}

export const empty: Jobs = {
  byId: SortedMap.empty(SortedMap.natural),
  lines: SortedMap.empty(SortedMap.natural),
  lanes: SortedMap.empty(SortedMap.natural),
  open: SortedMap.empty(SortedMap.lexical<readonly [string, number, number]>),
  alarms: SortedMap.empty(SortedMap.lexical<Moment>),
  dues: SortedMap.empty(SortedMap.lexical<Moment>),
  sequence: 0,
  claims: 0,
  wallNow: 0,
}

type JobPlace = Pick<Job, "queue" | "platformId">

export const lineOf = (job: JobPlace): string => key(job.queue, job.platformId)

/** The key of a lane. */
export const laneOf = (job: JobPlace, lane: string): string => key(job.queue, job.platformId, lane)

/** When a job stops blocking the later jobs of its lane (wall ms); `Infinity` if only its end releases them. */
const holdsUntil = (job: Job): number => {
  if (job.laneHoldMillis === undefined || job.firstClaimedAt === undefined) return Number.POSITIVE_INFINITY
  if (job.state === "parked") return 0
  const holdEnd = job.firstClaimedAt + job.laneHoldMillis
  return job.state === "running" ? Math.max(holdEnd, job.notBefore) : holdEnd
}

/** Whether a lane has jobs, parked ones included. */
export const isInLane = (jobs: Jobs, place: JobPlace, lane: string): boolean => {
  const found = SortedMap.get(jobs.lanes, laneOf(place, lane))
  return found !== undefined && SortedMap.size(found.jobs) > 0
}

/** Whether an earlier job of its lane blocks this one. */
export const isBlocked = (jobs: Jobs, job: Job): boolean => {
  if (job.lane === undefined) return false
  const holder = SortedMap.get(jobs.lanes, laneOf(job, job.lane))?.holder
  return holder !== undefined && holder < job.sequence
}

const withAlarm = (jobs: Jobs, at: number, job: Job): Jobs =>
  Number.isFinite(at) && at > jobs.wallNow
    ? { ...jobs, alarms: SortedMap.set(jobs.alarms, [at, job.sequence], job.id) }
    : jobs

/** Adds a job that its lane does not block to the index that its times require. */
const schedule = (jobs: Jobs, job: Job): Jobs => {
  if (job.state === "parked") return jobs
  if (job.notBefore > jobs.wallNow) return withAlarm(jobs, job.notBefore, job)
  return { ...jobs, open: SortedMap.set(jobs.open, [lineOf(job), job.dueAt, job.sequence], job.id) }
}

/** Opens the jobs of a lane behind `after`, up to and including the first one that blocks the rest. */
const openLane = (jobs: Jobs, name: string, after: number): Jobs => {
  const lane = SortedMap.get(jobs.lanes, name)
  if (lane === undefined) return jobs
  let next = jobs
  let holder: number | undefined
  SortedMap.walk(lane.jobs, { order: "asc", after }, (id, sequence) => {
    const job = SortedMap.get(next.byId, id)
    if (job === undefined) return true
    next = schedule(next, job)
    const until = holdsUntil(job)
    if (until <= jobs.wallNow) return true
    next = withAlarm(next, until, job)
    holder = sequence
    return false
  })
  return { ...next, lanes: SortedMap.set(next.lanes, name, { jobs: lane.jobs, holder }) }
}

/** Updates a lane whose holder changed or left: opens the next jobs if it no longer holds. */
const updateLane = (jobs: Jobs, job: Job, holds: boolean): Jobs => {
  if (job.lane === undefined) return jobs
  const name = laneOf(job, job.lane)
  if (SortedMap.get(jobs.lanes, name)?.holder !== job.sequence) return jobs
  return holds ? withAlarm(jobs, holdsUntil(job), job) : openLane(jobs, name, job.sequence)
}

const changeLine = (jobs: Jobs, job: JobPlace, change: (line: Line) => Partial<Line>): Jobs => {
  const name = lineOf(job)
  const { platformId, queue } = job
  const line = SortedMap.get(jobs.lines, name) ?? { queue, platformId, running: 0, served: 0 }
  return { ...jobs, lines: SortedMap.set(jobs.lines, name, { ...line, ...change(line) }) }
}

/** Removes a job from the indexes by time. */
const unschedule = (jobs: Jobs, job: Job): Jobs => ({
  ...jobs,
  open: SortedMap.remove(jobs.open, [lineOf(job), job.dueAt, job.sequence]),
  alarms: SortedMap.remove(SortedMap.remove(jobs.alarms, [job.notBefore, job.sequence]), [
    holdsUntil(job),
    job.sequence,
  ]),
})

/** A parked job has no due time in the index. */
const duesAfter = ({ dues }: Jobs, old: Job, next: Job): Jobs["dues"] => {
  if (old.state === next.state || (old.state !== "parked" && next.state !== "parked")) return dues
  return next.state === "parked"
    ? SortedMap.remove(dues, [old.dueAt, old.sequence])
    : SortedMap.set(dues, [next.dueAt, next.sequence], next.id)
}

/** Replaces a job, which keeps its lane, and schedules it again. */
export const replace = (jobs: Jobs, old: Job, next: Job): Jobs => {
  const without = unschedule(jobs, old)
  const stored: Jobs = {
    ...without,
    byId: SortedMap.set(without.byId, next.id, next),
    dues: duesAfter(without, old, next),
  }
  const change = Number(next.state === "running") - Number(old.state === "running")
  const counted = change === 0 ? stored : changeLine(stored, next, ({ running }) => ({ running: running + change }))
  const scheduled = isBlocked(counted, next) ? counted : schedule(counted, next)
  return updateLane(scheduled, next, holdsUntil(next) > scheduled.wallNow)
}

/** Records a claim: the job blocks the later jobs of its lane, and its platform has had a turn. */
export const recordTurn = (jobs: Jobs, job: Job): Jobs => {
  const claims = jobs.claims + 1
  const served = { ...changeLine(jobs, job, () => ({ served: claims })), claims }
  if (job.lane === undefined) return served
  const name = laneOf(job, job.lane)
  const lane = SortedMap.get(served.lanes, name)
  if (lane === undefined) return served
  const held = { ...served, lanes: SortedMap.set(served.lanes, name, { jobs: lane.jobs, holder: job.sequence }) }
  return withAlarm(held, holdsUntil(job), job)
}

/** Replaces a job behind the head of its lane by its claimed form. The head still blocks it; its lease ends like any other. */
export const claimBehind = (jobs: Jobs, old: Job, next: Job): Jobs =>
  withAlarm(replace(jobs, old, next), next.notBefore, next)

/** Appends a job to its lane, if it has one, and schedules it unless an earlier job blocks it. */
export const add = (jobs: Jobs, job: Job): Jobs => {
  const stored: Jobs = {
    ...jobs,
    sequence: Math.max(jobs.sequence, job.sequence),
    byId: SortedMap.set(jobs.byId, job.id, job),
    dues: job.state === "parked" ? jobs.dues : SortedMap.set(jobs.dues, [job.dueAt, job.sequence], job.id),
  }
  const isRunning = job.state === "running"
  const counted = changeLine(stored, job, ({ running }) => ({ running: running + Number(isRunning) }))
  if (job.lane === undefined) return schedule(counted, job)
  const name = laneOf(job, job.lane)
  const lane = SortedMap.get(counted.lanes, name) ?? { jobs: SortedMap.empty(SortedMap.natural), holder: undefined }
  const members = SortedMap.set(lane.jobs, job.sequence, job.id)
  const timed = isRunning ? withAlarm(counted, job.notBefore, job) : counted
  const joined = { ...timed, lanes: SortedMap.set(timed.lanes, name, { jobs: members, holder: lane.holder }) }
  return lane.holder === undefined ? openLane(joined, name, job.sequence - 1) : joined
}

/** A job as a loaded store has it: no worker of this store runs it, so it is claimed again at once. */
export const released = (job: Job): Job => (job.state === "running" ? { ...job, state: "overdue", notBefore: 0 } : job)

/** Removes a finished job and opens the next jobs of its lane. */
const remove = (jobs: Jobs, job: Job): Jobs => {
  const without = unschedule(jobs, job)
  const change = Number(job.state === "running")
  const counted = changeLine(without, job, ({ running }) => ({ running: running - change }))
  const removed: Jobs = {
    ...counted,
    byId: SortedMap.remove(counted.byId, job.id),
    dues: SortedMap.remove(counted.dues, [job.dueAt, job.sequence]),
  }
  if (job.lane === undefined) return removed
  const name = laneOf(job, job.lane)
  const lane = SortedMap.get(removed.lanes, name)
  if (lane === undefined) return removed
  const members = SortedMap.remove(lane.jobs, job.sequence)
  if (SortedMap.size(members) === 0) return { ...removed, lanes: SortedMap.remove(removed.lanes, name) }
  const left = { ...removed, lanes: SortedMap.set(removed.lanes, name, { jobs: members, holder: lane.holder }) }
  return updateLane(left, job, false)
}

/** The claimed job of a fence; `undefined` if it was claimed again or returned since. */
const jobOfFence = (jobs: Jobs, caller: Caller, { attempt, id }: JobFence): Job | undefined => {
  const job = SortedMap.get(jobs.byId, id)
  if (job === undefined || !sees(caller, job) || job.attempt !== attempt) return undefined
  return job.state === "running" || job.state === "overdue" ? job : undefined
}

/** The parked job of a fence; `undefined` if an operator has decided on it since. */
const parkedJobOf = (jobs: Jobs, caller: Caller, { attempt, id }: JobFence): Job | undefined => {
  const job = SortedMap.get(jobs.byId, id)
  return job?.state === "parked" && job.attempt === attempt && sees(caller, job) ? job : undefined
}

/** A parked job that is due again. Its retries are counted from now on. */
const resumed = ({ error: _error, ...job }: Job, wallNow: number): Job =>
  Object.freeze({ ...job, state: "waiting", notBefore: 0, firstClaimedAt: wallNow })

/** Finishes and returns the claimed jobs of a change set, and applies an operator's decisions on parked ones. */
export const applyFences = (jobs: Jobs, set: ChangeSet, caller: Caller, wallNow: number): Applied<Jobs> => {
  let next = jobs
  for (const fence of set.finishes) {
    const job = jobOfFence(next, caller, fence)
    if (job === undefined) return conflict(`job ${fence.id}`)
    next = remove(next, job)
  }
  for (const returned of set.returns) {
    if (isParkedJobDecision(returned)) {
      const job = parkedJobOf(next, caller, returned)
      if (job === undefined) return conflict(`job ${returned.id}`)
      next = returned.outcome === "dropped" ? remove(next, job) : replace(next, job, resumed(job, wallNow))
      continue
    }
    const job = jobOfFence(next, caller, returned)
    if (job === undefined) return conflict(`job ${returned.id}`)
    const { error, notBefore, outcome } = returned
    const payload = returned.payload === undefined ? job.payload : frozen(returned.payload)
    const state = outcome === "parked" ? "parked" : "waiting"
    next = replace(next, job, Object.freeze({ ...job, state, notBefore, error, payload }))
  }
  return Result.succeed(next)
}

/** Appends the new jobs of a change set in its order. */
export const append = (jobs: Jobs, set: ChangeSet, { platformId }: Pick<Owner, "platformId">): Applied<Jobs> => {
  let next = jobs
  for (const { opensLane, ...job } of set.jobs) {
    if (opensLane === true && isInLane(jobs, { ...job, platformId }, job.lane ?? "")) {
      mistake(`lane ${job.lane} is open already`)
    }
    if (SortedMap.get(next.byId, job.id) !== undefined) return conflict(`job ${job.id}`)
    const fresh = { sequence: next.sequence + 1, attempt: 0, state: "waiting", notBefore: 0 } as const
    next = add(next, frozen({ ...job, platformId, ...fresh }))
  }
  return Result.succeed(next)
}

/** The state of a job that an operator sees: an expired lease is as good as none. */
export const stateAt = (job: Job, wallNow: number): JobView["state"] =>
  job.state === "parked" ? "parked" : job.state === "running" && job.notBefore > wallNow ? "running" : "waiting"

/** The unfinished jobs of the caller's tenant in the order of their commits. */
export const views = (jobs: Jobs, caller: Caller, wallNow: number): ReadonlyArray<JobView> =>
  SortedMap.values(jobs.byId)
    .filter((job) => sees(caller, job))
    .sort((a, b) => a.sequence - b.sequence)
    .map((job) => {
      const { firstClaimedAt: _first, notBefore: _notBefore, sequence: _sequence, worker: _worker, ...view } = job
      return Object.freeze({ ...view, state: stateAt(job, wallNow) })
    })

/** Counts the tenant's unfinished jobs of these kinds, up to the maximum. */
export const count = (jobs: Jobs, caller: Caller, { kinds, max }: JobCountQuery): number =>
  Math.min(max, SortedMap.values(jobs.byId).filter((job) => kinds.includes(job.kind) && sees(caller, job)).length)

/** A page of the tenant's parked jobs by id, which is their order of creation. */
export const parked = (jobs: Jobs, caller: Caller, { after = "", id, limit }: ParkedJobsPage): ParkedJobs => {
  const found = views(jobs, caller, jobs.wallNow)
    .filter((job) => job.state === "parked" && job.id > after && (id === undefined || job.id === id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return { jobs: found.slice(0, limit), hasMore: found.length > limit }
}

/** How many jobs are running. The caller advances wall time first. */
export const running = ({ lines }: Jobs): number => SortedMap.values(lines).reduce((sum, line) => sum + line.running, 0)

/** The earliest due time after `after` of a job that is not parked. */
export const nextDue = (jobs: Jobs, after: number): number | undefined =>
  SortedMap.firstFrom(jobs.dues, [after, Number.POSITIVE_INFINITY])?.[0][0]

/** The earliest wall time after `after` at which a back-off, a lease or the hold of a lane ends. */
export const nextAlarm = (jobs: Jobs, after: number): number | undefined =>
  SortedMap.firstFrom(jobs.alarms, [after, Number.POSITIVE_INFINITY])?.[0][0]
