/** Two agents of one customer cannot see or decide each other's actions. Wire contract 1.1 and 1.6. */
import { AgentActions } from "@countersign/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { addAgent, agentWorld, policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import { held, submit } from "./AgentSteps.ts"

describe("an action of another agent of the same customer", () => {
  it("cannot be read, listed or decided through this one", async () => {
    await using pay = await agentWorld(held)
    const other = await addAgent(pay, pay.customerId, policy(held))
    const { id } = await submit(pay, 900)
    const read = Effect.flip(AgentActions.use((actions) => actions.mineById(id)))
    expect(await pay.run(read, other.agent)).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
    const list = AgentActions.use((actions) => actions.mine({}))
    expect(await pay.run(list, other.agent)).toMatchObject({ data: [], totalCount: 0 })
    for (const how of ["approve", "reject"] as const) {
      const decide = Effect.flip(AgentActions.use((actions) => actions[how](other.agentId, id)))
      expect(await pay.run(decide)).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
    }
    const filtered = AgentActions.use((actions) => actions.approvals({ agentId: other.agentId }))
    expect((await pay.run(filtered)).totalCount).toBe(0)
  })
})
