/** How long an operation waits after each conflict, and how often a commit of unknown outcome is sent again. */
import { CurrentCaller, tenant } from "@countersign/core"
import { type ChangeSet, Store, StoreUnavailable } from "@countersign/core/store"
import { Cause, Effect, Layer, Random } from "effect"
import { describe, expect, it } from "vitest"
import * as Commit from "../../../packages/core/src/operation/Commit.ts"
import { WallTime } from "../../../packages/core/src/ports/WallTime.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"

/** Returns the waits (ms) of these conflicts where every random number is this one. */
const waitsOf = async (effect: Effect.Effect<unknown, never, WallTime>, drawn = 0.5) => {
  const waits: Array<number> = []
  const wall = WallTime.of({
    now: Effect.succeed(0),
    sleep: (millis) => Effect.sync(() => void waits.push(Number(millis))),
  })
  const random = { nextDoubleUnsafe: () => drawn, nextIntUnsafe: () => 0 }
  await Effect.runPromise(
    effect.pipe(Effect.provideService(WallTime, wall), Effect.provideService(Random.Random, random)),
  )
  return waits
}

describe("the pause after a conflict", () => {
  it.each([
    [0, []],
    [1, []],
    [3, []],
    [4, [2]],
    [5, [3]],
    [6, [5]],
    [8, [17]],
    [9, [33]],
    [10, [33]],
    [60, [33]],
  ])("after %i conflicts waits about the middle of its range", async (conflicts, waits) => {
    expect(await waitsOf(Commit.pause(conflicts))).toEqual(waits)
  })

  it("is at least one millisecond and grows to 64", async () => {
    expect(await waitsOf(Commit.pause(60), 0)).toEqual([1])
    expect(await waitsOf(Commit.pause(60), 63 / 64)).toEqual([64])
  })
})

describe("a commit that the store does not answer", () => {
  const set = changeSet({ operationId: "op" })

  /** Commits to a store that fails this many times. Returns what it was sent, the result and the waits. */
  const sent = async (times: number, failure: () => StoreUnavailable) => {
    const sets: Array<ChangeSet> = []
    let result: unknown
    const store = Layer.mock(Store, {
      aheadMillis: () => 0,
      commit: (one) =>
        Effect.suspend(() => {
          sets.push(one)
          return sets.length > times
            ? Effect.succeed({ _tag: "Committed" as const, facts: { balances: {}, counters: {} } })
            : Effect.fail(failure())
        }),
    })
    const committing = Effect.exit(Commit.commit(set)).pipe(
      Effect.provide(store),
      Effect.provideService(CurrentCaller, tenant("PlatformConfig:p")),
      Effect.tap((exit) =>
        Effect.sync(() => {
          result = exit._tag === "Success" ? exit.value._tag : Cause.squash(exit.cause)
        }),
      ),
    )
    const waits = await waitsOf(committing)
    expect(sets.every((one) => one === set)).toBe(true)
    return { count: sets.length, result, waits }
  }
  const unknown = () => new StoreUnavailable({ unknown: true, cause: "the connection broke" })

  it("is sent again after growing waits, five times at most", async () => {
    expect(await sent(0, unknown)).toEqual({ count: 1, result: "Committed", waits: [] })
    expect(await sent(5, unknown)).toEqual({ count: 6, result: "Committed", waits: [2, 3, 5, 9, 17] })
    const failed = await sent(6, unknown)
    expect(failed).toMatchObject({ count: 6, result: { _tag: "StoreUnavailable", unknown: true } })
  })

  it("is not sent again if it was certainly not applied", async () => {
    const failed = await sent(1, () => new StoreUnavailable({ unknown: false, cause: "no connection" }))
    expect(failed).toMatchObject({ count: 1, result: { _tag: "StoreUnavailable", unknown: false }, waits: [] })
  })
})
