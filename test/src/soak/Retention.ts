/**
 * The end of a soak run: the retention of all that it left ends, and what remains must be what the records need. A run of hours cannot wait
 * for 30 days. Business time is advanced as a client advances it. Wall time cannot be moved, so that the expiry of receipts is moved back
 * instead. Sweeps of the service must then delete rows behind its commits; the rest of a long run is deleted by the same function at once.
 * Source: D-056, D-101, D-515.
 */
import type pg from "pg"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import { eventually } from "../e2e/Deadline.ts"
import type { SoakRequests } from "./SoakRequests.ts"
import { retained } from "./Tables.ts"

const dayMillis = 86_400_000
/** Above every retention: 24 hours, 8 and 30 days. */
const days = 31
/** The commits of a process after which it sweeps, and some more for those that fail or belong to another process. */
const commitsPerSweep = 520
const callers = 16
const rowsAtOnce = 20_000

const numberOf = async (pool: pg.Pool, text: string, values: ReadonlyArray<unknown> = []): Promise<number> =>
  Number((await pool.query<{ readonly n: string }>(`select (${text})::text as n`, [...values])).rows[0]?.n)

/** Unix milliseconds by the business time of the store. */
const businessNow = (pool: pg.Pool): Promise<number> =>
  numberOf(pool, `${Date.now()} + coalesce((select ahead_millis from countersign.business_time), 0)`)

/** The rows of each table whose retention has ended. */
const expiredByTable = async (
  pool: pg.Pool,
): Promise<ReadonlyArray<{ readonly table: string; readonly rows: number }>> => {
  const times = { wall: Date.now(), business: await businessNow(pool) }
  const textOf = ({ clock, table }: (typeof retained)[number]) =>
    clock === null
      ? `select count(*) from countersign.${table} a where not exists (
           select from countersign.event e where e.owner_id = a.owner_id and e.id = a.event_id)`
      : `select count(*) from countersign.${table} where expires_at <= ${times[clock]}`
  return Promise.all(retained.map(async (one) => ({ table: one.table, rows: await numberOf(pool, textOf(one)) })))
}

const expiredRows = async (pool: pg.Pool): Promise<number> =>
  (await expiredByTable(pool)).reduce((sum, { rows }) => sum + rows, 0)

const advance = async (requests: SoakRequests, target: number): Promise<void> => {
  const body = { to: new Date(target).toISOString() }
  const once = async () => {
    const sent = { operation: "advance", expected: [200], body }
    return (await requests.send("POST", "/sandbox/clock/advance", sent)).body["isComplete"]
  }
  await eventually("the advance", once, (isComplete) => isComplete === true, 300_000)
}

/** The jobs that are due or running. Others wait for their time, as a session waits for its end. */
export const dueJobs = async (pool: pg.Pool): Promise<number> =>
  numberOf(pool, "select count(*) from countersign.job where state <> 'parked' and due_at <= $1", [
    await businessNow(pool),
  ])

export interface RetentionSummary {
  /** The rows whose retention had ended, before and after the commits of the service. */
  readonly expired: number
  readonly afterSweeps: number
  readonly problems: ReadonlyArray<string>
}

export const endRetention = async (
  pool: pg.Pool,
  requests: SoakRequests,
  agentIds: ReadonlyArray<string>,
): Promise<RetentionSummary> => {
  await advance(requests, (await businessNow(pool)) + days * dayMillis)
  await eventually(
    "the jobs that became due",
    () => dueJobs(pool),
    (left) => left === 0,
    300_000,
  )
  for (const { clock, table } of retained) {
    if (clock !== "wall") continue
    await pool.query(`update countersign.${table} set expires_at = expires_at - ${days * dayMillis}`)
  }
  const entries = await numberOf(pool, "select count(*) from countersign.ledger_entry")
  const expired = await expiredRows(pool)

  let left = commitsPerSweep
  const caller = async () => {
    while (left > 0) {
      left -= 1
      // A change without an event: its delivery would outlast it.
      const request = { operation: "name of an agent", expected: [200], body: { name: `Agent ${left}` } }
      await requests.send("PATCH", `/agents/${agentIds[left % agentIds.length]}`, request)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const isLess = (rows: number) => rows < expired
  const afterSweeps = await eventually("a sweep", () => expiredRows(pool), isLess, 30_000).catch(() => expired)

  for (let deleted = 1; deleted > 0; ) {
    const now = [Date.now(), await businessNow(pool), rowsAtOnce]
    deleted = await numberOf(pool, `select ${functions.forget}($1::bigint, $2::bigint, $3::int)`, now)
  }
  const rest = await expiredByTable(pool)
  const kept = await numberOf(pool, "select count(*) from countersign.ledger_entry")
  const problems = [
    ...(expired > 0 ? [] : ["the run left nothing whose retention could end"]),
    ...(isLess(afterSweeps)
      ? []
      : [`${commitsPerSweep} commits swept none of ${expired} rows whose retention has ended`]),
    ...rest.flatMap(({ rows, table }) =>
      rows === 0 ? [] : [`${rows} rows of ${table} are kept although their retention has ended`],
    ),
    ...(kept >= entries ? [] : [`${entries - kept} entries of the ledger were deleted`]),
  ]
  return { expired, afterSweeps, problems }
}
