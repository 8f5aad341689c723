/**
 * A connection over a pool of the driver `pg`: the adapter's own or the embedder's.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import type { Connection, Host, Listening, Parameter, Query, Session, Statement } from "./Connection.ts"
import { breaksSession, NotConnected } from "./Failure.ts"
import { textArray } from "./TextArray.ts"

interface Answer {
  readonly rows: ReadonlyArray<unknown>
}

/** The part of a `pg` client that this adapter uses. */
export interface PgClient {
  readonly query: (config: PgQuery | PgScript | string) => Promise<Answer>
  readonly on: {
    (event: "notification", listener: (message: PgNotification) => void): unknown
    (event: "error" | "end", listener: () => void): unknown
  }
  readonly removeAllListeners: (event: "notification") => unknown
  readonly removeListener: (event: "error", listener: () => void) => unknown
  /** Present on a client of the C library, which takes parameters as text only. */
  readonly native?: unknown
}

/** A message of `notify` that a listening session receives. */
export interface PgNotification {
  readonly channel: string
  readonly payload?: string | undefined
}

/** The form in which a statement is given to a `pg` client, which answers with rows as lists. */
export interface PgQuery {
  /** Prepares the statement under this name; absent: it is parsed each time. */
  readonly name?: string
  readonly text: string
  readonly values: Array<Parameter | Buffer>
  readonly rowMode: "array"
  /** How long the client waits for the answer, in milliseconds; absent: as long as its own setting says. */
  readonly query_timeout?: number
}

/** Statements without parameters. */
export interface PgScript {
  readonly text: string
  readonly query_timeout: number
}

/** The part of a `pg` pool that this adapter uses. */
export interface PgPool {
  /** Calls the listener with each client before the pool hands it out. */
  readonly on?: (event: "acquire", listener: (client: PgClient) => void) => unknown
  readonly connect: () => Promise<PgClient & { readonly release: (destroy?: boolean) => void }>
  readonly options?: { readonly max?: number | undefined }
  /** Aborts when the server no longer answers, and is aborted as long as it does not. */
  readonly lost?: () => AbortSignal
}

const firstColumn = (row: unknown): string | null => {
  const value: unknown = Array.isArray(row) ? row[0] : null
  return value === null || value === undefined ? null : String(value)
}

/** Encodes a list in the binary form, which names its element type. */
const encodeParameter = (value: Parameter): Parameter | Buffer =>
  value === null || typeof value !== "object" ? value : textArray(value)

/** The longest delay of a Node timer in milliseconds: 24 days. */
const timerMillisMax = 2 ** 31 - 1

/** Queries on one client. */
export const queryOn =
  (client: Pick<PgClient, "query" | "native">, prepare: boolean): Query =>
  async ({ answerMillisMax, name, text, values }: Statement) => {
    const config: PgQuery = {
      text,
      values: client.native === undefined ? values.map(encodeParameter) : [...values],
      rowMode: "array",
      ...(answerMillisMax === undefined ? {} : { query_timeout: Math.min(answerMillisMax, timerMillisMax) }),
    }
    const { rows } = await client.query(prepare && name !== undefined ? { ...config, name } : config)
    return rows.map(firstColumn)
  }

/** Returns a session on one client. It prepares no statements, and its scripts may take as long as a timer can wait. */
export const sessionOn = (client: Pick<PgClient, "query">): Session => ({
  query: queryOn(client, false),
  script: async (text) => {
    // A migration may take longer than any request.
    await client.query({ text, query_timeout: timerMillisMax })
  },
})

const clientsWithListener = new WeakSet<PgClient>()

/**
 * Adds a permanent error listener to a client. An error may arrive between the removal of the pool's listener and the addition of ours,
 * or the reverse, and an error event without a listener ends the process.
 */
const addErrorListener = (client: PgClient): void => {
  if (clientsWithListener.has(client)) return
  clientsWithListener.add(client)
  client.on("error", () => undefined)
}

/** How statements are sent over a pool, and what is between it and the server. */
export interface PoolOptions {
  /**
   * Whether statements are prepared by name. Set `false` behind a pooler that shares sessions between clients; such a pool cannot
   * migrate, so use the option `migrations: "check"`, its workers poll, and the jobs of a dead process wait for their leases, unless it has
   * a `direct` pool.
   */
  readonly prepare?: boolean
  /**
   * Sessions that nobody shares, beside a pooler in front of the same database: for migrations, for wake-ups and for the session of the
   * workers. Three connections are enough. Statements are then not prepared.
   */
  readonly direct?: PgPool
  /** How many batches of commits, and how many of reads, may be in flight at once; 2 by default. */
  readonly concurrentBatches?: number
  /** A connection to another server of the cluster, for a store in cells on several. */
  readonly toHost?: (host: Host) => Connection
}

/** Returns a connection over a pool, which its owner closes. Queries reject with `NotConnected` while the pool cannot connect. */
export const make = (
  pool: PgPool,
  { concurrentBatches = 2, direct, prepare = direct === undefined, toHost }: PoolOptions = {},
): Connection => {
  const sessions = direct ?? pool
  const acquire = async (from: PgPool) => {
    try {
      const client = await from.connect()
      addErrorListener(client)
      return client
    } catch (cause) {
      throw new NotConnected(cause)
    }
  }
  // A server may report that a session is ready and that it ends in one message, before the caller of `connect` can add a listener.
  for (const each of new Set([pool, sessions])) each.on?.("acquire", addErrorListener)
  const using = async <A>(from: PgPool, use: (client: PgClient) => Promise<A>): Promise<A> => {
    const client = await acquire(from)
    let destroy = false
    // The pool listens to the errors of idle clients only.
    const onError = () => {
      destroy = true
    }
    client.on("error", onError)
    try {
      return await use(client)
    } catch (error) {
      destroy ||= breaksSession(error)
      throw error
    } finally {
      client.removeListener("error", onError)
      client.release(destroy)
    }
  }
  const listen = async (
    channels: ReadonlyArray<string>,
    onMessage: (channel: string, payload: string) => void,
  ): Promise<Listening> => {
    const client = await acquire(sessions)
    let isOpen = true
    const ended = new Promise<void>((resolve) => {
      client.on("error", () => resolve())
      client.on("end", () => resolve())
    })
    const close = async () => {
      if (!isOpen) return
      isOpen = false
      client.removeAllListeners("notification")
      client.release(true)
    }
    client.on("notification", ({ channel, payload }) => onMessage(channel, payload ?? ""))
    try {
      for (const channel of channels) await client.query(`listen ${channel}`)
    } catch (error) {
      await close()
      throw error
    }
    // The session is this process's own, so statements may be prepared.
    return { query: queryOn(client, true), ended, close }
  }
  return {
    query: (statement) => using(pool, (client) => queryOn(client, prepare)(statement)),
    session: (use) => using(sessions, (client) => use(sessionOn(client))),
    transaction: (use) => using(pool, (client) => use(sessionOn(client))),
    concurrentBatches,
    isTransaction: false,
    // A subscription occupies a client, so a pool with a single client has none. Behind a pooler that shares sessions it would receive
    // nothing, and its settings would reach the sessions of others. Waiting workers poll, and leases alone end claims.
    ...(sessions.options?.max === 1 || (direct === undefined && !prepare) ? {} : { listen }),
    ...(toHost === undefined ? {} : { toHost }),
    ...(pool.lost === undefined ? {} : { lost: pool.lost }),
  }
}
