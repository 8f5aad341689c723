/**
 * The adapter's own pool: bounded waits for a server that does not answer; closed with its scope.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import { Effect, type Scope } from "effect"
import pg from "pg"
import type { PgPool } from "./PoolConnection.ts"

const connectMillisMax = 5000
const statementMillisMax = 30_000

/** Connects to `url`, or to the server that the standard PG environment variables name. */
export const open = (url: string | undefined, max = 10): Effect.Effect<PgPool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        ...(url === undefined ? {} : { connectionString: url }),
        max,
        application_name: "countersign",
        connectionTimeoutMillis: connectMillisMax,
        statement_timeout: statementMillisMax,
        // An unreachable server cannot report its own statement timeout.
        query_timeout: statementMillisMax + connectMillisMax,
        keepAlive: true,
      })
      // An idle connection that breaks is replaced at its next use.
      pool.on("error", () => undefined)
      return pool
    }),
    (pool) => Effect.promise(() => pool.end()),
  )
