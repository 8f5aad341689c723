/** Random histories of an agent, and that a wrong one is found. */
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { agentHistories } from "../../../packages/test/src/model/AgentHistories.ts"

/** A store that keeps no budget: whatever is charged is within bounds. */
const unbounded = Layer.effect(
  Store,
  Effect.map(Store, (store) => ({
    ...store,
    commit: (set) => store.commit({ ...set, counters: set.counters.map(({ max: _, ...charge }) => charge) }),
  })),
)

describe("any history of an agent", () => {
  it("keeps books, budgets, states and events in order", async () => {
    expect(await agentHistories({ runs: Number(process.env["RUNS"] ?? 300) })).toEqual([])
  }, 120_000)

  it("is found where it does not", async () => {
    const [problem] = await agentHistories({ runs: 300, seed: 3, isShrunk: false, world: { around: unbounded } })
    expect(problem).toMatch(/Counterexample: \[\[.*"_tag":"Submit"/su)
    expect(problem).toContain("seed: 3")
  }, 120_000)
})
