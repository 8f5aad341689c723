/**
 * Reports the changes of platforms to the other processes, and their changes to this one. Reports are no part of a commit, as wake-ups are
 * none, and are sent together a few times a second, however many commits there are.
 * Source: D-453; store/Store.ts (watch).
 */

import { WallTime } from "@countersign/core/ports"
import { ChangeSignal, type ChangeTopic, changeTopics } from "@countersign/core/store"
import { Effect, Latch } from "effect"
import type { Connection } from "./connection/Connection.ts"

const channel = "countersign_changes"

const text = "select pg_notify($1, payload)::text from unnest($2::text[]) payload"

/** The first report is sent at once. Those of the following milliseconds are sent together. */
const pauseMillis = 250

/** More platforms at once are reported as all platforms, which costs one message. */
const platformsMax = 64

/** In a report: all platforms. No id of a platform is empty. */
const everyPlatform = ""

/** The topics of platforms that are not yet reported. */
export type Unreported = Map<string, Set<ChangeTopic>>

export const addTo = (unreported: Unreported, platformId: string, topics: Iterable<ChangeTopic>): void => {
  const known = unreported.get(platformId) ?? new Set()
  for (const topic of topics) known.add(topic)
  unreported.set(platformId, known)
}

const payloadsOf = (unreported: Unreported, processId: string): ReadonlyArray<string> =>
  unreported.size > platformsMax
    ? [JSON.stringify([processId, everyPlatform, changeTopics])]
    : [...unreported].map(([platformId, topics]) => JSON.stringify([processId, platformId, [...topics]]))

/** Sends reports. The connection must not be inside a transaction any more. */
export const sendAll = async (
  { query }: Pick<Connection, "query">,
  unreported: Unreported,
  processId: string,
): Promise<void> => {
  if (unreported.size === 0) return
  await query({ name: "countersign_changes", text, values: [channel, payloadsOf(unreported, processId)] })
}

export interface ChangeNotices {
  /** Reports a change of this process; `undefined`: of all platforms. */
  readonly changed: (platformId: string | undefined, topics: ReadonlySet<ChangeTopic>) => void
  readonly channel: string
  readonly onMessage: (payload: string) => void
}

/** A report of another release may have topics that this one does not know. */
const isTopic = (topic: unknown): topic is ChangeTopic => changeTopics.some((known) => known === topic)

export const make = Effect.fnUntraced(function* (
  connection: Connection,
  { processId, signal }: { readonly processId: string; readonly signal: ChangeSignal.ChangeSignal },
) {
  const onMessage = (payload: string): void => {
    const [sender, platformId, topics]: [string, string, ReadonlyArray<unknown>] = JSON.parse(payload)
    if (sender === processId) return
    signal.changed(platformId === everyPlatform ? undefined : platformId, new Set(topics.filter(isTopic)))
  }
  if (connection.isSingleProcess === true) {
    return { changed: signal.changed, channel, onMessage } satisfies ChangeNotices
  }
  const wall = yield* WallTime
  const unreported: Unreported = new Map()
  const hasUnreported = yield* Latch.make()
  const send = Effect.gen(function* () {
    yield* hasUnreported.await
    hasUnreported.closeUnsafe()
    const reports = new Map(unreported)
    unreported.clear()
    yield* Effect.ignore(Effect.tryPromise(() => sendAll(connection, reports, processId)))
    yield* wall.sleep(pauseMillis)
  })
  yield* Effect.forkScoped(Effect.forever(send))
  return {
    changed: (platformId, topics) => {
      signal.changed(platformId, topics)
      if (topics.size === 0) return
      addTo(unreported, platformId ?? everyPlatform, topics)
      hasUnreported.openUnsafe()
    },
    channel,
    onMessage,
  } satisfies ChangeNotices
})

/** How often all topics are reported where no process hears of another's changes: behind a pooler that shares sessions. */
const deafMillis = 2_500

/** Watches a platform. Where changes of other processes cannot be observed, each interval may have brought some. */
export const watching = Effect.fnUntraced(function* (
  connection: Pick<Connection, "isSingleProcess" | "listen">,
  signal: ChangeSignal.ChangeSignal,
) {
  const wall = yield* WallTime
  if (connection.isSingleProcess === true || connection.listen !== undefined) return signal.watch
  const guess = (onChange: ChangeSignal.OnChange) =>
    Effect.forever(
      Effect.andThen(
        wall.sleep(deafMillis),
        Effect.sync(() => onChange(ChangeSignal.everyTopic)),
      ),
    )
  const watch: ChangeSignal.ChangeSignal["watch"] = (platformId, onChange) =>
    Effect.andThen(signal.watch(platformId, onChange), Effect.asVoid(Effect.forkScoped(guess(onChange))))
  return watch
})
