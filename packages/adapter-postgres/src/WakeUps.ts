/**
 * Wakes the workers of other processes, and is woken by them. A lost wake-up costs one polling interval, so wake-ups are not part of a
 * commit: `NOTIFY` inside a transaction would serialize all commits of the database.
 * Source: ports/Store.ts (awaitWork).
 */

import { WallTime } from "@countersign/core/ports"
import { type Queue, queues, type WorkSignal } from "@countersign/core/store"
import { Deferred, Effect, Latch } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Connection } from "./connection/Connection.ts"

const channelOf = (queue: Queue): string => `countersign_${queue}`

const notifyText = "select pg_notify(channel, $2)::text from unnest($1::text[]) channel"

/** The first wake-up is sent at once. Those of the following milliseconds are sent together, because a busy process commits all the time. */
const pauseMillis = 20

export interface WakeUps {
  /** Wakes the workers of a queue in other processes. */
  readonly notify: (queue: Queue) => void
  /** Subscribes to the wake-ups of other processes; a second call has no effect. */
  readonly listen: Effect.Effect<void>
}

const noWakeUps: WakeUps = { notify: () => undefined, listen: Effect.void }

const reconnectMillis = 1000

export const make = Effect.fnUntraced(function* (connection: Connection, signal: WorkSignal.WorkSignal) {
  const { listen } = connection
  if (listen === undefined) return noWakeUps
  const wall = yield* WallTime
  const processId = yield* Effect.provide(
    SecureRandom.SecureRandom.use((random) => random.uuidV4()),
    SecureRandom.layerWebCrypto,
  )

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

  const onMessage = (channel: string, payload: string): void => {
    if (payload === processId) return
    for (const queue of queues) if (channelOf(queue) === channel) signal.changed(queue)
  }
  const subscription = Effect.acquireRelease(
    Effect.tryPromise(() => listen(queues.map(channelOf), onMessage)),
    (listening) => Effect.promise(() => listening.close()),
  )
  let isReconnect = false
  const keepListening = Effect.gen(function* () {
    const listening = yield* subscription
    // Wake-ups that were sent without a subscription are lost.
    if (isReconnect) for (const queue of queues) signal.changed(queue)
    isReconnect = true
    yield* Effect.promise(() => listening.ended)
  }).pipe(Effect.scoped, Effect.ignore, Effect.andThen(wall.sleep(reconnectMillis)), Effect.forever)

  const listenRequested = yield* Deferred.make<void>()
  yield* Effect.forkScoped(Effect.andThen(Deferred.await(listenRequested), keepListening))
  return { notify, listen: Effect.asVoid(Deferred.succeed(listenRequested, undefined)) } satisfies WakeUps
})

/** Wakes the workers of these queues in all processes. The connection must not be inside a transaction any more. */
export const notifyAll = async (connection: Pick<Connection, "query">, woken: Iterable<Queue>): Promise<void> => {
  const channels = [...woken].map(channelOf)
  if (channels.length > 0) await connection.query({ text: notifyText, values: [channels, ""] })
}
