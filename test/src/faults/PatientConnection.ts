/** A connection whose commits wait for locks in the database for as long as the lock is held, so that a test finds them there. */
import type { Connection } from "@countersign/adapter-postgres"

/** The argument of the commit functions that bounds the wait for each lock. */
const lockWait = /, 200(?=[,)])/u

export const patient = (connection: Connection): Connection => ({
  ...connection,
  query: (statement) => connection.query({ ...statement, text: statement.text.replace(lockWait, ", 60000") }),
})
