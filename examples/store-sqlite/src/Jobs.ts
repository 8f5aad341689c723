/** Unfinished jobs: what a commit adds, finishes and returns. */
import type { Caller } from "@countersign/core"
import { type ChangeSet, isParkedJobDecision, type JobFence, type Queue, sees } from "@countersign/core/store"
import type { Database } from "./Database.ts"
import { conflict } from "./Refusal.ts"

export interface JobRow {
  readonly sequence: number
  readonly id: string
  readonly queue: Queue
  readonly platformId: string
  readonly customerId: string | null
  readonly kind: string
  readonly lane: string | null
  readonly laneHoldMillis: number | null
  readonly dueAt: number
  readonly payload: string
  readonly state: "waiting" | "running" | "parked"
  readonly attempt: number
  /** Wall time (ms) before which it is not claimed: the end of a back-off, or of the lease of a running job. */
  readonly notBefore: number
  readonly firstClaimedAt: number | null
  readonly error: string | null
}

/** Whether a lane has jobs, parked ones included. */
export const isInLane = (
  db: Database,
  job: { readonly queue: Queue; readonly platformId: string; readonly lane: string },
): boolean => {
  const { lane, platformId, queue } = job
  const where = "queue = $queue and platformId = $platformId and lane = $lane"
  return db.get(`select 1 as found from job where ${where} limit 1`, { queue, platformId, lane }) !== undefined
}

/** Its time for retries begins again. */
const resumed = `update job set state = 'waiting', notBefore = 0, firstClaimedAt = $wallNow, error = null where id = $id`
const returned = `update job set state = $state, notBefore = $notBefore, error = $error, payload = coalesce($payload, payload)
  where id = $id`

/** Finishes and returns claimed jobs, also after their lease, and applies decisions on parked ones. */
export const settle = (db: Database, set: ChangeSet, caller: Caller, wallNow: number): void => {
  const assertFence = ({ attempt, id }: JobFence, state: JobRow["state"]): void => {
    const job = db.get<JobRow>("select * from job where id = $id", { id })
    if (job === undefined || !sees(caller, job) || job.state !== state || job.attempt !== attempt) conflict(`job ${id}`)
  }
  const remove = (id: string) => db.run("delete from job where id = $id", { id })
  for (const fence of set.finishes) {
    assertFence(fence, "running")
    remove(fence.id)
  }
  for (const change of set.returns) {
    const { id } = change
    if (isParkedJobDecision(change)) {
      assertFence(change, "parked")
      if (change.outcome === "dropped") remove(id)
      else db.run(resumed, { id, wallNow })
      continue
    }
    assertFence(change, "running")
    const { error, notBefore, outcome } = change
    const payload = change.payload === undefined ? null : JSON.stringify(change.payload)
    db.run(returned, { id, state: outcome === "parked" ? "parked" : "waiting", notBefore, error, payload })
  }
}

/** Appends the new jobs in the order of the set. */
export const append = (db: Database, set: ChangeSet, { platformId }: Caller): void => {
  const opened = set.jobs.filter(({ opensLane }) => opensLane === true)
  for (const { lane = "", queue } of opened) {
    if (isInLane(db, { queue, platformId, lane })) throw new Error(`lane ${lane} is open already`)
  }
  for (const { customerId, dueAt, id, kind, lane = null, laneHoldMillis = null, payload, queue } of set.jobs) {
    if (db.get("select 1 as found from job where id = $id", { id }) !== undefined) conflict(`job ${id}`)
    db.insert("job", {
      id,
      queue,
      platformId,
      customerId,
      kind,
      lane,
      laneHoldMillis,
      dueAt,
      payload: JSON.stringify(payload),
    })
  }
}

/** Ends the leases of a process that is gone: no worker runs these jobs. */
export const release = (db: Database): number => db.run("update job set notBefore = 0 where state = 'running'")
