/** What the checks of the database functions need, and what each of them is. */
import type { Connection } from "@countersign/adapter-postgres"
import type { Store, StoreUnavailable } from "@countersign/core/store"
import type { Layer } from "effect"
import type pg from "pg"

export interface FunctionCheck {
  readonly title: string
  readonly run: () => Promise<void>
}

export interface FunctionParts {
  /** Empties the database whenever it is built. */
  readonly store: Layer.Layer<Store, StoreUnavailable>
  readonly connection: Connection
  readonly pool: pg.Pool
}

/** Runs something while another transaction has executed statements, which are undone afterwards. */
export const besideTransaction = async <A>(
  pool: pg.Pool,
  statements: ReadonlyArray<string>,
  use: () => Promise<A>,
): Promise<A> => {
  const session = await pool.connect()
  try {
    await session.query("begin")
    for (const statement of statements) await session.query(statement)
    return await use()
  } finally {
    await session.query("rollback")
    session.release()
  }
}
