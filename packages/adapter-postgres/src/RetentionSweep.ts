/**
 * Deletes receipts and events whose retention has ended: a bounded number at a time, between commits.
 * Source: architecture, "Load, ask, decide, commit" (idempotency record); ports/ChangeSet.ts (ReplayRecord); D-056.
 */
import type { Connection } from "./connection/Connection.ts"
import { functions } from "./functions/Functions.ts"

/** The sweep deletes more rows than the commits since the last sweep have added. */
const commitsPerSweep = 500
const rowsPerSweepMax = 2000

/** Returns the function to call after each commit. */
export const make = (connection: Connection): ((wallNow: number, businessNow: number) => void) => {
  let commits = 0
  return (wallNow, businessNow) => {
    commits += 1
    if (commits < commitsPerSweep) return
    commits = 0
    const statement = {
      text: `select ${functions.forget}($1::bigint, $2::bigint, $3::int)`,
      values: [wallNow, businessNow, rowsPerSweepMax],
    }
    // A sweep that fails is made up for by the next one.
    connection.query(statement).catch(() => undefined)
  }
}
