/**
 * The time that this process has had, in milliseconds: on the processor, or with nothing to do. A test is not late because other processes of
 * the machine had the processor.
 */
import { performance } from "node:perf_hooks"

/** The timers of the process, which no test replaces. */
const { clearTimeout, setTimeout } = globalThis

/** Starts to measure. The result returns the time since then. */
const startOwnTime = (): (() => number) => {
  const loop = performance.eventLoopUtilization()
  const processor = process.cpuUsage()
  return () => {
    const { system, user } = process.cpuUsage(processor)
    return performance.eventLoopUtilization(loop).idle + (system + user) / 1000
  }
}

/** Calls back once the process has had this time, unless it is stopped before. */
export const afterOwnTime = (millis: number, callback: () => void): { readonly stop: () => void } => {
  const elapsed = startOwnTime()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    const left = millis - elapsed()
    if (left <= 0) callback()
    else timer = setTimeout(wait, Math.max(1, left)).unref()
  }
  wait()
  return { stop: () => clearTimeout(timer) }
}
