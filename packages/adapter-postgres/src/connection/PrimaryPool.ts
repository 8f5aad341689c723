/**
 * A pool over several hosts: its connections are those of the primary, which may change. A standby that was promoted has a higher timeline;
 * a primary of a lower timeline than one that this process has seen is an old one that came back, and is refused.
 * Source: D-508; PostgreSQL manual, 26.3 (failover) and 25.3.6 (timelines).
 */
import type pg from "pg"
import { breaksSession } from "./Failure.ts"
import * as HostPool from "./HostPool.ts"
import * as Pauses from "./Pauses.ts"
import type { PgClient } from "./PoolConnection.ts"
import { Probe } from "./Probe.ts"

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
const isGone = (error: unknown): boolean =>
  breaksSession(error) && !(error instanceof Error && error.message === exhausted)

interface Primary extends HostPool.HostPool {
  readonly url: string
}

export interface PrimaryPoolOptions {
  /** One address for each host. */
  readonly urls: ReadonlyArray<string>
  /** The configuration of the pool of a host, without its address. */
  readonly config: pg.PoolConfig
}

export const make = ({ config, urls }: PrimaryPoolOptions): HostPool.OwnedPool => {
  const { answerMillisMax } = times
  const probes = new Map(urls.map((url) => [url, new Probe({ url, answerMillisMax }, timelineOn)]))
  const listeners: Array<(client: PgClient) => void> = []
  let current: Primary | undefined
  /** The highest timeline of a primary that this process has seen. */
  let highest = 0
  let search: Promise<Primary> | undefined
  let searchPause = Promise.resolve()
  const { close, isClosed, pause } = Pauses.make()

  const primaryAt = (url: string): Primary => ({
    url,
    ...HostPool.make(
      {
        ...config,
        connectionString: url,
        verify: (client, done) => {
          timelineOn(client).then(
            (found) => done(found >= highest && found > 0 ? undefined : new NotPrimary("the host is not the primary")),
            done,
          )
        },
      },
      (client) => {
        for (const listener of listeners) listener(client)
      },
    ),
  })

  const lose = (primary: Primary): void => {
    if (current !== primary) return
    current = undefined
    primary.lose(new NotPrimary("the host is not the primary any more"))
  }

  const become = (url: string, timeline: number): Primary => {
    if (current !== undefined) lose(current)
    highest = Math.max(highest, timeline)
    probes.get(url)?.rest()
    const primary = primaryAt(url)
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
    const ask = async (url: string, probe: Probe<number>) => {
      const timeline = (await probe.answer()) ?? 0
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

  const connect = async (): Promise<pg.PoolClient> => {
    const first = await primary()
    try {
      return await first.connect()
    } catch (error) {
      if (!isGone(error)) throw error
      lose(first)
      return (await primary()).connect()
    }
  }

  /** A host that was promoted becomes the primary, even where the old one has not noticed. */
  const watch = async (url: string, probe: Probe<number>): Promise<void> => {
    while (!isClosed()) {
      await pause(times.watchMillis)
      if (isClosed() || current === undefined || current.url === url) continue
      const timeline = (await probe.answer()) ?? 0
      if (!isClosed() && timeline > highest) become(url, timeline)
    }
  }
  for (const [url, probe] of probes) watch(url, probe)

  return {
    on: (_, listener) => listeners.push(listener),
    connect,
    options: { max: config.max },
    end: async () => {
      close()
      for (const probe of probes.values()) probe.end()
      const last = current
      current = undefined
      await last?.end()
    },
  }
}
