/** Claims due jobs: in turns between platforms, of each lane the head, and behind it its run. */
import { type ClaimedJob, type ClaimRequest, reserveFor } from "@countersign/core/store"
import type { Database } from "./Database.ts"
import type { JobRow } from "./Jobs.ts"

/** Whether an earlier job of the lane of `j` blocks it: until it ends, or as long as it may hold the lane once it was claimed. */
const isBlocked = `exists (select 1 from job e
  where e.queue = j.queue and e.platformId = j.platformId and e.lane = j.lane and e.sequence < j.sequence and (
    e.laneHoldMillis is null or e.firstClaimedAt is null
    or (e.state <> 'parked' and e.firstClaimedAt + e.laneHoldMillis > $wallNow)
    or (e.state = 'running' and e.notBefore > $wallNow)))`

interface Turn {
  readonly running: number
  readonly served: number
  readonly head: JobRow
}

/** Fewest running jobs first, then the longest wait for a turn, then the longest due. */
const byTurn = (a: Turn, b: Turn): number =>
  a.running - b.running || a.served - b.served || a.head.dueAt - b.head.dueAt || a.head.sequence - b.head.sequence

const claimedJob = (row: JobRow, { wallNow }: ClaimRequest): ClaimedJob => {
  const { attempt, customerId, dueAt, firstClaimedAt, id, kind, lane, payload, platformId, queue } = row
  const job = { id, queue, kind, platformId, customerId, dueAt, payload: JSON.parse(payload) }
  const claimed = { ...job, attempt: attempt + 1, firstClaimedAt: firstClaimedAt ?? wallNow }
  return lane === null ? claimed : { ...claimed, lane }
}

export const claim = (db: Database, request: ClaimRequest): ReadonlyArray<ClaimedJob> => {
  const { businessNow, leasesUntil, leavesReserve, limit, queue, runs, wallNow, worker } = {
    ...request,
    leasesUntil: request.wallNow + request.leaseMillis,
  }
  const turnOf = (platformId: string): ReadonlyArray<Turn> => {
    const of = { queue, platformId }
    const head = db.get<JobRow>(
      `select * from job j where queue = $queue and platformId = $platformId and state <> 'parked'
         and dueAt <= $businessNow and notBefore <= $wallNow and not ${isBlocked} order by dueAt, sequence limit 1`,
      { ...of, businessNow, wallNow },
    )
    if (head === undefined) return []
    const line = db.get<Omit<Turn, "head">>(
      `select (select count(*) from job where queue = $queue and platformId = $platformId and state = 'running' and notBefore > $wallNow)
           as running, coalesce((select served from turn where queue = $queue and platformId = $platformId), 0) as served`,
      { ...of, wallNow },
    )
    return line === undefined ? [] : [{ ...line, head }]
  }
  const mark = ({ id }: JobRow): void => {
    db.run(
      `update job set state = 'running', attempt = attempt + 1, notBefore = $leasesUntil,
         firstClaimedAt = coalesce(firstClaimedAt, $wallNow), worker = $worker where id = $id`,
      { id, leasesUntil, wallNow, worker },
    )
  }
  const platforms = db.all<{ readonly platformId: string }>(
    "select distinct platformId from job where queue = $queue and state <> 'parked'",
    { queue },
  )
  let turns = platforms.flatMap(({ platformId }) => turnOf(platformId))
  const heads: Array<JobRow> = []
  while (heads.length < limit) {
    const [turn, ...others] = turns.toSorted(byTurn)
    if (turn === undefined || (leavesReserve && limit - heads.length - 1 < reserveFor(turn.running))) break
    const { platformId } = turn.head
    mark(turn.head)
    heads.push(turn.head)
    db.run("update state set claims = claims + 1")
    db.run(
      `insert into turn select $queue, $platformId, claims from state where true
       on conflict (queue, platformId) do update set served = excluded.served`,
      { queue, platformId },
    )
    turns = [...others, ...turnOf(platformId)]
  }
  heads.sort((a, b) => a.dueAt - b.dueAt || a.sequence - b.sequence)

  /** The jobs directly behind a head in its first attempt: due, of its kind, never claimed. */
  const runBehind = (head: JobRow): ReadonlyArray<ClaimedJob> => {
    if (runs === undefined || head.lane === null || head.attempt > 0 || !runs.kinds.includes(head.kind)) return []
    const { lane, platformId, sequence } = head
    const behind = db.all<JobRow>(
      `select * from job where queue = $queue and platformId = $platformId and lane = $lane and sequence > $sequence
       order by sequence limit $count`,
      { queue, platformId, lane, sequence, count: runs.jobsMax - 1 },
    )
    const end = behind.findIndex((job) => job.attempt > 0 || job.kind !== head.kind || job.dueAt > businessNow)
    return behind.slice(0, end < 0 ? behind.length : end).map((job) => {
      mark(job)
      return { ...claimedJob(job, request), behind: head.id }
    })
  }
  return [...heads.map((head) => claimedJob(head, request)), ...heads.flatMap(runBehind)]
}
