/**
 * What the store needs from a database driver: statements in one round trip each, and sessions for migrations. Implement this interface
 * to use another driver.
 * Source: architecture, "The Store port" (PostgreSQL).
 */

/** A list is of type `text[]`. */
export type Parameter = string | number | null | ReadonlyArray<string | null>

/** A statement of SQL with its parameters, `$1` first. */
export interface Statement {
  /** Prepared under this name if the connection prepares statements; absent: parsed each time. */
  readonly name?: string
  readonly text: string
  readonly values: ReadonlyArray<Parameter>
  /** How long its answer is waited for, in milliseconds; absent: as long as the connection does. */
  readonly answerMillisMax?: number
}

/** Returns the first column of each row, which is of type `text`. */
export type Query = (statement: Statement) => Promise<ReadonlyArray<string | null>>

/** A live subscription on a session of its own; `ended` settles when the session has ended. */
export interface Listening {
  /** Runs a statement on this session. */
  readonly query: Query
  readonly ended: Promise<void>
  readonly close: () => Promise<void>
}

/** One session of the database, which belongs to its caller until the callback ends. */
export interface Session {
  readonly query: Query
  /** Runs several statements without parameters. */
  readonly script: (text: string) => Promise<void>
}

/** A server of a cluster. */
export interface Host {
  readonly host: string
  readonly port: number
}

export interface Connection {
  readonly query: Query
  /** Runs statements on one session that no other caller uses meanwhile. */
  readonly session: <A>(use: (session: Session) => Promise<A>) => Promise<A>
  /** Like `session`, for transactions that are short; absent: those are in a session, too. */
  readonly transaction?: <A>(use: (session: Session) => Promise<A>) => Promise<A>
  /** How many batches of commits, and how many of reads, may be in flight at once. */
  readonly concurrentBatches: number
  /** Whether statements run inside a transaction that the embedder began and will end. */
  readonly isTransaction: boolean
  /** Whether no other process, of this release or another, can use the database. */
  readonly isSingleProcess?: boolean
  /**
   * Subscribes to the wake-ups of other processes, on a session that belongs to this process as long as its connection lasts. Absent if
   * only one process can use the database, or if no such session can be had.
   */
  readonly listen?: (
    channels: ReadonlyArray<string>,
    onMessage: (channel: string, payload: string) => void,
  ) => Promise<Listening>
  /** A connection to another server of the cluster, with the same user and database. Absent: no other server can be reached. */
  readonly toHost?: (host: Host) => Connection
  /** Aborts when the server no longer answers, and is aborted as long as it does not; absent: it is not known. */
  readonly lost?: () => AbortSignal
}
