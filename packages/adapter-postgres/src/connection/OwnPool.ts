/**
 * The adapter's own pool: bounded waits for a server that does not answer; closed with its scope.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import { Effect, type Scope } from "effect"
import pg from "pg"
import type { Connection, Host } from "./Connection.ts"
import type { OwnedPool } from "./HostPool.ts"
import { addressOf, hostsOf } from "./Hosts.ts"
import * as PoolConnection from "./PoolConnection.ts"
import * as PrimaryPool from "./PrimaryPool.ts"
import * as WatchedPool from "./WatchedPool.ts"

const connectMillisMax = 5000
const statementMillisMax = 30_000

/** The size of one pool, and what is between it and the server. */
export interface OwnPoolOptions {
  /** How many connections it may have; 10 by default. */
  readonly connectionsMax?: number
  /** Whether a pooler that shares sessions is at `url`, which refuses the settings of a session. */
  readonly isShared?: boolean
}

const configOf = ({ connectionsMax = 10, isShared = false }: OwnPoolOptions): pg.PoolConfig => ({
  max: connectionsMax,
  application_name: "countersign",
  connectionTimeoutMillis: connectMillisMax,
  ...(isShared ? {} : { statement_timeout: statementMillisMax }),
  // An unreachable server cannot report its own statement timeout.
  query_timeout: statementMillisMax + connectMillisMax,
  keepAlive: true,
})

const poolAt = (url: string | undefined, options: OwnPoolOptions): OwnedPool => {
  const config = configOf(options)
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
): Effect.Effect<PoolConnection.PgPool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => poolAt(url, options)),
    (pool) => Effect.promise(() => pool.end()),
  )

/** The heartbeat of the workers, a migration, and one to spare. */
const directConnectionsMax = 3

/** The sessions that nobody shares, beside a pooler. */
export const openDirect = (url: string): Effect.Effect<PoolConnection.PgPool, never, Scope.Scope> =>
  open(url, { connectionsMax: directConnectionsMax })

/** How a connection over pools of the adapter reaches its server, and, in a cluster, the other nodes. */
export interface OwnConnectionOptions extends Omit<PoolConnection.PoolOptions, "toHost"> {
  /** As for `open`. */
  readonly url?: string | undefined
  /** Where `url` is a pooler that shares sessions: the server behind it, for which a small pool is opened, too. */
  readonly directUrl?: string | undefined
  /** How many connections each pool may have; 10 by default. */
  readonly connectionsMax?: number | undefined
}

/** A connection over pools of its own, which are closed with the scope: to the server, and to the other nodes of its cluster when asked. */
export const connect = Effect.fnUntraced(function* ({
  connectionsMax = 10,
  directUrl,
  url,
  ...options
}: OwnConnectionOptions = {}): Effect.fn.Return<Connection, never, Scope.Scope> {
  const direct = directUrl === undefined ? options.direct : yield* openDirect(directUrl)
  const pool = yield* open(url, { connectionsMax, isShared: direct !== undefined })
  const nodes = new Map<string, { readonly pool: OwnedPool; readonly connection: Connection }>()
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => Promise.all([...nodes.values()].map((node) => node.pool.end()))),
  )
  const toHost = (host: Host): Connection => {
    const address = addressOf(url, host)
    const known = nodes.get(address)
    if (known !== undefined) return known.connection
    const name = `${host.host}:${host.port}`
    const opened = WatchedPool.make({ url: address, name, config: configOf({ connectionsMax }) })
    const { direct: _, ...own } = options
    const connection = PoolConnection.make(opened, own)
    nodes.set(address, { pool: opened, connection })
    return connection
  }
  return PoolConnection.make(pool, { ...options, toHost, ...(direct === undefined ? {} : { direct }) })
})
