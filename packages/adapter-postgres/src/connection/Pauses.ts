/** The pauses of a pool that looks at its hosts. The time of connections is that of the network, so no clock of a test stops them. */
import { Effect } from "effect"

export interface Pauses {
  /** Ends at once when the pool is closed. */
  readonly pause: (millis: number) => Promise<void>
  readonly isClosed: () => boolean
  readonly close: () => void
  /** Calls back when the pool is closed. */
  readonly onClose: (callback: () => void) => void
}

export const make = (): Pauses => {
  const closing = new AbortController()
  const { signal } = closing
  return {
    pause: (millis) => Effect.runPromise(Effect.sleep(millis), { signal }).catch(() => undefined),
    isClosed: () => signal.aborted,
    close: () => closing.abort(),
    onClose: (callback) => signal.addEventListener("abort", callback, { once: true }),
  }
}
