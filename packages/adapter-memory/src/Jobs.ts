/**
 * Unfinished jobs: what each one is, and how the queues keep them so that neither a commit nor a claim looks at more
 * jobs than it moves.
 * Source: architecture, "Jobs, outside calls and time"; ports/Store.ts (claim).
 */
import type { Caller } from "@countersign/core"
import {
  type ChangeSet,
  type JobFence,
  type JobView,
  type NewJob,
  type Owner,
  type Queue,
  sees,
} from "@countersign/core/store"
import { Result } from "effect"
import { frozen } from "./Frozen.ts"
import { type Applied, conflict, key, mistake } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

/** A job as it is kept. */
export interface Job extends NewJob {
  readonly platformId: string
  /** The order of commits. */
  readonly sequence: number
  /** How often it was claimed: the fence of whoever works on it. */
  readonly attempt: number
  /**
   * `running`: claimed, the lease runs. `overdue`: the lease ran out and nobody took the job over; whoever has it may still
   * finish it. Both hold the fence of the last claim.
   */
  readonly state: "waiting" | "running" | "overdue" | "parked"
  /** Wall time (ms) before which it is not claimed: the end of a back-off or of a lease; 0: none. */
  readonly notBefore: number
  /** Wall time (ms) of the first claim. */
  readonly firstClaimedAt?: number
  readonly worker?: string
  readonly error?: string
}

/** Jobs that run one after another. Those up to `holder` are open; it keeps back all that come after it. */
interface Lane {
  readonly jobs: SortedMap.SortedMap<number, string>
  readonly holder: number | undefined
}

/** The jobs of one platform in one queue. */
export interface Line {
  readonly queue: Queue
  readonly platformId: string
  readonly running: number
  /** When it was last served, counted in claims of the whole store. */
  readonly served: number
}

type Moment = readonly [at: number, sequence: number]

