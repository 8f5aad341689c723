/**
 * Groups the reads of one process: reads that arrive while others are in flight share the next trip, as commits do. A single read is
 * sent at once.
 * Source: architecture, "The Store port" (read: many in one trip).
 */
import * as GroupCommit from "../commit/GroupCommit.ts"
import { failureOf } from "../connection/Failure.ts"

export interface GroupReadsOptions<Request, Found> {
  /** Makes one trip and returns what each read found, in their order. */
  readonly send: (batch: ReadonlyArray<Request>) => Promise<ReadonlyArray<Found>>
  /** How many trips may be in flight at once. */
  readonly concurrentBatches: number
  /** How many reads one trip may carry. */
  readonly batchMax?: number
}

interface PendingRead<Request, Found> extends GroupCommit.Grouped {
  readonly request: Request
  readonly resolve: (found: Found) => void
  readonly reject: (cause: unknown) => void
}

/** Minimum queue length before a second trip is opened. */
const secondTripMin = 6

/** Reads do not exclude each other. */
const noLocks = { exclusive: [], shared: [] } as const

export const make = <Request, Found>({
  batchMax = 64,
  concurrentBatches,
  send,
}: GroupReadsOptions<Request, Found>): ((request: Request) => Promise<Found>) => {
  const trip = async (batch: ReadonlyArray<PendingRead<Request, Found>>): Promise<void> => {
    try {
      const found = await send(batch.map(({ request }) => request))
      for (const [index, { reject, resolve }] of batch.entries()) {
        const own = found[index]
        if (own === undefined) reject(new TypeError("the database returned no answer for a read"))
        else resolve(own)
      }
    } catch (error) {
      const failure = failureOf(error)
      const isShared = failure === "unavailable" || failure === "unknown"
      // One read causes the failure: sent alone, only that one fails.
      if (batch.length > 1 && !isShared) await Promise.all(batch.map((one) => trip([one])))
      else for (const { reject } of batch) reject(error)
    }
  }
  const group = GroupCommit.make<PendingRead<Request, Found>>({
    send: trip,
    concurrentBatches,
    batchMax,
    secondBatchMin: secondTripMin,
  })
  return (request) => new Promise((resolve, reject) => group.add({ ...noLocks, request, resolve, reject }))
}
