/** The requests of a soak run: at a bounded rate, timed by operation, and each answered with the expected status. */
import { setTimeout as pause } from "node:timers/promises"
import { basic, bearer, client, type Reply, type Request } from "../e2e/Client.ts"
import { credentials } from "../e2e/Flow.ts"
import type { Timing } from "./Judgement.ts"

const requestMillis = 30_000
const busyPauseMillis = 200
const attemptsMax = 20

export interface SoakRequest extends Request {
  /** The name under which the request is timed. */
  readonly operation: string
  /** The statuses that are right. */
  readonly expected: ReadonlyArray<number>
  /** The agent's token; without it the platform asks. */
  readonly token?: string
}

export interface SoakRequests {
  readonly send: (method: string, path: string, request: SoakRequest) => Promise<Reply>
  readonly timings: ReadonlyArray<Timing>
  readonly counts: { requests: number; busy: number }
  /** The time since the start. */
  readonly seconds: () => number
  /** Waits for the next turn at the bounded rate. Turns that nobody took are lost. */
  readonly turn: () => Promise<void>
}

export const soakRequests = (base: () => string, perSecond: number): SoakRequests => {
  const timings: Array<Timing> = []
  const counts = { requests: 0, busy: 0 }
  const start = performance.now()
  let next = start
  const secondsAt = (millis: number) => (millis - start) / 1000

  return {
    timings,
    counts,
    seconds: () => secondsAt(performance.now()),
    turn: async () => {
      const now = performance.now()
      next = Math.max(next, now)
      const millis = next - now
      next += 1000 / perSecond
      await pause(millis)
    },
    send: async (method, path, { expected, operation, token, ...request }) => {
      const authorization = token === undefined ? basic(credentials.clientId, credentials.clientSecret) : bearer(token)
      for (let attempt = 1; ; attempt++) {
        counts.requests += 1
        const begun = performance.now()
        const signal = AbortSignal.timeout(requestMillis)
        const reply = await client(base(), authorization)(method, path, { ...request, signal })
        const end = performance.now()
        if (reply.status === 503 && attempt < attemptsMax) {
          counts.busy += 1
          await pause(busyPauseMillis)
          continue
        }
        if (!expected.includes(reply.status))
          throw new Error(`${operation}: ${method} ${path} answered ${reply.status} ${reply.text}`)
        timings.push({ seconds: secondsAt(begun), operation, millis: end - begun })
        return reply
      }
    },
  }
}
