/**
 * A pool of one's own: it gives up on a server that does not answer, and ends with its scope.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import { Effect, type Scope } from "effect"
import pg from "pg"
import type { PgPool } from "./PoolConnection.ts"

const connectMillisMax = 5000
const statementMillisMax = 30_000

/** At `url`, or where the usual PG variables of the environment say. */
export const open = (url: string | undefined, max = 10): Effect.Effect<PgPool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        ...(url === undefined ? {} : { connectionString: url }),
        max,
        application_name: "countersign",
        connectionTimeoutMillis: connectMillisMax,
        statement_timeout: statementMillisMax,
        // A server that is cut off cannot say that its time is up.
        query_timeout: statementMillisMax + connectMillisMax,
        keepAlive: true,
      })
      // An idle connection that breaks is replaced at its next use.
      pool.on("error", () => undefined)
      return pool
    }),
    (pool) => Effect.promise(() => pool.end()),
  )
