/** Requests all the time, one after the other from several clients, while something is rotated. */
import type { Send } from "../e2e/Client.ts"

export interface Traffic {
  /** Ends the requests, and returns how many there were and every response that was not 200. */
  readonly stop: () => Promise<{ readonly count: number; readonly failures: ReadonlyArray<string> }>
  /** Changes the credentials of all clients between two requests. */
  readonly use: (send: Send) => void
  /** Settles after this many more requests. */
  readonly more: (count: number) => Promise<void>
}

export const startTraffic = (first: Send, path: string, clients = 4): Traffic => {
  let send = first
  let isRunning = true
  let count = 0
  const failures: Array<string> = []
  const waiting: Array<{ readonly at: number; readonly resolve: () => void }> = []
  const client = async () => {
    while (isRunning) {
      const reply = await send("GET", path)
      if (reply.status !== 200) failures.push(`${reply.status} ${reply.text}`)
      count++
      for (const { at, resolve } of waiting) if (count >= at) resolve()
    }
  }
  const running = Array.from({ length: clients }, client)
  return {
    stop: async () => {
      isRunning = false
      await Promise.all(running)
      return { count, failures }
    },
    use: (next) => {
      send = next
    },
    more: (wanted) => new Promise((resolve) => void waiting.push({ at: count + wanted, resolve })),
  }
}
