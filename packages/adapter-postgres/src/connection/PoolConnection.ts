/**
 * A connection over a pool of the driver `pg`: the adapter's own, or the embedder's.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import type { Connection, Listening, Parameter, Query, Session, Statement } from "./Connection.ts"
import { codeOf, NotConnected } from "./Failure.ts"
import { textArray } from "./TextArray.ts"

interface Answer {
  readonly rows: ReadonlyArray<unknown>
}

/** A client of `pg`, as far as it is used here. */
export interface PgClient {
  readonly query: (config: PgQuery | PgScript | string) => Promise<Answer>
  readonly on: {
    (event: "notification", listener: (message: PgNotification) => void): unknown
    (event: "error" | "end", listener: () => void): unknown
  }
  readonly removeAllListeners: (event: "notification") => unknown
  readonly removeListener: (event: "error", listener: () => void) => unknown
  /** Of a client on the C library, which takes parameters as text alone. */
  readonly native?: unknown
}

export interface PgNotification {
  readonly channel: string
  readonly payload?: string | undefined
}

export interface PgQuery {
  readonly name?: string
  readonly text: string
  readonly values: Array<Parameter | Buffer>
  readonly rowMode: "array"
}

/** Statements without parameters. */
export interface PgScript {
  readonly text: string
  readonly query_timeout: number
}

/** A pool of `pg`, as far as it is used here. */
export interface PgPool {
  /** Told of a client before it is given away. */
  readonly on?: (event: "acquire", listener: (client: PgClient) => void) => unknown
  readonly connect: () => Promise<PgClient & { readonly release: (destroy?: boolean) => void }>
  readonly options?: { readonly max?: number | undefined }
}

const firstColumn = (row: unknown): string | null => {
  const value: unknown = Array.isArray(row) ? row[0] : null
  return value === null || value === undefined ? null : String(value)
}

/** Lists are of texts, in a form that says so. */
const binary = (value: Parameter): Parameter | Buffer =>
  value === null || typeof value !== "object" ? value : textArray(value)

/** Queries on one client. */
export const queryOn =
  (client: Pick<PgClient, "query" | "native">, prepare: boolean): Query =>
  async ({ name, text, values }: Statement) => {
    const config: PgQuery = {
      text,
      values: client.native === undefined ? values.map(binary) : [...values],
      rowMode: "array",
    }
    const { rows } = await client.query(prepare && name !== undefined ? { ...config, name } : config)
    return rows.map(firstColumn)
  }

/** Node's timers reach no further: 24 days. */
const longestTimer = 2 ** 31 - 1

export const sessionOn = (client: Pick<PgClient, "query">): Session => ({
  query: queryOn(client, false),
  script: async (text) => {
    // What a migration does may take longer than any request.
    await client.query({ text, query_timeout: longestTimer })
  },
})

/** After an error that the server told, the client is as good as before; after one that it did not, nobody knows. */
const isBroken = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === undefined || /^(?:08|57P|25P0[34])/u.test(code)
}

const heard = new WeakSet<PgClient>()

/**
 * Listens to a client's errors for good: one may come between the end of the pool's own listener and the beginning of ours, or the
 * other way round, and an error that nobody listens to would end the process.
 */
const hear = (client: PgClient): void => {
  if (heard.has(client)) return
  heard.add(client)
  client.on("error", () => undefined)
}

export interface PoolOptions {
  /** Statements are prepared by name; `false` behind a pooler that mixes sessions, which cannot migrate: it needs `check`. */
  readonly prepare?: boolean
  /** How many commits may be on their way at once. */
  readonly lanes?: number
}

export const make = (pool: PgPool, { lanes = 2, prepare = true }: PoolOptions = {}): Connection => {
  const acquire = async () => {
    try {
      const client = await pool.connect()
      hear(client)
      return client
    } catch (cause) {
      throw new NotConnected(cause)
    }
  }
  // A server may say in one breath that a session is ready and that it ends: before whoever asked for the client can listen.
  pool.on?.("acquire", hear)
  const using = async <A>(use: (client: PgClient) => Promise<A>): Promise<A> => {
    const client = await acquire()
    let destroy = false
    // The pool listens to idle clients only, and an error that nobody listens to would end the process.
    const onError = () => {
      destroy = true
    }
    client.on("error", onError)
    try {
      return await use(client)
    } catch (error) {
      destroy ||= isBroken(error)
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
    const client = await acquire()
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
    return { ended, close }
  }
  return {
    query: (statement) => using((client) => queryOn(client, prepare)(statement)),
    session: (use) => using((client) => use(sessionOn(client))),
    lanes,
    isTransaction: false,
    // Who listens keeps a client: the only one would be left to nobody else, and whoever waits for work looks for it.
    ...(pool.options?.max === 1 ? {} : { listen }),
  }
}
