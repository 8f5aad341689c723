/**
 * A connection to PGlite: PostgreSQL in this process, with one session.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import type { Connection, Query } from "./Connection.ts"

/** A PGlite database, as far as it is used here. */
export interface PgliteDatabase {
  readonly query: (
    text: string,
    values: Array<unknown>,
    options: { readonly rowMode: "array" },
  ) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  readonly exec: (text: string) => Promise<unknown>
}

const firstColumn = (row: unknown): string | null => {
  const value: unknown = Array.isArray(row) ? row[0] : null
  return value === null || value === undefined ? null : String(value)
}

/** It has no connections to lose and no other process to wake; statements wait for one another. */
export const make = (database: PgliteDatabase): Connection => {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(use: () => Promise<A>): Promise<A> => {
    const turn = last.then(use, use)
    last = turn.catch(() => undefined)
    return turn
  }
  const query: Query = async ({ text, values }) => {
    const { rows } = await database.query(text, [...values], { rowMode: "array" })
    return rows.map(firstColumn)
  }
  const script = async (text: string) => {
    await database.exec(text)
  }
  return {
    query: (statement) => inTurn(() => query(statement)),
    session: (use) => inTurn(() => use({ query, script })),
    lanes: 1,
    isTransaction: false,
    isAlone: true,
  }
}
