/** One connection to a file of SQLite, which only this process can open, with prepared statements and transactions. */
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { Schema } from "./Schema.ts"

type Value = string | number | null
/** Named parameters of a statement. */
export type Values = { readonly [name: string]: Value }

export interface Database {
  /** Returns the rows as plain objects. The type argument says which columns the statement selects. */
  readonly all: <Row>(sql: string, values?: Values) => ReadonlyArray<Row>
  readonly get: <Row>(sql: string, values?: Values) => Row | undefined
  /** Returns the number of changed rows. */
  readonly run: (sql: string, values?: Values) => number
  readonly insert: (table: string, row: Values) => void
  /** Runs a function between `begin immediate` and `commit`; rolls back and rethrows if it throws. */
  readonly transaction: <A>(body: () => A) => A
  readonly close: () => void
}

/** Whether SQLite failed for a reason outside of the statement: a busy, full, read-only or broken file. */
export const isUnavailable = (cause: unknown): boolean => {
  const code = cause instanceof Error && "errcode" in cause ? cause.errcode : undefined
  // The lower byte is the primary code: BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB.
  return typeof code === "number" && [5, 6, 7, 8, 10, 11, 13, 14, 26].includes(code & 0xff)
}

export const open = (file: string): Database => {
  const connection = new DatabaseSync(file)
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? connection.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const all = <Row>(sql: string, values: Values = {}): ReadonlyArray<Row> => {
    const rows: ReadonlyArray<unknown> = prepared(sql).all(values)
    // The rows of SQLite have no prototype.
    return rows.map((row) => ({ ...(row as Row) }))
  }
  const run = (sql: string, values: Values = {}): number => Number(prepared(sql).run(values).changes)

  try {
    // The lock is the operating system's: it ends with the process, however that ends.
    connection.exec("pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full")
    connection.exec(Schema.text)
  } catch (cause) {
    connection.close()
    throw cause
  }
  return {
    all,
    get: (sql, values) => all<never>(sql, values)[0],
    run,
    insert: (table, row) => {
      const names = Object.keys(row)
      run(`insert into ${table} (${names}) values (${names.map((name) => `$${name}`)})`, row)
    },
    transaction: (body) => {
      connection.exec("begin immediate")
      try {
        const result = body()
        connection.exec("commit")
        return result
      } catch (cause) {
        // A failed commit may have ended the transaction already.
        if (connection.isTransaction) connection.exec("rollback")
        throw cause
      }
    },
    close: () => connection.close(),
  }
}
