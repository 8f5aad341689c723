/**
 * Groups the commits of one process: what arrives while batches are on their way makes the next ones, so that many callers cost few
 * trips and a lone one waits for nobody.
 * Source: architecture, "The Store port" (PostgreSQL: concurrent commits are grouped).
 */

export interface Grouped {
  /** What the set holds for itself until it is committed: no other set of its batch, or of a batch on its way, has anything of it. */
  readonly exclusive: ReadonlyArray<string>
  /** What it shares with others that share it. */
  readonly shared: ReadonlyArray<string>
}

export interface GroupCommitOptions<A extends Grouped> {
  /** Sends a batch; every item of it is told its outcome by then, for it does not fail. */
  readonly send: (batch: ReadonlyArray<A>) => Promise<void>
  /** How many batches may be on their way at once. */
  readonly lanes: number
  /** How many items one batch may have. */
  readonly batchMax: number
  /** While a batch is on its way, so many items are worth another one; fewer wait for it, though not for longer than `patience`. */
  readonly worthMin: number
  /** Runs what it is given when items have waited long enough for a batch that may itself be waiting; absent: they wait until it is back. */
  readonly patience?: (over: () => void) => void
}

export interface GroupCommit<A> {
  readonly add: (item: A) => void
  /** Takes back an item that has not been sent; `false`: it was. */
  readonly withdraw: (item: A) => boolean
}

/** Names that are held, by how many, or by one alone. */
class Holds {
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

  excludes({ exclusive, shared }: Grouped): boolean {
    return (
      exclusive.some((name) => this.#exclusive.has(name) || this.#shared.has(name)) ||
      shared.some((name) => this.#exclusive.has(name))
    )
  }
}

export const make = <A extends Grouped>(options: GroupCommitOptions<A>): GroupCommit<A> => {
  const { batchMax, lanes, patience, send, worthMin } = options
  let waiting: Array<A> = []
  let free = lanes
  const held = new Holds()

  /** The next batch. What must wait keeps its turn: nobody behind it overtakes it on what it waits for. */
  const take = (): ReadonlyArray<A> => {
    const size = Math.min(batchMax, Math.ceil(waiting.length / free))
    const batch: Array<A> = []
    const left: Array<A> = []
    const passed = new Holds()
    for (const item of waiting) {
      if (batch.length < size && !held.excludes(item) && !passed.excludes(item)) {
        batch.push(item)
        held.add(item)
      } else {
        left.push(item)
        if (batch.length < size) passed.add(item)
      }
    }
    waiting = left
    return batch
  }

  let isPatient = false
  const wait = (): void => {
    if (isPatient || patience === undefined) return
    isPatient = true
    patience(() => {
      isPatient = false
      pump(1)
    })
  }

  const pump = (worth = worthMin): void => {
    while (free > 0 && waiting.length > 0) {
      if (free < lanes && waiting.length < worth) {
        wait()
        return
      }
      const batch = take()
      if (batch.length === 0) return
      free -= 1
      void send(batch).finally(() => {
        free += 1
        for (const item of batch) held.remove(item)
        pump()
      })
    }
  }

  let isScheduled = false
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    // Whoever asks in the same turn goes along.
    queueMicrotask(() => {
      isScheduled = false
      pump()
    })
  }

  return {
    add: (item) => {
      waiting.push(item)
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
