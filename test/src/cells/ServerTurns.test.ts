/** Sets that wait for one server keep no turn from those for others. Source: D-517. */
import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import * as ServerTurns from "../../../packages/adapter-postgres/src/cells/ServerTurns.ts"

it("lets a number of them run for the same servers, and others beside them", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const turns = ServerTurns.make(2)
      const begun: Array<string> = []
      const waitingFor = (...servers: ReadonlyArray<string>) =>
        turns.withTurn(servers)(
          Effect.andThen(
            Effect.sync(() => begun.push(servers.join("+"))),
            Effect.never,
          ),
        )
      const [first] = yield* Effect.forEach([["a", "b"], ["b", "a", "a"], ["a", "b"], ["a", "c"], ["a"]], (servers) =>
        Effect.forkChild(waitingFor(...servers), { startImmediately: true }),
      )
      expect(begun).toEqual(["a+b", "b+a+a", "a+c", "a"])
      if (first !== undefined) yield* Fiber.interrupt(first)
      yield* Effect.yieldNow
      expect(begun).toEqual(["a+b", "b+a+a", "a+c", "a", "a+b"])
    }),
  ))
