/**
 * A call that moves the time holds the clock, so that no other moves it meanwhile. Its process may die: it holds the clock for seconds only,
 * and again while it lives.
 * Source: D-100, D-519.
 */
import type { RailOutcome } from "@countersign/core/ports"
import { Store, StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"
import { pullFrom } from "../../../packages/test/src/harness/TransferCalls.ts"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"
import { send } from "./Clock.ts"

/** A world whose process can be cut off from the clock's row, in which an advance waits for a bank that has not answered yet. */
const advancing = async () => {
  const bank = Promise.withResolvers<void>()
  const process = { isDead: false }
  const pull = (): Effect.Effect<RailOutcome> => Effect.promise(() => bank.promise.then(() => ({ _tag: "Done" })))
  const around = Layer.effect(
    Store,
    Effect.map(Store, (store) => ({
      ...store,
      moveTime: (move: Parameters<typeof store.moveTime>[0]) =>
        process.isDead && move.mover !== "other"
          ? Effect.fail(new StoreUnavailable({ unknown: false, cause: "the process is dead" }))
          : store.moveTime(move),
    })),
  )
  const pay = await agentHarness({}, { ports: SuccessfulRails.layer({ pull }), around })
  await pullFrom(pay, "000", 100)
  const call = send(pay, { by: "P1D" })
  for (let turn = 0; turn < 20; turn++) await pay.run(Effect.yieldNow)
  const seconds = async (count: number) => {
    for (let second = 0; second < count; second++) await pay.run(TestClock.adjust("1 second"))
  }
  return { pay, call, process, seconds, answer: bank.resolve, [Symbol.asyncDispose]: () => pay[Symbol.asyncDispose]() }
}

/** Takes the clock as another process; answers whether it could, and keeps it for a minute if so. */
const take = async (pay: Harness) => {
  const wallNow = await pay.clock.now()
  const other = { mover: "other", aheadMillis: 0, wallNow, heldUntil: wallNow + 60_000 }
  return (await pay.run(Store.use((store) => store.moveTime(other)))) !== undefined
}

it("a call keeps the clock as long as it takes", async () => {
  await using world = await advancing()
  await world.seconds(15)
  expect(await take(world.pay)).toBe(false)
  world.answer()
  expect(await world.call).toMatchObject({ body: { isComplete: true } })
  expect(await take(world.pay)).toBe(true)
})

it("a call whose process died keeps the clock for five seconds", async () => {
  await using world = await advancing()
  await world.seconds(10)
  world.process.isDead = true
  await world.seconds(3)
  expect(await take(world.pay)).toBe(false)
  await world.seconds(2)
  expect(await take(world.pay)).toBe(true)
})

it("a call ends when another process has taken the clock", async () => {
  await using world = await advancing()
  world.process.isDead = true
  await world.seconds(5)
  expect(await take(world.pay)).toBe(true)
  world.process.isDead = false
  world.answer()
  expect(await world.call).toMatchObject({ body: { isComplete: false, stopReason: "TAKEN_OVER", steps: 0 } })
  expect(await send(world.pay, { seconds: 1 })).toMatchObject({ status: 409 })
})
