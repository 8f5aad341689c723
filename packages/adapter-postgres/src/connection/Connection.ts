/**
 * What the store needs of a database: statements of one round trip, and one session for migrations. Whoever has another driver
 * implements this.
 * Source: architecture, "The Store port" (PostgreSQL).
 */

/** A list is of type `text[]`. */
export type Parameter = string | number | null | ReadonlyArray<string | null>

export interface Statement {
  /** Prepared under this name where the host prepares; absent: parsed each time. */
  readonly name?: string
  readonly text: string
  readonly values: ReadonlyArray<Parameter>
}

/** Answers the first column of each row, which is of type `text`. */
export type Query = (statement: Statement) => Promise<ReadonlyArray<string | null>>

/** A live subscription; `ended` settles when it no longer delivers. */
export interface Listening {
  readonly ended: Promise<void>
  readonly close: () => Promise<void>
}

export interface Session {
  readonly query: Query
  /** Several statements without parameters. */
  readonly script: (text: string) => Promise<void>
}

export interface Connection {
  readonly query: Query
  /** Runs statements on one session, which nobody else uses meanwhile. */
  readonly session: <A>(use: (session: Session) => Promise<A>) => Promise<A>
  /** How many commits may be on their way at once. */
  readonly lanes: number
  /** Whether statements run inside a transaction that somebody else began, and ends. */
  readonly isTransaction: boolean
  /** Whether no other process can use the database, of this release or another. */
  readonly isAlone?: boolean
  /** Wakes other processes and is woken by them; absent where the database has one process only. */
  readonly listen?: (
    channels: ReadonlyArray<string>,
    onMessage: (channel: string, payload: string) => void,
  ) => Promise<Listening>
}
