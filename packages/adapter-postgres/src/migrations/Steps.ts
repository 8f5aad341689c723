/**
 * How a migration runs beside working processes: one process migrates at a time, transactions are short, and a blocked step is retried.
 * Source: D-060.
 */
import type { Session } from "../connection/Connection.ts"
import { codeOf } from "../connection/Failure.ts"

/** Reads the values of the first column, without nulls. */
export const readColumn = async (session: Session, text: string): Promise<ReadonlyArray<string>> =>
  (await session.query({ text, values: [] })).flatMap((row) => (row === null ? [] : [row]))

/** The key of the advisory lock: any number that no other program is likely to use. */
const migrationLock = 8462190537

/**
 * A large index takes longer than the timeout of a request. Without the planner settings, a table without statistics would be scanned
 * completely for each page.
 */
const settings = [
  ["statement_timeout", "0"],
  ["lock_timeout", "0"],
  ["enable_seqscan", "off"],
  ["enable_bitmapscan", "off"],
  ["enable_sort", "off"],
  ["enable_hashjoin", "off"],
  ["enable_mergejoin", "off"],
] as const

/**
 * Runs `work` in one process at a time. The lock belongs to the session: it outlives transactions and ends with the connection. The
 * lock is polled, because a waiting statement would hold a snapshot, and `create index concurrently` waits for snapshots.
 */
export const exclusively = async <A>(session: Session, work: () => Promise<A>): Promise<A> => {
  while ((await readColumn(session, `select 1::text where pg_try_advisory_lock(${migrationLock})`)).length === 0) {
    await readColumn(session, "select pg_sleep(0.1)::text")
  }
  const names = settings.map(([name]) => `'${name}'`).join(", ")
  const before = await readColumn(
    session,
    `select current_setting(name) from unnest(array[${names}]) with ordinality s (name, place) order by place`,
  )
  const set = async (values: ReadonlyArray<string>): Promise<void> => {
    for (const [index, [name, own]] of settings.entries()) {
      await session.query({ text: "select set_config($1, $2, false)", values: [name, values[index] ?? own] })
    }
  }
  try {
    await set([])
    return await work()
  } finally {
    // If this fails the connection is lost, and the lock with it.
    await set(before)
      .then(() => readColumn(session, `select pg_advisory_unlock(${migrationLock})::text`))
      .catch(() => undefined)
  }
}

/** A lock timeout, a deadlock, a serialization failure. */
const retryable: ReadonlyArray<string | undefined> = ["55P03", "40P01", "40001"]
const attemptsMax = 100

/** Retries `work` while it fails because of other transactions. */
export const withRetries = async <A>(session: Session, work: () => Promise<A>): Promise<A> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!retryable.includes(codeOf(error)) || attempt >= attemptsMax) throw error
      await readColumn(session, "select pg_sleep(0.5)::text")
    }
  }
}

/**
 * Runs `work` in a transaction that waits at most two seconds for a lock, because later transactions queue behind a waiting one. Retries
 * it while it fails because of other transactions.
 */
export const inShortTransaction = <A>(session: Session, work: () => Promise<A>): Promise<A> =>
  withRetries(session, async () => {
    await session.script("begin; set local lock_timeout = '2s'; set local search_path = countersign")
    try {
      const result = await work()
      await session.script("commit")
      return result
    } catch (error) {
      await session.script("rollback").catch(() => undefined)
      throw error
    }
  })
