/**
 * The table that is used now. It is asked for by each rate, and read again when its source says so; one reading at a time.
 * Source: D-529.
 */
import { Clock, Effect, type Scope, Semaphore } from "effect"
import { disbelief, isStale } from "./Belief.ts"
import type { RateOptions } from "./RateOptions.ts"
import type { RateTable, TableRefused } from "./RateTable.ts"

export interface TableSource {
  /** What it is, for logs. */
  readonly name: string
  /** Whether it should be read now. */
  readonly isDue: (now: number) => boolean
  /** Whether a table that can be used is used while it is read. */
  readonly isSlow: boolean
  /** Reads the table; `undefined` if it has not changed. */
  readonly read: (now: number) => Effect.Effect<RateTable | undefined, TableRefused>
}

export interface CurrentTable {
  readonly current: Effect.Effect<RateTable | undefined>
  /** Why the source is not updated. */
  readonly problem: Effect.Effect<string | undefined>
}

/** Returns the effect that gives the table, or `undefined` if no table can be used; and the last problem. */
export const currentTable = Effect.fnUntraced(function* (source: TableSource, options: RateOptions) {
  const scope = yield* Effect.scope
  const permit = yield* Semaphore.make(1)
  let table: RateTable | undefined
  /** A table that was not used, and may be later: its day may come. */
  let doubted: RateTable | undefined
  /** The last problem, which is logged once. */
  let problem: string | undefined

  const note = Effect.fnUntraced(function* (message: string | undefined) {
    if (message === problem) return
    problem = message
    yield* message === undefined
      ? Effect.logInfo(`the exchange rates of ${source.name} are used again`)
      : Effect.logError(`the exchange rates of ${source.name} are not updated: ${message}`)
  })

  const readNow = Effect.fnUntraced(function* (now: number) {
    if (!source.isDue(now)) return
    const next = (yield* source.read(now)) ?? doubted
    const refusal = next === undefined ? undefined : disbelief(next, table, now, options)
    doubted = refusal === undefined ? undefined : next
    if (refusal !== undefined) return yield* refusal
    table = next ?? table
    yield* note(undefined)
  })

  const refresh = (now: number): Effect.Effect<void> => Effect.catch(readNow(now), ({ message }) => note(message))

  const usable = (now: number) => (table !== undefined && !isStale(table, now, options) ? table : undefined)

  const current = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (source.isDue(now)) {
      const inBackground = source.isSlow && usable(now) !== undefined
      yield* inBackground
        ? Effect.forkIn(permit.withPermitsIfAvailable(1)(refresh(now)), scope)
        : permit.withPermit(refresh(now))
    }
    return usable(now)
  })
  return { current, problem: Effect.sync(() => problem) }
}) satisfies (source: TableSource, options: RateOptions) => Effect.Effect<CurrentTable, never, Scope.Scope>
