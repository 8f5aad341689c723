/**
 * How a step of a migration runs beside processes that work: alone among the migrating, shortly, and again when it was in the way.
 * Source: D-060.
 */
import type { Session } from "../connection/Connection.ts"
import { codeOf } from "../connection/Failure.ts"

/** The values of the first column that are there. */
export const ask = async (session: Session, text: string): Promise<ReadonlyArray<string>> =>
  (await session.query({ text, values: [] })).flatMap((row) => (row === null ? [] : [row]))

/** Any number that nobody else is likely to lock. */
const lock = 8462190537

/** A large index takes longer than any request may; and a table of which nothing is known yet would get a scan of all of it for each page. */
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
 * One process migrates at a time. The lock belongs to the session, so that it lasts longer than a transaction and ends with the
 * connection. Who waited for it inside of a statement would hold a snapshot, and an index that is made concurrently waits for those.
 */
export const alone = async <A>(session: Session, work: () => Promise<A>): Promise<A> => {
  while ((await ask(session, `select 1::text where pg_try_advisory_lock(${lock})`)).length === 0) {
    await ask(session, "select pg_sleep(0.1)::text")
  }
  const names = settings.map(([name]) => `'${name}'`).join(", ")
  const before = await ask(
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
    // Where this fails the connection is gone, and the lock with it.
    await set(before)
      .then(() => ask(session, `select pg_advisory_unlock(${lock})::text`))
      .catch(() => undefined)
  }
}

/** A lock that is not given in time, a deadlock, a serialization failure. */
const again: ReadonlyArray<string | undefined> = ["55P03", "40P01", "40001"]
const attemptsMax = 100

/** Tries again what was in the way of others. */
export const patiently = async <A>(session: Session, work: () => Promise<A>): Promise<A> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!again.includes(codeOf(error)) || attempt >= attemptsMax) throw error
      await ask(session, "select pg_sleep(0.5)::text")
    }
  }
}

/**
 * All or nothing, and no longer than two seconds in wait for a lock: whoever comes later waits behind the one who waits.
 */
export const shortly = <A>(session: Session, work: () => Promise<A>): Promise<A> =>
  patiently(session, async () => {
    await session.script("begin; set local lock_timeout = '2s'; set local search_path = countersign")
    try {
      const answer = await work()
      await session.script("commit")
      return answer
    } catch (error) {
      await session.script("rollback").catch(() => undefined)
      throw error
    }
  })
