/**
 * Groups the commits of one process: sets that arrive while batches are in flight form the next batch, so that many callers cost few
 * trips. A single commit is sent at once.
 * Source: architecture, "The Store port" (PostgreSQL: concurrent commits are grouped).
 */

export interface Grouped {
  /** The names that no other item, in its batch or in one in flight, may have until this item is committed. */
  readonly exclusive: ReadonlyArray<string>
  /** The names that items in flight may share. */
  readonly shared: ReadonlyArray<string>
}

export interface GroupCommitOptions<A extends Grouped> {
  /** Sends a batch. It settles every item of the batch, or takes it as `hold` does, and never fails. */
  readonly send: (batch: ReadonlyArray<A>) => Promise<void>
  /** How many batches may be in flight at once. */
  readonly concurrentBatches: number
  /** How many items one batch may have. */
  readonly batchMax: number
  /** Minimum queue length before a second batch is opened. Fewer items wait for the batch in flight, but no longer than `waitMax`. */
  readonly secondBatchMin: number
  /** Calls back when items have waited long enough for a batch that may itself be blocked; absent: they wait until it is back. */
  readonly waitMax?: (onElapsed: () => void) => void
  /** Takes an item that must wait for something else, and returns whether it did; `addFirst` gives it back. */
  readonly hold?: (item: A) => boolean
}

export interface GroupCommit<A> {
  readonly add: (item: A) => void
  /** Adds items before those that wait. */
  readonly addFirst: (items: ReadonlyArray<A>) => void
  /** Removes an item that has not been sent; `false` if it has. */
  readonly withdraw: (item: A) => boolean
}

/** The names of a set of items: exclusive ones, and shared ones with their number of holders. */
class HeldNames {
  readonly #exclusive = new Set<string>()
  readonly #shared = new Map<string, number>()

  add({ exclusive, shared }: Grouped): void {
    for (const name of exclusive) this.#exclusive.add(name)
    for (const name of shared) this.#shared.set(name, (this.#shared.get(name) ?? 0) + 1)
  }

  remove({ exclusive, shared }: Grouped): void {
    for (const name of exclusive) this.#exclusive.delete(name)
    for (const name of shared) {
      const left = (this.#shared.get(name) ?? 1) - 1
      if (left > 0) this.#shared.set(name, left)
      else this.#shared.delete(name)
    }
  }

  conflictsWith({ exclusive, shared }: Grouped): boolean {
    return (
      exclusive.some((name) => this.#exclusive.has(name) || this.#shared.has(name)) ||
      shared.some((name) => this.#exclusive.has(name))
    )
  }
}

export const make = <A extends Grouped>(options: GroupCommitOptions<A>): GroupCommit<A> => {
  const { batchMax, concurrentBatches, hold, secondBatchMin, send, waitMax } = options
  let waiting: Array<A> = []
  let free = concurrentBatches
  const inFlight = new HeldNames()

  /** Takes the next batch. An item that must wait keeps its turn: no later item overtakes it on a name that it needs. */
  const take = (): ReadonlyArray<A> => {
    const size = Math.min(batchMax, Math.ceil(waiting.length / free))
    const batch: Array<A> = []
    const left: Array<A> = []
    const skipped = new HeldNames()
    for (const item of waiting) {
      if (batch.length < size && hold?.(item) === true) continue
      if (batch.length < size && !inFlight.conflictsWith(item) && !skipped.conflictsWith(item)) {
        batch.push(item)
        inFlight.add(item)
      } else {
        left.push(item)
        if (batch.length < size) skipped.add(item)
      }
    }
    waiting = left
    return batch
  }

  let isWaiting = false
  const startWait = (): void => {
    if (isWaiting || waitMax === undefined) return
    isWaiting = true
    waitMax(() => {
      isWaiting = false
      sendBatches(1)
    })
  }

  const sendBatches = (queueMin = secondBatchMin): void => {
    while (free > 0 && waiting.length > 0) {
      if (free < concurrentBatches && waiting.length < queueMin) {
        startWait()
        return
      }
      const batch = take()
      if (batch.length === 0) return
      free -= 1
      void send(batch).finally(() => {
        free += 1
        for (const item of batch) inFlight.remove(item)
        sendBatches()
      })
    }
  }

  let isScheduled = false
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    // Items that are added in the same turn of the event loop share a batch.
    queueMicrotask(() => {
      isScheduled = false
      sendBatches()
    })
  }

  return {
    add: (item) => {
      waiting.push(item)
      schedule()
    },
    addFirst: (items) => {
      waiting = [...items, ...waiting]
      schedule()
    },
    withdraw: (item) => {
      const index = waiting.indexOf(item)
      if (index < 0) return false
      waiting.splice(index, 1)
      return true
    },
  }
}
