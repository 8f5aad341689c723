/**
 * A pool over several hosts: its connections are those of the primary, which may change. A standby that was promoted has a higher timeline;
 * a primary of a lower timeline than one that this process has seen is an old one that came back, and is refused.
 * Source: D-508; PostgreSQL manual, 26.3 (failover) and 25.3.6 (timelines).
 */
import { Effect } from "effect"
import pg from "pg"
import type { PgClient, PgPool } from "./PoolConnection.ts"

const times = {
  /** How often the hosts that are not the primary are asked whether they are. */
  watchMillis: 1000,
  /** A host that does not answer within this time is no candidate. */
  answerMillisMax: 2000,
  /** At the first search a host that answers later than the first primary by this may have a higher timeline. */
  graceMillis: 1000,
  /** The shortest time between two searches. */
  searchMillis: 100,
} as const

/** The timeline of a primary in hexadecimal; `0` for a standby. */
const timelineStatement = `select case when pg_is_in_recovery() then '0'
  else substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end as timeline`

const timelineOn = async (client: Pick<pg.ClientBase, "query">): Promise<number> => {
  const { rows } = await client.query<{ readonly timeline: string }>(timelineStatement)
  return Number.parseInt(rows[0]?.timeline ?? "0", 16)
}

class NotPrimary extends Error {}

/** What a pool rejects while all of its connections are in use; it says nothing about the host. */
const exhausted = "timeout exceeded when trying to connect"

/** Whether an error of connecting says that the host is gone or no primary, and not that it refuses this user or has no place. */
const isGone = (error: unknown): boolean => {
  if (error instanceof NotPrimary) return true
  if (!(error instanceof Error) || error.message === exhausted) return false
  const code = "severity" in error && "code" in error ? String(error.code) : undefined
  return code === undefined || /^(?:08|57P)/u.test(code)
}

interface Primary {
  readonly url: string
  readonly timeline: number
  readonly pool: pg.Pool
  readonly clients: Set<pg.PoolClient>
  /** Those who wait for a connection, and what tells them that the host is not the primary any more. */
  readonly waiting: Set<(error: Error) => void>
  readonly lose: () => void
}

/** Asks one host for its timeline, over a connection that is kept; `0` for a standby and for a host that does not answer. */
class Probe {
  #client: pg.Client | undefined
  #hasEnded = false
  readonly #url: string
  /** Why the host did not answer the last time. */
  problem: unknown

  constructor(url: string) {
    this.#url = url
  }

  async timeline(): Promise<number> {
    try {
      this.#client ??= await this.#open()
      const timeline = await timelineOn(this.#client)
      this.problem = undefined
      return timeline
    } catch (error) {
      this.problem = error
      this.rest()
      return 0
    }
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "countersign",
      connectionTimeoutMillis: times.answerMillisMax,
      query_timeout: times.answerMillisMax,
    })
    client.on("error", () => undefined)
    await client.connect()
    if (!this.#hasEnded) return client
    await client.end()
    throw new Error("the pool is closed")
  }

  /** Closes the connection until the next question. */
  rest(): void {
    this.#client?.end().catch(() => undefined)
    this.#client = undefined
  }

  end(): void {
    this.#hasEnded = true
    this.rest()
  }
}

export interface PrimaryPoolOptions {
  /** One address for each host. */
  readonly urls: ReadonlyArray<string>
  /** The configuration of the pool of a host, without its address. */
  readonly config: pg.PoolConfig
}

export interface PrimaryPool extends PgPool {
  readonly end: () => Promise<void>
}

