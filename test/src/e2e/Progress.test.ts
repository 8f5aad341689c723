/** A command says what it waits for once that takes longer than a second. Source: D-458. */
import { Console, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { withoutProgress, withProgress } from "../../../packages/cli/src/output/Progress.ts"

/** The notices of work, by the milliseconds after which each was printed. */
const noticesOf = (work: Effect.Effect<unknown>): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  const capturing: Console.Console = Object.assign(Object.create(console), {
    error: (line: string) => lines.push(line),
  })
  const run = Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(work)
    const seen: Array<string> = []
    for (const at of [999, 1000, 5000]) {
      yield* TestClock.setTime(at)
      seen.push(...lines.splice(0).map((line) => `${at} ${line}`))
    }
    yield* Fiber.join(fiber)
    return seen
  })
  return Effect.runPromise(
    run.pipe(Effect.provideService(Console.Console, capturing), Effect.provide(TestClock.layer())),
  )
}
const waiting = withProgress("waiting for the server")

it("says what it waits for after a second", async () => {
  expect(await noticesOf(waiting(Effect.sleep(1001)))).toEqual(["1000 waiting for the server ..."])
})

it("says nothing of work that ends within a second", async () => {
  expect(await noticesOf(waiting(Effect.sleep(999)))).toEqual([])
})

it("says what the whole command does, and nothing of its parts", async () => {
  const work = withProgress("advancing the clock")(Effect.andThen(waiting(Effect.sleep(2000)), Effect.sleep(2000)))
  expect(await noticesOf(work)).toEqual(["1000 advancing the clock ..."])
})

it("says nothing of work that waits by design", async () => {
  expect(await noticesOf(withoutProgress(waiting(Effect.sleep(4000))))).toEqual([])
})
