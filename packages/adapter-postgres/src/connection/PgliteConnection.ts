/**
 * A connection to PGlite: PostgreSQL in this process, with one session.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import type { Connection, Session } from "./Connection.ts"
import { hasEnded, NotConnected } from "./Failure.ts"

/** A PGlite database, as far as it is used here. */
export interface PgliteDatabase {
  readonly query: (
    text: string,
    values: Array<unknown>,
    options: { readonly rowMode: "array" },
  ) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  readonly exec: (text: string) => Promise<unknown>
  readonly close: () => Promise<void>
}

export interface PgliteOptions {
  /**
   * Opens the database once more when it has ended by itself, as one does that cannot write its log; each statement asks for it until it
   * has. Absent: the database stays away.
   */
  readonly again?: () => Promise<PgliteDatabase>
}

export interface PgliteConnection extends Connection {
  /** Closes the database after what it still does; one that has ended by itself is left as it is. */
  readonly close: () => Promise<void>
}

const firstColumn = (row: unknown): string | null => {
  const value: unknown = Array.isArray(row) ? row[0] : null
  return value === null || value === undefined ? null : String(value)
}

/**
 * It has no connections to lose and no other process to wake; statements wait for one another. A database that has ended by itself
 * would never answer again, nor let anything else happen here: it is not asked any more.
 */
export const make = (database: PgliteDatabase, { again }: PgliteOptions = {}): PgliteConnection => {
  let present: PgliteDatabase | undefined = database
  let reason: unknown
  const opened = async (): Promise<PgliteDatabase> => {
    if (present !== undefined) return present
    try {
      present = await again?.()
    } catch (error) {
      reason = error
    }
    if (present === undefined) throw new NotConnected(reason)
    return present
  }
  const sessionOn = (one: PgliteDatabase): Session => {
    const asking = async <A>(ask: () => Promise<A>): Promise<A> => {
      if (one !== present) throw new NotConnected(reason)
      try {
        return await ask()
      } catch (error) {
        if (hasEnded(error)) {
          present = undefined
          reason = error
        }
        throw error
      }
    }
    return {
      query: async ({ text, values }) => {
        const { rows } = await asking(() => one.query(text, [...values], { rowMode: "array" }))
        return rows.map(firstColumn)
      },
      script: async (text) => {
        await asking(() => one.exec(text))
      },
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(use: () => Promise<A>): Promise<A> => {
    const turn = last.then(use)
    last = turn.catch(() => undefined)
    return turn
  }
  const session: Connection["session"] = (use) => inTurn(async () => use(sessionOn(await opened())))
  return {
    query: (statement) => session(({ query }) => query(statement)),
    session,
    close: () => inTurn(async () => present?.close()),
    lanes: 1,
    isTransaction: false,
    isAlone: true,
  }
}
