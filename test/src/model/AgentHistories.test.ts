/** Random histories of an agent keep all invariants, and a defect in the store is found. */
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { agentHistories } from "../../../packages/test/src/model/AgentHistories.ts"

/** A store with a defect: it ignores the bounds of counters. */
const unbounded = Layer.effect(
  Store,
  Effect.map(Store, (store) => ({
    ...store,
    commit: (set) => store.commit({ ...set, counters: set.counters.map(({ max: _, ...charge }) => charge) }),
  })),
)

describe("any history of an agent", () => {
  it("keeps the ledger, budgets, states and events in order", async () => {
    expect(await agentHistories({ runs: Number(process.env["RUNS"] ?? 300) })).toEqual([])
  }, 120_000)

  it("reports the counterexample for a store that ignores budgets", async () => {
    const [problem] = await agentHistories({ runs: 300, seed: 3, isShrunk: false, world: { around: unbounded } })
    expect(problem).toMatch(/Counterexample: \[\[.*"_tag":"Submit"/su)
    expect(problem).toContain("seed: 3")
  }, 120_000)
})
