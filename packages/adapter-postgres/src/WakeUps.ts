/**
 * Wakes the workers of other processes, and is woken by them. A lost wake-up costs one polling interval, so wake-ups are not part of a
 * commit: `NOTIFY` inside a transaction would serialize all commits of the database.
 * Source: ports/Store.ts (awaitWork).
 */

import { WallTime } from "@countersign/core/ports"
import { type Queue, queues, type WorkSignal } from "@countersign/core/store"
import { Effect, Latch } from "effect"
import type { Connection } from "./connection/Connection.ts"

const channelOf = (queue: Queue): string => `countersign_${queue}`

const notifyText = "select pg_notify(channel, $2)::text from unnest($1::text[]) channel"

/** The first wake-up is sent at once. Those of the following milliseconds are sent together, because a busy process commits all the time. */
const pauseMillis = 20

export interface WakeUps {
  /** Wakes the workers of a queue in other processes. */
  readonly notify: (queue: Queue) => void
  /** What the session of the workers subscribes to. */
  readonly channels: ReadonlyArray<string>
  readonly onMessage: (channel: string, payload: string) => void
}

export interface WakeUpOptions {
  readonly signal: WorkSignal.WorkSignal
  /** Distinguishes the wake-ups of this process. */
  readonly processId: string
}

export const make = Effect.fnUntraced(function* (connection: Connection, { processId, signal }: WakeUpOptions) {
  const channels = queues.map(channelOf)
  const onMessage = (channel: string, payload: string): void => {
    if (payload === processId) return
    for (const queue of queues) if (channelOf(queue) === channel) signal.changed(queue)
  }
  if (connection.isSingleProcess === true) return { notify: () => undefined, channels, onMessage } satisfies WakeUps
  const wall = yield* WallTime

  const pending = new Set<Queue>()
  const hasPending = yield* Latch.make()
  const notify = (queue: Queue): void => {
    pending.add(queue)
    hasPending.openUnsafe()
  }
  const send = Effect.gen(function* () {
    yield* hasPending.await
    hasPending.closeUnsafe()
    const channels = [...pending].map(channelOf)
    pending.clear()
    yield* Effect.ignore(
      Effect.tryPromise(() =>
        connection.query({ name: "countersign_notify", text: notifyText, values: [channels, processId] }),
      ),
    )
    yield* wall.sleep(pauseMillis)
  })
  yield* Effect.forkScoped(Effect.forever(send))

  return { notify, channels, onMessage } satisfies WakeUps
})

/** Wakes the workers of these queues in all processes. The connection must not be inside a transaction any more. */
export const notifyAll = async (connection: Pick<Connection, "query">, woken: Iterable<Queue>): Promise<void> => {
  const channels = [...woken].map(channelOf)
  if (channels.length > 0) await connection.query({ text: notifyText, values: [channels, ""] })
}