export interface Jobs {
  readonly byId: SortedMap.SortedMap<string, Job>
  readonly lines: SortedMap.SortedMap<string, Line>
  readonly lanes: SortedMap.SortedMap<string, Lane>
  /** By line and due time: what neither a lane nor wall time keeps back. A lane may have closed since: a claim looks. */
  readonly open: SortedMap.SortedMap<readonly [line: string, dueAt: number, sequence: number], string>
  /** By wall time: when a back-off, a lease or the hold of a lane ends. An entry may be out of date, and then does nothing. */
  readonly alarms: SortedMap.SortedMap<Moment, string>
  /** By due time: all that can still fall due by itself. */
  readonly dues: SortedMap.SortedMap<Moment, string>
  /** The sequence of the last job. */
  readonly sequence: number
  /** How many jobs were ever claimed. */
  readonly claims: number
  /** The latest wall time (ms) of a claim: the only wall time that queues know. */
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

type Placed = Pick<Job, "queue" | "platformId">

export const lineOf = (job: Placed): string => key(job.queue, job.platformId)

const laneOf = (job: Placed, lane: string): string => key(job.queue, job.platformId, lane)

/** When a lane's job no longer keeps back those behind it (wall ms); `Infinity`: not before it ends. */
const holdsUntil = (job: Job): number => {
  if (job.laneHoldMillis === undefined || job.firstClaimedAt === undefined) return Number.POSITIVE_INFINITY
  if (job.state === "parked") return 0
  const lapses = job.firstClaimedAt + job.laneHoldMillis
  return job.state === "running" ? Math.max(lapses, job.notBefore) : lapses
}

/** Whether any job, parked ones too, is in a lane. */
export const isInLane = (jobs: Jobs, placed: Placed, lane: string): boolean => {
  const found = SortedMap.get(jobs.lanes, laneOf(placed, lane))
  return found !== undefined && SortedMap.size(found.jobs) > 0
}

/** Whether an earlier job of its lane keeps this one back. */
export const isHeldBack = (jobs: Jobs, job: Job): boolean => {
  if (job.lane === undefined) return false
  const holder = SortedMap.get(jobs.lanes, laneOf(job, job.lane))?.holder
  return holder !== undefined && holder < job.sequence
}

const withAlarm = (jobs: Jobs, at: number, job: Job): Jobs =>
  Number.isFinite(at) && at > jobs.wallNow
    ? { ...jobs, alarms: SortedMap.set(jobs.alarms, [at, job.sequence], job.id) }
    : jobs

/** Puts a job that its lane lets through where time will find it. */
const place = (jobs: Jobs, job: Job): Jobs => {
  if (job.state === "parked") return jobs
  if (job.notBefore > jobs.wallNow) return withAlarm(jobs, job.notBefore, job)
  return { ...jobs, open: SortedMap.set(jobs.open, [lineOf(job), job.dueAt, job.sequence], job.id) }
}

/** Lets the jobs of a lane that come after `after` through, up to and including the first that holds the others. */
const advance = (jobs: Jobs, name: string, after: number): Jobs => {
  const lane = SortedMap.get(jobs.lanes, name)
  if (lane === undefined) return jobs
  let next = jobs
  let holder: number | undefined
  SortedMap.walk(lane.jobs, { order: "asc", after }, (id, sequence) => {
    const job = SortedMap.get(next.byId, id)
    if (job === undefined) return true
    next = place(next, job)
    const until = holdsUntil(job)
    if (until <= jobs.wallNow) return true
    next = withAlarm(next, until, job)
    holder = sequence
    return false
  })
  return { ...next, lanes: SortedMap.set(next.lanes, name, { jobs: lane.jobs, holder }) }
}

/** After the lane's holder changed or left: goes on from it when it no longer holds. */
const pass = (jobs: Jobs, job: Job, holds: boolean): Jobs => {
  if (job.lane === undefined) return jobs
  const name = laneOf(job, job.lane)
  if (SortedMap.get(jobs.lanes, name)?.holder !== job.sequence) return jobs
  return holds ? withAlarm(jobs, holdsUntil(job), job) : advance(jobs, name, job.sequence)
}

const changeLine = (jobs: Jobs, job: Placed, change: (line: Line) => Partial<Line>): Jobs => {
  const name = lineOf(job)
  const { platformId, queue } = job
  const line = SortedMap.get(jobs.lines, name) ?? { queue, platformId, running: 0, served: 0 }
  return { ...jobs, lines: SortedMap.set(jobs.lines, name, { ...line, ...change(line) }) }
}

/** Takes a job out of everything that finds it by time. */
const unplace = (jobs: Jobs, job: Job): Jobs => ({
  ...jobs,
  open: SortedMap.remove(jobs.open, [lineOf(job), job.dueAt, job.sequence]),
  alarms: SortedMap.remove(SortedMap.remove(jobs.alarms, [job.notBefore, job.sequence]), [
    holdsUntil(job),
    job.sequence,
  ]),
})

/** Replaces a job, which keeps its lane; whether it waits for time or for the lane is found anew. */
export const replace = (jobs: Jobs, old: Job, next: Job): Jobs => {
  const without = unplace(jobs, old)
  const stored: Jobs = {
    ...without,
    byId: SortedMap.set(without.byId, next.id, next),
    dues: next.state === "parked" ? SortedMap.remove(without.dues, [old.dueAt, old.sequence]) : without.dues,
  }
  const change = Number(next.state === "running") - Number(old.state === "running")
  const counted = change === 0 ? stored : changeLine(stored, next, ({ running }) => ({ running: running + change }))
  const placed = isHeldBack(counted, next) ? counted : place(counted, next)
  return pass(placed, next, holdsUntil(next) > placed.wallNow)
}

/** A claimed job keeps back all of its lane that come after it, and its platform has had its turn. */
export const serve = (jobs: Jobs, job: Job): Jobs => {
  const claims = jobs.claims + 1
  const served = { ...changeLine(jobs, job, () => ({ served: claims })), claims }
  if (job.lane === undefined) return served
  const name = laneOf(job, job.lane)
  const lane = SortedMap.get(served.lanes, name)
  if (lane === undefined) return served
  const held = { ...served, lanes: SortedMap.set(served.lanes, name, { jobs: lane.jobs, holder: job.sequence }) }
  return withAlarm(held, holdsUntil(job), job)
}

/** Appends a job that its lane, if it has one, will let through after those before it. */
export const add = (jobs: Jobs, job: Job): Jobs => {
  const kept: Jobs = {
    ...jobs,
    sequence: Math.max(jobs.sequence, job.sequence),
    byId: SortedMap.set(jobs.byId, job.id, job),
    dues: job.state === "parked" ? jobs.dues : SortedMap.set(jobs.dues, [job.dueAt, job.sequence], job.id),
  }
  const isRunning = job.state === "running"
  const counted = changeLine(kept, job, ({ running }) => ({ running: running + Number(isRunning) }))
  if (job.lane === undefined) return place(counted, job)
  const name = laneOf(job, job.lane)
  const lane = SortedMap.get(counted.lanes, name) ?? { jobs: SortedMap.empty(SortedMap.natural), holder: undefined }
  const members = SortedMap.set(lane.jobs, job.sequence, job.id)
  const timed = isRunning ? withAlarm(counted, job.notBefore, job) : counted
  const joined = { ...timed, lanes: SortedMap.set(timed.lanes, name, { jobs: members, holder: lane.holder }) }
  return lane.holder === undefined ? advance(joined, name, job.sequence - 1) : joined
}

/** Removes a finished job and lets its lane go on. */
const remove = (jobs: Jobs, job: Job): Jobs => {
  const without = unplace(jobs, job)
  const change = Number(job.state === "running")
  const counted = changeLine(without, job, ({ running }) => ({ running: running - change }))
  const gone: Jobs = {
    ...counted,
    byId: SortedMap.remove(counted.byId, job.id),
    dues: SortedMap.remove(counted.dues, [job.dueAt, job.sequence]),
  }
  if (job.lane === undefined) return gone
  const name = laneOf(job, job.lane)
  const lane = SortedMap.get(gone.lanes, name)
  if (lane === undefined) return gone
  const members = SortedMap.remove(lane.jobs, job.sequence)
  if (SortedMap.size(members) === 0) return { ...gone, lanes: SortedMap.remove(gone.lanes, name) }
  const left = { ...gone, lanes: SortedMap.set(gone.lanes, name, { jobs: members, holder: lane.holder }) }
  return pass(left, job, false)
}

/** The job whose fence this is, as long as nobody took it over and it was not given back. */
const fenced = (jobs: Jobs, caller: Caller, { attempt, id }: JobFence): Job | undefined => {
  const job = SortedMap.get(jobs.byId, id)
  if (job === undefined || !sees(caller, job) || job.attempt !== attempt) return undefined
  return job.state === "running" || job.state === "overdue" ? job : undefined
}

/** Ends and gives back the claimed jobs of a change set. */
export const giveBack = (jobs: Jobs, set: ChangeSet, caller: Caller): Applied<Jobs> => {
  let next = jobs
  for (const fence of set.finishes) {
    const job = fenced(next, caller, fence)
    if (job === undefined) return conflict(`job ${fence.id}`)
    next = remove(next, job)
  }
  for (const returned of set.returns) {
    const job = fenced(next, caller, returned)
    if (job === undefined) return conflict(`job ${returned.id}`)
    const { error, notBefore, outcome } = returned
    const payload = returned.payload === undefined ? job.payload : frozen(returned.payload)
    const state = outcome === "parked" ? "parked" : "waiting"
    next = replace(next, job, Object.freeze({ ...job, state, notBefore, error, payload }))
  }
  return Result.succeed(next)
}

/** Appends the new jobs of a change set, in its order. */
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

const stateAt = (job: Job, wallNow: number): JobView["state"] =>
  job.state === "parked" ? "parked" : job.state === "running" && job.notBefore > wallNow ? "running" : "waiting"

/** The unfinished jobs that the caller may see, in the order of their commits. */
export const views = (jobs: Jobs, caller: Caller, wallNow: number): ReadonlyArray<JobView> =>
  SortedMap.values(jobs.byId)
    .filter((job) => sees(caller, job))
    .sort((a, b) => a.sequence - b.sequence)
    .map((job) => {
      const { firstClaimedAt: _first, notBefore: _notBefore, sequence: _sequence, worker: _worker, ...view } = job
      return Object.freeze({ ...view, state: stateAt(job, wallNow) })
    })

/** How many jobs are claimed; whoever asks has moved wall time on first. */
export const running = ({ lines }: Jobs): number => SortedMap.values(lines).reduce((sum, line) => sum + line.running, 0)

/** The earliest due time after `after` of a job that is not parked. */
export const nextDue = (jobs: Jobs, after: number): number | undefined =>
  SortedMap.firstFrom(jobs.dues, [after, Number.POSITIVE_INFINITY])?.[0][0]
