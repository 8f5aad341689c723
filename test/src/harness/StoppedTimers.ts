/** Timers of the process that run when a test says so. */
import { vi } from "vitest"

export interface StoppedTimers extends Disposable {
  /** Runs the timers of the next milliseconds at once. */
  readonly pass: (millis: number) => void
}

/** Timers that run when a test says so: a deadline that nobody meets costs no wait, and none passes because the machine is slow. */
export const stoppedTimers = (): StoppedTimers => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  return {
    pass: (millis) => void vi.advanceTimersByTime(millis),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  }
}
