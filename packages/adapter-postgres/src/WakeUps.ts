/**
 * Wakes the workers of other processes, and is woken by theirs. A wake-up that is lost costs one interval of polling, so none is part
 * of a commit: `NOTIFY` inside a transaction would make all commits of the database wait for one another.
 * Source: ports/Store.ts (awaitWork).
 */

import { WallTime } from "@countersign/core/ports"
import { type Queue, queues, type WorkSignal } from "@countersign/core/store"
import { Deferred, Effect, Latch } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Connection } from "./connection/Connection.ts"

const channelOf = (queue: Queue): string => `countersign_${queue}`

const notifyText = "select pg_notify(channel, $2)::text from unnest($1::text[]) channel"

/** The first wake-up goes at once; those that follow share one after so long: a busy process has commits all the time. */
const pauseMillis = 20

export interface WakeUps {
  /** Tells the other processes; several at about the same time become one. */
  readonly tell: (queue: Queue) => void
  /** Begins to listen, once. */
  readonly listen: Effect.Effect<void>
}

const silent: WakeUps = { tell: () => undefined, listen: Effect.void }

const reconnectMillis = 1000

export const make = Effect.fnUntraced(function* (connection: Connection, signal: WorkSignal.WorkSignal) {
  const { listen } = connection
  if (listen === undefined) return silent
  const wall = yield* WallTime
  const mark = yield* Effect.provide(
    SecureRandom.SecureRandom.use((random) => random.uuidV4()),
    SecureRandom.layerWebCrypto,
  )

  const waiting = new Set<Queue>()
  const bell = yield* Latch.make()
  const tell = (queue: Queue): void => {
    waiting.add(queue)
    bell.openUnsafe()
  }
  const send = Effect.gen(function* () {
    yield* bell.await
    bell.closeUnsafe()
    const channels = [...waiting].map(channelOf)
    waiting.clear()
    yield* Effect.ignore(
      Effect.tryPromise(() =>
        connection.query({ name: "countersign_notify", text: notifyText, values: [channels, mark] }),
      ),
    )
    yield* wall.sleep(pauseMillis)
  })
  yield* Effect.forkScoped(Effect.forever(send))

  const onMessage = (channel: string, payload: string): void => {
    if (payload === mark) return
    for (const queue of queues) if (channelOf(queue) === channel) signal.changed(queue)
  }
  const subscription = Effect.acquireRelease(
    Effect.tryPromise(() => listen(queues.map(channelOf), onMessage)),
    (listening) => Effect.promise(() => listening.close()),
  )
  let wasLost = false
  const attention = Effect.gen(function* () {
    const listening = yield* subscription
    // What was told while nobody listened was missed.
    if (wasLost) for (const queue of queues) signal.changed(queue)
    wasLost = true
    yield* Effect.promise(() => listening.ended)
  }).pipe(Effect.scoped, Effect.ignore, Effect.andThen(wall.sleep(reconnectMillis)), Effect.forever)

  const wanted = yield* Deferred.make<void>()
  yield* Effect.forkScoped(Effect.andThen(Deferred.await(wanted), attention))
  return { tell, listen: Effect.asVoid(Deferred.succeed(wanted, undefined)) } satisfies WakeUps
})

/** Tells all processes of these queues, over a connection that is not inside a transaction any more. */
export const tellAll = async (connection: Pick<Connection, "query">, told: Iterable<Queue>): Promise<void> => {
  const channels = [...told].map(channelOf)
  if (channels.length > 0) await connection.query({ text: notifyText, values: [channels, ""] })
}
