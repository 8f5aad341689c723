/**
 * The adapter's own pool: bounded waits for a server that does not answer; closed with its scope.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import { Effect, type Scope } from "effect"
import pg from "pg"
import { hostsOf } from "./Hosts.ts"
import type { PgPool } from "./PoolConnection.ts"
import * as PrimaryPool from "./PrimaryPool.ts"

const connectMillisMax = 5000
const statementMillisMax = 30_000

/** A pool that its owner ends. */
interface OwnedPool extends PgPool {
  readonly end: () => Promise<void>
}

export interface OwnPoolOptions {
  /** How many connections it may have; 10 by default. */
  readonly connectionsMax?: number
  /** Whether a pooler that shares sessions is at `url`, which refuses the settings of a session. */
  readonly isShared?: boolean
}

const poolAt = (url: string | undefined, { connectionsMax = 10, isShared = false }: OwnPoolOptions): OwnedPool => {
  const config: pg.PoolConfig = {
    max: connectionsMax,
    application_name: "countersign",
    connectionTimeoutMillis: connectMillisMax,
    ...(isShared ? {} : { statement_timeout: statementMillisMax }),
    // An unreachable server cannot report its own statement timeout.
    query_timeout: statementMillisMax + connectMillisMax,
    keepAlive: true,
  }
  const urls = url === undefined ? [] : (hostsOf(url) ?? [url])
  if (urls.length > 1) return PrimaryPool.make({ urls, config })
  const [only] = urls
  const pool = new pg.Pool({ ...config, ...(only === undefined ? {} : { connectionString: only }) })
  // An idle connection that breaks is replaced at its next use.
  pool.on("error", () => undefined)
  return pool
}

/**
 * Connects to `url`, or to the server that the standard PG environment variables name. Of several hosts, separated by commas, it connects
 * to the primary.
 */
export const open = (
  url: string | undefined,
  options: OwnPoolOptions = {},
): Effect.Effect<PgPool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => poolAt(url, options)),
    (pool) => Effect.promise(() => pool.end()),
  )

/** The heartbeat of the workers, a migration, and one to spare. */
const directConnectionsMax = 3

/** The sessions that nobody shares, beside a pooler. */
export const openDirect = (url: string): Effect.Effect<PgPool, never, Scope.Scope> =>
  open(url, { connectionsMax: directConnectionsMax })
