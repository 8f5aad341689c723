/**
 * Finds requests whose bodies arrive below the minimum rate. Only a client that the server waits for is measured.
 * Source: D-315.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { ServerLimits } from "../middleware/ServerLimits.ts"

interface Seen {
  readonly checks: number
  readonly bytes: number
}

/** How often the rates of bodies are checked, at most. */
const checkMillisMax = 1_000

/** Whether the server waits for more of a request's body: what has arrived is read. */
const isAwaited = ({ complete, readableHighWaterMark, readableLength }: IncomingMessage): boolean =>
  !complete && readableLength < readableHighWaterMark

/**
 * Returns a function that finds the slow ones among the unanswered requests, and the interval at which to call it. Time is counted in calls,
 * so that a process that could not read for a while does not blame its clients.
 */
export const make = ({
  bodyBytesPerSecondMin,
  bodyGraceMillis,
}: Pick<ServerLimits, "bodyBytesPerSecondMin" | "bodyGraceMillis">) => {
  const intervalMillis = Math.min(checkMillisMax, bodyGraceMillis)
  const seen = new WeakMap<IncomingMessage, Seen>()
  let checks = 0
  const find = (running: Iterable<ServerResponse>): ReadonlyArray<ServerResponse> => {
    checks += 1
    const slow: Array<ServerResponse> = []
    for (const response of running) {
      const { req } = response
      const first = seen.get(req)
      if (!isAwaited(req)) seen.delete(req)
      else if (first === undefined) seen.set(req, { checks, bytes: req.socket.bytesRead })
      else {
        const millis = (checks - first.checks) * intervalMillis
        const bytes = req.socket.bytesRead - first.bytes
        if (millis > bodyGraceMillis && bytes * 1000 < bodyBytesPerSecondMin * millis) slow.push(response)
      }
    }
    return slow
  }
  return { find, intervalMillis }
}
