/** Two processes of the service, each started again whenever it ends, and requests that a client repeats until they are answered. */
import { randomUUID } from "node:crypto"
import { basic, client, type Reply, type Send } from "../Client.ts"
import { credentials } from "../Flow.ts"
import { type ServerProcess, startServer } from "../ServerProcess.ts"
import { patiently } from "./Patience.ts"

export interface DayProcesses extends AsyncDisposable {
  /** Sends to a process that is up, as often as needed, with one idempotency key. */
  readonly send: Send
  /** Kills this process, or the other one if it is down. */
  readonly kill: (n: 0 | 1) => void
  /** Waits until both are up. */
  readonly settled: () => Promise<void>
  /** How many processes ended. */
  readonly ends: () => number
  /** Everything that all of them wrote. */
  readonly output: () => string
  /** An address of the service. */
  readonly base: () => string
}

const startsMax = 30

export const dayProcesses = async (
  options: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
): Promise<DayProcesses> => {
  const slots: [ServerProcess | undefined, ServerProcess | undefined] = [undefined, undefined]
  const written: Array<string> = []
  let isOver = false
  let ends = 0
  const start = async (): Promise<ServerProcess> => {
    for (let left = startsMax; ; left--) {
      try {
        return await startServer({ options, env })
      } catch (error) {
        // The database may be unavailable now.
        written.push(String(error))
        if (left === 0 || isOver) throw error
      }
    }
  }
  const supervise = async (n: 0 | 1, server: ServerProcess): Promise<void> => {
    // One that was starting when the day ended.
    if (isOver) return server[Symbol.asyncDispose]()
    slots[n] = server
    await server.exited
    slots[n] = undefined
    written.push(server.stdout(), server.stderr())
    if (isOver) return
    ends += 1
    return start().then((next) => supervise(n, next))
  }
  const [first, second] = await Promise.all([start(), start()])
  const supervised = Promise.allSettled([supervise(0, first), supervise(1, second)])
  const up = () => slots.flatMap((server) => (server === undefined ? [] : [server]))

  const send: Send = async (method, path, request = {}) => {
    const key = method === "POST" ? { "idempotency-key": randomUUID() } : {}
    const headers = { ...key, ...request.headers }
    let turn = 0
    const once = async (): Promise<Reply | undefined> => {
      const all = up()
      turn += 1
      const server = all[turn % Math.max(all.length, 1)]
      if (server === undefined) return undefined
      const own = client(server.base, basic(credentials.clientId, credentials.clientSecret))
      return own(method, path, { ...request, headers, signal: AbortSignal.timeout(20_000) }).catch(() => undefined)
    }
    const reply = await patiently(`${method} ${path}`, once, (answer) => answer !== undefined && answer.status !== 503)
    if (reply === undefined) throw new Error("no answer")
    return reply
  }
  return {
    send,
    kill: (n) => (slots[n] ?? up()[0])?.kill(),
    ends: () => ends,
    settled: async () => {
      await patiently(
        "both processes",
        () => up().length,
        (count) => count === 2,
      )
    },
    output: () => [...written, ...up().flatMap((server) => [server.stdout(), server.stderr()])].join("\n"),
    base: () => up()[0]?.base ?? "",
    [Symbol.asyncDispose]: async () => {
      isOver = true
      await Promise.all(up().map((server) => server[Symbol.asyncDispose]()))
      await supervised
    },
  }
}
