/**
 * Groups the reads of one process: what arrives while reads are on their way shares the next trip, as commits do. A lone read waits for
 * nobody.
 * Source: architecture, "The Store port" (read: many in one trip).
 */

import * as GroupCommit from "../commit/GroupCommit.ts"
import { failureOf } from "../connection/Failure.ts"

export interface GroupReadsOptions<Asked, Found> {
  /** One trip: what each of them found, in their order. */
  readonly send: (batch: ReadonlyArray<Asked>) => Promise<ReadonlyArray<Found>>
  /** How many trips may be on their way at once. */
  readonly lanes: number
  /** How many reads one trip may carry. */
  readonly batchMax?: number
}

interface Waiting<Asked, Found> extends GroupCommit.Grouped {
  readonly asked: Asked
  readonly resolve: (found: Found) => void
  readonly reject: (cause: unknown) => void
}

/** So many reads are worth a second trip. */
const worthMin = 6

/** Reads keep nobody from anything. */
const free = { exclusive: [], shared: [] } as const

export const make = <Asked, Found>({
  batchMax = 64,
  lanes,
  send,
}: GroupReadsOptions<Asked, Found>): ((asked: Asked) => Promise<Found>) => {
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
  const group = GroupCommit.make<Waiting<Asked, Found>>({ send: trip, lanes, batchMax, worthMin })
  return (asked) => new Promise((resolve, reject) => group.add({ ...free, asked, resolve, reject }))
}
