/** A read that fibers of one platform share when they begin it together. */

import { CurrentCaller, tenant } from "@countersign/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import * as SharedRead from "../../../packages/core/src/operation/SharedRead.ts"

const as = (platformId: string) => Effect.provideService(CurrentCaller, tenant(`PlatformConfig:${platformId}`))

describe("a shared read", () => {
  it.effect("serves the fibers of a platform that begin together, and no other platform", () =>
    Effect.gen(function* () {
      const reads: Array<string> = []
      const read = SharedRead.make(
        Effect.map(CurrentCaller, ({ platformId }) => {
          reads.push(platformId)
          return reads.length
        }),
      )
      const fibers = yield* Effect.forEach(["a", "a", "b", "a"], (name) =>
        Effect.forkChild(read.pipe(as(name)), { startImmediately: true }),
      )
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [1, 1, 2, 1])
      assert.deepStrictEqual(reads, ["PlatformConfig:a", "PlatformConfig:b"])
    }),
  )

  it.effect("is not shared with a fiber that asks after it has begun", () =>
    Effect.gen(function* () {
      const gate = yield* Latch.make()
      let reads = 0
      const read = SharedRead.make(
        Effect.suspend(() => {
          reads += 1
          return Effect.as(gate.await, reads)
        }),
      ).pipe(as("a"))
      const first = yield* Effect.forkChild(read, { startImmediately: true })
      yield* Effect.repeat(Effect.yieldNow, { times: 5 })
      const second = yield* Effect.forkChild(read, { startImmediately: true })
      yield* Effect.repeat(Effect.yieldNow, { times: 5 })
      yield* gate.open
      assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(second)], [1, 2])
    }),
  )

  it.effect("is made again by the others when the fiber that reads is interrupted", () =>
    Effect.gen(function* () {
      const gate = yield* Latch.make()
      let reads = 0
      const read = SharedRead.make(
        Effect.suspend(() => {
          reads += 1
          return Effect.as(gate.await, reads)
        }),
      ).pipe(as("a"))
      const [first, second, third] = yield* Effect.forEach([1, 2, 3], () =>
        Effect.forkChild(read, { startImmediately: true }),
      )
      if (first === undefined || second === undefined || third === undefined) throw new Error("no fibers")
      yield* Effect.repeat(Effect.yieldNow, { times: 5 })
      yield* Fiber.interrupt(first)
      yield* Effect.repeat(Effect.yieldNow, { times: 5 })
      yield* gate.open
      assert.deepStrictEqual([yield* Fiber.join(second), yield* Fiber.join(third)], [2, 2])
    }),
  )

  it.effect("fails each fiber that shares it", () =>
    Effect.gen(function* () {
      const read = SharedRead.make(Effect.fail("unavailable" as const)).pipe(as("a"))
      const fibers = yield* Effect.forEach([1, 2], () => Effect.forkChild(read, { startImmediately: true }))
      assert.deepStrictEqual(yield* Effect.forEach(fibers, (fiber) => Effect.flip(Fiber.join(fiber))), [
        "unavailable",
        "unavailable",
      ])
    }),
  )
})
