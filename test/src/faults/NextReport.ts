/**
 * Waits for the report of a commit to other processes. It is sent after the commit, on a connection of the pool that a test may be about to
 * break for another statement.
 * Source: D-453.
 */
import { once } from "node:events"
import type pg from "pg"

export interface NextReport extends AsyncDisposable {
  readonly arrived: Promise<unknown>
}

/** Listens from now on, on a connection of its own. */
export const nextReport = async (pool: pg.Pool): Promise<NextReport> => {
  const listener = await pool.connect()
  await listener.query("listen countersign_changes")
  return {
    arrived: once(listener, "notification"),
    [Symbol.asyncDispose]: async () => listener.release(true),
  }
}
