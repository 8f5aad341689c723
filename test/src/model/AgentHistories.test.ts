/**
 * Random histories of an agent: submissions, decisions, pauses, limits, time, replays and races; the books and the budgets
 * are checked after every step. A failing run prints the seed that replays it.
 */
import fc from "fast-check"
import { describe, it } from "vitest"
import { agentWorld } from "../harness/AgentWorld.ts"
import { type Command, run } from "./AgentCommands.ts"
import { Auditor } from "./Auditor.ts"

const suffixes = ["000", "002", "004", "005"]
const amount = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(0, -5, 999, 1000, 1001))
const submit = fc.record({
  amount,
  source: fc.constantFrom(...suffixes),
  key: fc.option(fc.integer({ min: 0, max: 3 })),
})
const index = fc.nat({ max: 30 })
const limit = fc.option(fc.integer({ min: 1, max: 6000 }))

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: fc.constant("Submit" as const),
      requests: fc.array(submit, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Decide" as const),
      decisions: fc.array(fc.record({ index, approve: fc.boolean() }), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Pause" as const), isPaused: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Limits" as const),
      perTransactionLimit: fc.integer({ min: 500, max: 3000 }),
      dailyLimit: limit,
      monthlyLimit: limit,
      dailyTransactionLimit: fc.integer({ min: 1, max: 8 }),
      threshold: limit,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Recast" as const),
      currency: fc.constantFrom("USD" as const, "EUR" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Advance" as const),
      seconds: fc.constantFrom(1, 29, 31, 3600, 43_200, 86_400),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Settle" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("Fund" as const), amount: fc.integer({ min: 1, max: 5000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("Race" as const), request: submit, isPaused: fc.boolean(), index }),
  },
)

describe("any history of an agent", () => {
  it("keeps books, budgets, states and events in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40 }), fc.integer(), async (commands, seed) => {
        await using world = await agentWorld(
          { spendingLimits: { currency: "USD", perTransactionLimit: 2000, dailyLimit: 4000, monthlyLimit: 9000 } },
          { suffixes, seed, interleave: seed },
        )
        const auditor = new Auditor(world)
        for (const step of commands) {
          await run(step, world, auditor)
          await auditor.check()
        }
        await world.clock.advance("2 minutes")
        await auditor.checkEnd()
      }),
      { numRuns: Number(process.env["RUNS"] ?? 300) },
    )
  }, 120_000)
})