export const make = ({ config, urls }: PrimaryPoolOptions): PrimaryPool => {
  const probes = new Map(urls.map((url) => [url, new Probe(url)]))
  const listeners: Array<(client: PgClient) => void> = []
  let current: Primary | undefined
  /** The highest timeline of a primary that this process has seen. */
  let highest = 0
  let search: Promise<Primary> | undefined
  let searchPause = Promise.resolve()
  const closing = new AbortController()
  const isClosed = () => closing.signal.aborted
  /** The time of connections is that of the network, so no clock of a test stops it. Ends at once with the pool. */
  const pause = (millis: number): Promise<void> =>
    Effect.runPromise(Effect.sleep(millis), { signal: closing.signal }).catch(() => undefined)

  const primaryAt = (url: string, timeline: number): Primary => {
    const clients = new Set<pg.PoolClient>()
    const waiting = new Set<(error: Error) => void>()
    const pool = new pg.Pool({
      ...config,
      connectionString: url,
      verify: (client, done) => {
        timelineOn(client).then(
          (found) => done(found >= highest && found > 0 ? undefined : new NotPrimary("the host is not the primary")),
          done,
        )
      },
    })
    // An idle connection that breaks is replaced at its next use.
    pool.on("error", () => undefined)
    pool.on("acquire", (client) => {
      clients.add(client)
      for (const listener of listeners) listener(client)
    })
    pool.on("remove", (client) => clients.delete(client as pg.PoolClient))
    return {
      url,
      timeline,
      pool,
      clients,
      waiting,
      lose: () => {
        const error = new NotPrimary("the host is not the primary any more")
        for (const onLost of waiting) onLost(error)
        waiting.clear()
        // A host that is frozen or cut off would let its statements wait for their time-out.
        for (const client of clients) if (client instanceof pg.Client) client.end().catch(() => undefined)
        pool.end().catch(() => undefined)
      },
    }
  }

  const lose = (primary: Primary): void => {
    if (current !== primary) return
    current = undefined
    primary.lose()
  }

  const become = (url: string, timeline: number): Primary => {
    if (current !== undefined) lose(current)
    highest = Math.max(highest, timeline)
    probes.get(url)?.rest()
    const primary = primaryAt(url, timeline)
    current = primary
    return primary
  }

  /** Asks all hosts, and takes the primary of the highest timeline. */
  const searchAll = async (): Promise<Primary> => {
    await searchPause
    searchPause = pause(times.searchMillis)
    const isFirst = highest === 0
    let best: { readonly url: string; readonly timeline: number } | undefined
    const { promise: decided, resolve: decide } = Promise.withResolvers<void>()
    const ask = async (url: string, probe: Probe) => {
      const timeline = await probe.timeline()
      if (timeline === 0 || timeline < highest || timeline <= (best?.timeline ?? 0)) return
      best = { url, timeline }
      // A promotion since the last search decides at once.
      if (!isFirst && timeline > highest) decide()
      else pause(times.graceMillis).then(decide)
    }
    const all = Promise.all([...probes].map(([url, probe]) => ask(url, probe))).then(() => undefined)
    await Promise.race([all, decided])
    if (isClosed()) throw new Error("the pool is closed")
    if (best === undefined) {
      const cause = [...probes.values()].find(({ problem }) => problem !== undefined)?.problem
      throw new NotPrimary("none of the hosts is a primary", cause === undefined ? {} : { cause })
    }
    return become(best.url, best.timeline)
  }

  const primary = (): Promise<Primary> => {
    if (current !== undefined) return Promise.resolve(current)
    search ??= searchAll().finally(() => {
      search = undefined
    })
    return search
  }

  const connectTo = ({ pool, waiting }: Primary): Promise<pg.PoolClient> =>
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
    })

  const connect = async (): Promise<pg.PoolClient> => {
    const first = await primary()
    try {
      return await connectTo(first)
    } catch (error) {
      if (!isGone(error)) throw error
      lose(first)
      return connectTo(await primary())
    }
  }

  /** A host that was promoted becomes the primary, even where the old one has not noticed. */
  const watch = async (url: string, probe: Probe): Promise<void> => {
    while (!isClosed()) {
      await pause(times.watchMillis)
      if (isClosed() || current === undefined || current.url === url) continue
      const timeline = await probe.timeline()
      if (!isClosed() && timeline > highest) become(url, timeline)
    }
  }
  for (const [url, probe] of probes) watch(url, probe)

  return {
    on: (_, listener) => listeners.push(listener),
    connect,
    options: { max: config.max },
    end: async () => {
      closing.abort()
      for (const probe of probes.values()) probe.end()
      const last = current
      current = undefined
      await last?.pool.end()
    },
  }
}
