/** The turns of the event loop, in processor time of its thread: what a turn takes, nothing else is answered. Source: D-511. */
import { setTimeout as pause } from "node:timers/promises"

const now = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Runs a piece of work, and returns the longest turn of the loop until it was done, in milliseconds; short turns may count together.
 * Looking at every turn would be work of its own, and leave garbage to collect.
 */
export const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let last = now()
  let isDone = false
  const look = () => {
    const time = now()
    longest = Math.max(longest, time - last)
    last = time
  }
  const watch = async () => {
    while (!isDone) {
      await pause(1)
      look()
    }
  }
  const watching = watch()
  await work()
  isDone = true
  await watching
  return longest
}
