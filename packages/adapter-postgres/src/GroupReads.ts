/**
 * Groups the reads of one process: what arrives while reads are on their way shares the next trip. A lone read waits for nobody.
 * Source: architecture, "The Store port" (read: many in one trip).
 */
import { failureOf } from "./connection/Failure.ts"

export interface GroupReadsOptions<Asked, Found> {
  /** One trip: what each of them found, in their order. */
  readonly send: (batch: ReadonlyArray<Asked>) => Promise<ReadonlyArray<Found>>
  /** How many trips may be on their way at once. */
  readonly lanes: number
  /** How many reads one trip may carry. */
  readonly batchMax?: number
}

interface Waiting<Asked, Found> {
  readonly asked: Asked
  readonly resolve: (found: Found) => void
  readonly reject: (cause: unknown) => void
}

/** While a trip is on its way, so many reads are worth another one; fewer wait for it. */
const worthMin = 6

export const make = <Asked, Found>({
  batchMax = 64,
  lanes,
  send,
}: GroupReadsOptions<Asked, Found>): ((asked: Asked) => Promise<Found>) => {
  let waiting: Array<Waiting<Asked, Found>> = []
  let free = lanes

  const trip = async (batch: ReadonlyArray<Waiting<Asked, Found>>): Promise<void> => {
    try {
      const found = await send(batch.map(({ asked }) => asked))
      for (const [index, { reject, resolve }] of batch.entries()) {
        const own = found[index]
        if (own === undefined) reject(new TypeError("a read was not answered"))
        else resolve(own)
      }
    } catch (error) {
      const failure = failureOf(error)
      const isShared = failure === "unavailable" || failure === "unknown"
      // One of them is at fault, and only that one is told so.
      if (batch.length > 1 && !isShared) await Promise.all(batch.map((one) => trip([one])))
      else for (const { reject } of batch) reject(error)
    }
  }

  const pump = (): void => {
    while (free > 0 && waiting.length > 0) {
      if (free < lanes && waiting.length < worthMin) return
      const size = Math.min(batchMax, Math.ceil(waiting.length / free))
      const batch = waiting.slice(0, size)
      waiting = waiting.slice(size)
      free -= 1
      void trip(batch).finally(() => {
        free += 1
        pump()
      })
    }
  }

  let isScheduled = false
  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      if (isScheduled) return
      isScheduled = true
      // Who asks in the same turn goes along.
      queueMicrotask(() => {
        isScheduled = false
        pump()
      })
    })
}
