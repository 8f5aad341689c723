/**
 * A pool of connections to one node of a cluster, which is asked twice a second whether it answers. What waits for a node that is dead or
 * frozen fails within seconds, and so do later requests, until it answers again.
 * Source: D-517.
 */
import type pg from "pg"
import { breaksSession } from "./Failure.ts"
import * as HostPool from "./HostPool.ts"
import * as Pauses from "./Pauses.ts"
import type { PgClient } from "./PoolConnection.ts"
import { Probe } from "./Probe.ts"

const times = {
  watchMillis: 500,
  /** While the node does not answer. */
  retryMillis: 250,
  answerMillisMax: 3000,
} as const

/** The node does not answer. */
class NodeLost extends Error {}

const isTimeout = (problem: unknown): boolean => problem instanceof Error && /timeout/iu.test(problem.message)

/** After this number of looks, a node that nobody uses is not asked any more: it may have left the cluster. */
const idleLooksMax = 120

export interface WatchedPoolOptions {
  readonly url: string
  /** What the messages call the node. */
  readonly name: string
  /** The configuration of the pool, without its address. */
  readonly config: pg.PoolConfig
}

export const make = ({ config, name, url }: WatchedPoolOptions): HostPool.OwnedPool => {
  const listeners: Array<(client: PgClient) => void> = []
  const open = () =>
    HostPool.make({ ...config, connectionString: url }, (client) => {
      for (const listener of listeners) listener(client)
    })
  const { close, isClosed, onClose, pause } = Pauses.make()
  const probe = new Probe({ url, answerMillisMax: times.answerMillisMax }, (client) => client.query("select 1"))
  /** `undefined`: the node does not answer. */
  let host: HostPool.HostPool | undefined = open()
  /** Of the time since the node last began to answer. */
  let answering = new AbortController()

  const asked = async (): Promise<boolean> =>
    // A node that refuses a session answers: it has no place for one, or another password.
    (await probe.answer()) !== undefined || !breaksSession(probe.problem)
  /** An administrator may have ended the probe's own session, so a connection that broke is replaced once. */
  const answers = async (): Promise<boolean> => (await asked()) || (!isTimeout(probe.problem) && (await asked()))

  const lost = () => new NodeLost(`the node at ${name} does not answer`, { cause: probe.problem })

  const begin = (): void => {
    if (host !== undefined) return
    host = open()
    answering = new AbortController()
  }
  const lose = (): void => {
    const problem = lost()
    host?.lose(problem)
    host = undefined
    answering.abort(problem)
  }

  let idleLooks = 0
  let wake: () => void = () => undefined
  const use = (): void => {
    idleLooks = 0
    wake()
  }
  /** Waits until the pool is used again. */
  const rest = async (): Promise<void> => {
    probe.rest()
    await new Promise<void>((resolve) => {
      wake = resolve
      onClose(resolve)
    })
  }

  const watch = async (): Promise<void> => {
    while (!isClosed()) {
      await pause(host === undefined ? times.retryMillis : times.watchMillis)
      idleLooks += 1
      if (idleLooks > idleLooksMax) await rest()
      if (isClosed()) return
      const isAlive = await answers()
      if (isClosed()) return
      if (isAlive) begin()
      else lose()
    }
  }
  watch()

  return {
    on: (_, listener) => listeners.push(listener),
    connect: () => {
      use()
      return host === undefined ? Promise.reject(lost()) : host.connect()
    },
    options: { max: config.max },
    lost: () => answering.signal,
    end: async () => {
      close()
      probe.end()
      const last = host
      host = undefined
      await last?.end()
    },
  }
}
