/** An advance of the clock that takes several calls, because each of them ends after its time. Source: D-458. */
import type { Client } from "@countersign/client"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { advanceTo } from "../../../packages/cli/src/clock/Clock.ts"
import type { RemoteServer } from "../../../packages/cli/src/remote/RemoteServer.ts"

const target = "2026-01-03T00:00:00Z"
const nothing = { running: 0, waiting: 0, parked: 0 }

/** A server that reaches another time with each call, and the calls that it has had. */
const serverOf = (
  reached: ReadonlyArray<{ readonly now: string; readonly stopReason?: "OUT_OF_TIME" | "TOO_MUCH_WORK" }>,
) => {
  const asked: Array<unknown> = []
  const sandboxAdvanceClock = async ({ payload }: { readonly payload: unknown }) => {
    const step = reached[asked.length]
    const startedAt = reached[asked.length - 1]?.now ?? "2026-01-01T00:00:00Z"
    asked.push(payload)
    const [steps, jobsRun] = [asked.length, 10 ** asked.length]
    return { startedAt, target, ...step, isComplete: step?.stopReason === undefined, steps, jobsRun, jobsLeft: nothing }
  }
  const client: Client = Object({ sandbox: { sandboxAdvanceClock } })
  const server: RemoteServer = Object({
    call: <A>(request: (of: Client) => Promise<A>) => Effect.promise(() => request(client)),
  })
  return { asked, server }
}

const stopped = (now: string) => ({ now, stopReason: "OUT_OF_TIME" as const })
const first = stopped("2026-01-01T12:00:00Z")

it.each([
  ["is there at once", [{ now: target }], 1, 10],
  ["ran out of time twice", [first, stopped("2026-01-02T00:00:00Z"), { now: target }], 6, 1110],
  ["stops for another reason", [first, { now: "2026-01-02T00:00:00Z", stopReason: "TOO_MUCH_WORK" }], 3, 110],
  ["has run out of time at its target", [first, stopped(target)], 3, 110],
] as const)("says from where to where it went, and counts the work of all calls: one that %s", async (...row) => {
  const [, reached, steps, jobsRun] = row
  const { asked, server } = serverOf(reached)
  const answer = await Effect.runPromise(advanceTo(server, { by: "P2D" }))
  expect(answer).toMatchObject({ startedAt: "2026-01-01T00:00:00Z", target, ...reached.at(-1), steps, jobsRun })
  expect(asked).toEqual([{ by: "P2D" }, ...reached.slice(1).map(() => ({ to: target }))])
})
