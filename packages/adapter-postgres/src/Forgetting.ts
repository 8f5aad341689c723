/**
 * Forgets receipts of commits that nobody asks for any more, and events whose retention has ended: a few, now and then, behind
 * the commits.
 * Source: architecture, "Load, ask, decide, commit" (idempotency record); ports/ChangeSet.ts (ReplayRecord); D-056.
 */
import type { Connection } from "./connection/Connection.ts"
import { functions } from "./functions/Functions.ts"

/** More are forgotten at a time than were added since the last time. */
const everyCommits = 500
const forgottenAtOnce = 2000

/** To be called after each commit. */
export const make = (connection: Connection): ((wallNow: number, businessNow: number) => void) => {
  let commits = 0
  return (wallNow, businessNow) => {
    commits += 1
    if (commits < everyCommits) return
    commits = 0
    const statement = {
      text: `select ${functions.forget}($1::bigint, $2::bigint, $3::int)`,
      values: [wallNow, businessNow, forgottenAtOnce],
    }
    // What is not forgotten now is forgotten another time.
    connection.query(statement).catch(() => undefined)
  }
}
