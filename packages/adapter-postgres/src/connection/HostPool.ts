/** A pool of connections to one host, which can be given up at once with all that waits for it. Source: D-508, D-517. */
import pg from "pg"
import type { PgClient, PgPool } from "./PoolConnection.ts"

/** A pool that its owner ends. */
export interface OwnedPool extends PgPool {
  readonly end: () => Promise<void>
}

export interface HostPool {
  readonly connect: () => Promise<pg.PoolClient>
  readonly end: () => Promise<void>
  /** Ends its connections. Those that wait for one, or for an answer, fail now: a frozen host would let them wait for their time-out. */
  readonly lose: (error: Error) => void
}

/** `onAcquire` is called with each client before the pool hands it out. */
export const make = (config: pg.PoolConfig, onAcquire: (client: PgClient) => void): HostPool => {
  const clients = new Set<pg.PoolClient>()
  /** Those who wait for a connection, and what tells them that the host is lost. */
  const waiting = new Set<(error: Error) => void>()
  const pool = new pg.Pool(config)
  // An idle connection that breaks is replaced at its next use.
  pool.on("error", () => undefined)
  pool.on("acquire", (client) => {
    clients.add(client)
    onAcquire(client)
  })
  pool.on("remove", (client) => clients.delete(client as pg.PoolClient))
  return {
    connect: () =>
      new Promise((resolve, reject) => {
        const settled = () => waiting.delete(reject)
        waiting.add(reject)
        pool.connect().then(
          (client) => {
            // Nobody waits any more for a connection to a host that was lost.
            if (settled()) resolve(client)
            else client.release(true)
          },
          (error: unknown) => {
            settled()
            reject(error)
          },
        )
      }),
    end: () => pool.end(),
    lose: (error) => {
      for (const onLost of waiting) onLost(error)
      waiting.clear()
      for (const client of clients) if (client instanceof pg.Client) client.end().catch(() => undefined)
      pool.end().catch(() => undefined)
    },
  }
}
