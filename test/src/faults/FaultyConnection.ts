/**
 * A connection whose commits fail on demand: before the database does anything, or after it has committed and before the answer arrives.
 * Source: connection/Failure.ts; PostgreSQL manual, appendix A (error codes).
 */
import type { Connection, Statement } from "@countersign/adapter-postgres"

/**
 * `code`: the server refuses with this SQLSTATE and applies nothing; with `ofMany` only a statement with several change sets, for which the
 * fault waits. `answer lost`: the commit is applied, and the connection breaks.
 */
export type Fault = { readonly code: string; readonly ofMany?: true } | "answer lost"

export interface FaultyConnection {
  readonly connection: Connection
  /** The failures of the next commits, one each; later commits succeed. */
  readonly failCommits: (...faults: ReadonlyArray<Fault>) => void
  /** The failure of all statements until it is removed. */
  readonly failAll: (fault: Fault | undefined) => void
}

const serverError = (code: string): Error =>
  Object.assign(new Error(`the server says ${code}`), { code, severity: "ERROR" })

const isCommit = ({ name = "" }: Statement): boolean => name.startsWith("countersign_commit")

const carriesMany = ({ values: [sets] }: Statement): boolean => {
  const found: unknown = JSON.parse(String(sets))
  return !Array.isArray(found) || found.length > 1
}

export const faultyConnection = (sound: Connection): FaultyConnection => {
  const next: Array<Fault> = []
  let always: Fault | undefined
  const nextOf = (statement: Statement): Fault | undefined => {
    const [fault] = next
    const waits = fault === undefined || (fault !== "answer lost" && fault.ofMany === true && !carriesMany(statement))
    return waits ? undefined : next.shift()
  }
  const query = async (statement: Statement) => {
    const fault = (isCommit(statement) ? nextOf(statement) : undefined) ?? always
    if (fault === undefined) return sound.query(statement)
    if (fault !== "answer lost") throw serverError(fault.code)
    await sound.query(statement)
    throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
  }
  return {
    connection: { ...sound, query },
    failCommits: (...faults) => void next.push(...faults),
    failAll: (fault) => {
      always = fault
    },
  }
}
