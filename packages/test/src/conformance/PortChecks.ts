/**
 * What the suites of ports have in common: checks that build a layer anew, on a business clock that differs from wall time, with what they
 * log kept.
 * Source: D-100 (two clocks), D-444.
 */
import { Clock, type Context, Effect, Layer, Logger, References } from "effect"
import { describe, it } from "../runner/Runner.ts"

/** A check of a port. It rejects with what the port does wrong. */
export interface PortCheck {
  readonly title: string
  readonly run: () => Promise<void>
}

export interface PortBench {
  /** Business time (ms). It passes only when a check advances it. */
  readonly now: () => number
  readonly advanceTo: (at: number) => void
  /** Everything that was logged. */
  readonly logged: () => string
}

/** How far business time is ahead of wall time: an adapter that reads the system's clock is seen. */
const aheadMillis = 30 * 24 * 60 * 60 * 1000

const make = (wall: number) => {
  let now = wall + aheadMillis
  const lines: Array<string> = []
  const bench: PortBench = {
    now: () => now,
    advanceTo: (at) => {
      now = Math.max(now, at)
    },
    logged: () => lines.join("\n"),
  }
  const clock = (base: Clock.Clock): Clock.Clock => ({
    ...base,
    currentTimeMillisUnsafe: bench.now,
    currentTimeMillis: Effect.sync(bench.now),
    currentTimeNanosUnsafe: () => base.currentTimeNanosUnsafe(),
    monotonicTimeNanosUnsafe: () => base.monotonicTimeNanosUnsafe(),
    sleep: (duration) => base.sleep(duration),
  })
  const layer = Layer.mergeAll(
    Layer.effect(Clock.Clock, Effect.map(Clock.Clock, clock)),
    Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))]),
    Layer.succeed(References.MinimumLogLevel, "All"),
  )
  return { bench, layer }
}

/** Returns the maker of checks of one port. */
export const checksOf =
  <I, S, E>(port: Context.Service<I, S>, layer: Layer.Layer<I, E>) =>
  (title: string, body: (port: S, bench: PortBench) => Effect.Effect<void>): PortCheck => ({
    title,
    run: () =>
      Effect.runPromise(
        Effect.gen(function* () {
          const own = make(yield* Clock.currentTimeMillis)
          const checked = Effect.flatMap(port, (service) => body(service, own.bench))
          return yield* checked.pipe(Effect.provide(layer, { local: true }), Effect.provide(own.layer, { local: true }))
        }),
      ),
  })

/** Registers checks with the current runner. */
export const register = (name: string, checks: ReadonlyArray<PortCheck>): void =>
  describe(name, () => {
    for (const { run, title } of checks) it(title, run)
  })

export const fail = (message: string, found: unknown): Effect.Effect<never> =>
  Effect.die(new Error(`${message}: ${JSON.stringify(found)}`))

interface Answer {
  readonly _tag: string
  readonly at?: number
}

/** A `Later` that is never decided by time waits for a report. */
const roundsMax = 20

/** Asks again at the time that each `Later` names, until the answer is another one. */
export const settled = <A extends Answer>(bench: PortBench, ask: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    for (let round = 1; ; round++) {
      const answer = yield* ask
      if (answer._tag !== "Later") return answer
      const { at = Number.NaN } = answer
      if (!Number.isSafeInteger(at) || at < bench.now()) {
        return yield* fail("Later names no time (ms) of the business clock from now on", { at, now: bench.now() })
      }
      if (round === roundsMax) return answer
      // The service asks again after a second at the earliest.
      bench.advanceTo(Math.max(at, bench.now() + 1000))
    }
  })
