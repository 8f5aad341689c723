/**
 * Claiming due jobs: the longest due first, only what its lane lets through, by turns between platforms.
 * Source: architecture, "The Store port" (claim); ports/Store.ts (ClaimRequest).
 */
import type { ClaimedJob, ClaimRequest } from "@countersign/core/store"
import * as Jobs from "./Jobs.ts"
import * as SortedMap from "./SortedMap.ts"

/** Moves wall time on: leases and back-offs that ended, and holds of lanes that lapsed. It never goes back. */
export const wake = (jobs: Jobs.Jobs, wallNow: number): Jobs.Jobs => {
  let next: Jobs.Jobs = { ...jobs, wallNow: Math.max(jobs.wallNow, wallNow) }
  for (;;) {
    const [moment, id] = SortedMap.first(next.alarms) ?? []
    if (moment === undefined || id === undefined || moment[0] > next.wallNow) return next
    next = { ...next, alarms: SortedMap.remove(next.alarms, moment) }
    const job = SortedMap.get(next.byId, id)
    if (job === undefined) continue
    const isOver = job.state === "running" && job.notBefore <= next.wallNow
    next = Jobs.replace(next, job, isOver ? Object.freeze({ ...job, state: "overdue" }) : job)
  }
}

/** The longest due job of a line that its lane lets through; entries whose lane has closed are dropped on the way. */
const headOf = (jobs: Jobs.Jobs, line: string, businessNow: number): readonly [Jobs.Jobs, Jobs.Job | undefined] => {
  let next = jobs
  for (;;) {
    const [place, id] = SortedMap.firstFrom(next.open, [line, Number.NEGATIVE_INFINITY, 0]) ?? []
    if (place === undefined || id === undefined || place[0] !== line || place[1] > businessNow) return [next, undefined]
    const job = SortedMap.get(next.byId, id)
    if (job !== undefined && !Jobs.isHeldBack(next, job)) return [next, job]
    next = { ...next, open: SortedMap.remove(next.open, place) }
  }
}

const take = (jobs: Jobs.Jobs, job: Jobs.Job, request: ClaimRequest): readonly [Jobs.Jobs, Jobs.Job] => {
  const claimed: Jobs.Job = Object.freeze({
    ...job,
    state: "running",
    attempt: job.attempt + 1,
    notBefore: jobs.wallNow + request.leaseMillis,
    firstClaimedAt: job.firstClaimedAt ?? jobs.wallNow,
    worker: request.worker,
  })
  return [Jobs.serve(Jobs.replace(jobs, job, claimed), claimed), claimed]
}

const handedOut = (job: Jobs.Job): ClaimedJob => {
  const { attempt, customerId, dueAt, firstClaimedAt = 0, id, kind, lane, payload, platformId, queue } = job
  const claimed = { id, queue, kind, platformId, customerId, dueAt, payload, attempt, firstClaimedAt }
  return Object.freeze(lane === undefined ? claimed : { ...claimed, lane })
}

/** The order of turns: whoever has the fewest running jobs, then whoever waits longest for a turn, then the longest due. */
type Turn = readonly [running: number, served: number, dueAt: number, sequence: number]

/** Claims up to `limit` jobs. The claimed come in the order in which they fell due. */
export const claim = (
  jobs: Jobs.Jobs,
  request: ClaimRequest,
): { readonly jobs: Jobs.Jobs; readonly claimed: ReadonlyArray<ClaimedJob> } => {
  const { businessNow, limit, perPlatform, queue } = request
  let next = wake(jobs, request.wallNow)
  let turns = SortedMap.empty<Turn, Jobs.Job>(SortedMap.lexical)
  const wait = (name: string) => {
    const line = SortedMap.get(next.lines, name)
    if (line === undefined || line.queue !== queue || line.running >= perPlatform) return
    const [looked, head] = headOf(next, name, businessNow)
    next = looked
    if (head === undefined) return
    turns = SortedMap.set(turns, [line.running, line.served, head.dueAt, head.sequence], head)
  }
  for (const [name] of SortedMap.entries(next.lines)) wait(name)
  const claimed: Array<Jobs.Job> = []
  while (claimed.length < limit) {
    const [turn, head] = SortedMap.first(turns) ?? []
    if (turn === undefined || head === undefined) break
    turns = SortedMap.remove(turns, turn)
    const [taken, job] = take(next, head, request)
    next = taken
    claimed.push(job)
    wait(Jobs.lineOf(job))
  }
  claimed.sort((a, b) => a.dueAt - b.dueAt || a.sequence - b.sequence)
  return { jobs: next, claimed: claimed.map(handedOut) }
}
