/**
 * A connection to PGlite: PostgreSQL in this process, with one session.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import type { Connection, Session } from "./Connection.ts"
import { endsSession, NotConnected } from "./Failure.ts"

/** The part of a PGlite database that this adapter uses. */
export interface PgliteDatabase {
  readonly query: (
    text: string,
    values: Array<unknown>,
    options: { readonly rowMode: "array" },
  ) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  readonly exec: (text: string) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** What happens when the database ends by itself. */
export interface PgliteOptions {
  /**
   * Reopens a database that has ended by itself, as it does when it cannot write its log. Each statement calls it until it succeeds.
   * Absent: the database stays unavailable.
   */
  readonly reopen?: () => Promise<PgliteDatabase>
}

export interface PgliteConnection extends Connection {
  /** Closes the database after the running statements. Does nothing for a database that has ended by itself. */
  readonly close: () => Promise<void>
}

const firstColumn = (row: unknown): string | null => {
  const value: unknown = Array.isArray(row) ? row[0] : null
  return value === null || value === undefined ? null : String(value)
}

/**
 * Runs one session at a time. A database that has ended by itself would never answer and would block this process, so no further
 * statement is sent to it.
 */
export const make = (database: PgliteDatabase, { reopen }: PgliteOptions = {}): PgliteConnection => {
  let current: PgliteDatabase | undefined = database
  let cause: unknown
  const open = async (): Promise<PgliteDatabase> => {
    if (current !== undefined) return current
    try {
      current = await reopen?.()
    } catch (error) {
      cause = error
    }
    if (current === undefined) throw new NotConnected(cause)
    return current
  }
  const sessionOn = (one: PgliteDatabase): Session => {
    const guarded = async <A>(run: () => Promise<A>): Promise<A> => {
      if (one !== current) throw new NotConnected(cause)
      try {
        return await run()
      } catch (error) {
        if (endsSession(error)) {
          current = undefined
          cause = error
        }
        throw error
      }
    }
    return {
      query: async ({ text, values }) => {
        const { rows } = await guarded(() => one.query(text, [...values], { rowMode: "array" }))
        return rows.map(firstColumn)
      },
      script: async (text) => {
        await guarded(() => one.exec(text))
      },
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <A>(use: () => Promise<A>): Promise<A> => {
    const result = last.then(use)
    last = result.catch(() => undefined)
    return result
  }
  const session: Connection["session"] = (use) => inOrder(async () => use(sessionOn(await open())))
  return {
    query: (statement) => session(({ query }) => query(statement)),
    session,
    close: () => inOrder(async () => current?.close()),
    concurrentBatches: 1,
    isTransaction: false,
    isSingleProcess: true,
  }
}
