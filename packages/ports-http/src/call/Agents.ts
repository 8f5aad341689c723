/**
 * The connections to one bank, which are kept and used again.
 * Source: D-527.
 */
import http from "node:http"
import https from "node:https"
import { Effect } from "effect"

/** An idle connection is closed after this time (ms): most servers close theirs after five seconds, which could meet a request. */
const idleMillis = 4_000

/** Opens the agents of an address. They close with the scope. */
export const openAgents = ({ protocol }: URL, maxSockets: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { Agent } = protocol === "https:" ? https : http
      return {
        kept: new Agent({ keepAlive: true, maxSockets, timeout: idleMillis, scheduling: "lifo" }),
        /** For what must not be sent twice: a new connection has no past that could close it. */
        fresh: new Agent({ keepAlive: false, maxSockets }),
      }
    }),
    ({ fresh, kept }) =>
      Effect.sync(() => {
        fresh.destroy()
        kept.destroy()
      }),
  )
