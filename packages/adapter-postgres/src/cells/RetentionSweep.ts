/**
 * Deletes receipts and events whose retention has ended: a bounded number at a time, between commits.
 * Source: architecture, "Load, ask, decide, commit" (idempotency record); ports/ChangeSet.ts (ReplayRecord); D-056.
 */
import type { Connection } from "../connection/Connection.ts"
import { functions } from "../functions/Functions.ts"

/** A sweep deletes more rows than the commits since the last sweep of the same cell have added to it. */
const commitsPerSweep = 500
const rowsPerSweepMax = 2000

/** Returns the function to call after each commit in any of the cells, which are swept in turn. */
export const make = (cells: ReadonlyArray<Connection>): ((wallNow: number, businessNow: number) => void) => {
  let commits = 0
  let sweeps = 0
  return (wallNow, businessNow) => {
    commits += 1
    const cell = cells[sweeps % cells.length]
    // Every cell in turn, and each after its number of commits: all at once would take all connections.
    if (commits * cells.length < commitsPerSweep || cell === undefined) return
    commits = 0
    sweeps += 1
    const statement = {
      text: `select ${functions.forget}($1::bigint, $2::bigint, $3::int)`,
      values: [wallNow, businessNow, rowsPerSweepMax],
    }
    // A sweep that fails is made up for by the next one.
    cell.query(statement).catch(() => undefined)
  }
}
