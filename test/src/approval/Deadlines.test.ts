/** Held actions over time: they expire, and they escalate to a further group. Source: D-532. */
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { action, balance, held, submit } from "../agent/AgentSteps.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"
import { twoOfFinance, withRows } from "./Policies.ts"
import { audited, outcome, shown, vote } from "./Votes.ts"

const hour = 60 * 60

describe("an action that expires", () => {
  const expiring = withRows({ ...twoOfFinance, expiresAfterSeconds: hour })

  it("is rejected with the reason when its time is over, by the service", async () => {
    await using pay = await agentWorld(held, { ports: expiring })
    const { id } = await submit(pay, 900)
    await vote(pay, id, "Ada Lovelace")
    await pay.clock.advance("3599 seconds")
    expect((await action(pay, id)).status).toBe("PENDING_APPROVAL")
    await pay.clock.advance("1 second")
    expect(await action(pay, id)).toMatchObject({
      status: "REJECTED",
      rejectionReason: "The time to approve the action is over.",
    })
    const rejected = (await audited(pay, id)).filter(({ operation }) => operation === "AGENT_ACTION_REJECT")
    expect(rejected).toMatchObject([
      {
        actor: { type: "SERVICE" },
        details: { reason: "APPROVAL_EXPIRED", row: "two of finance", votes: 1, needed: 2 },
      },
    ])
    expect(await balance(pay)).toBe(0)
  })

  it("stays approved if it was approved in time", async () => {
    await using pay = await agentWorld(held, { ports: expiring })
    const { id } = await submit(pay, 900)
    await vote(pay, id, "Ada Lovelace")
    await vote(pay, id, "Grace Hopper")
    await pay.clock.advance("2 hours")
    expect((await action(pay, id)).status).toBe("APPROVED")
  })

  it("is either approved or expired when both happen at the same moment", async () => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await agentWorld(held, { around, ports: expiring })
      const { id } = await submit(pay, 900)
      const { digest } = await shown(pay, id)
      await vote(pay, id, "Ada Lovelace", digest)
      let voted: unknown
      const isOverlapped = await overlap(
        async () => {
          voted = outcome(await vote(pay, id, "Grace Hopper", digest))
        },
        () => pay.clock.advance("1 hour"),
      )
      expect(isOverlapped ? ["ACTION_DECIDED", "APPROVAL_EXPIRED"] : ["APPROVED"]).toContain(voted)
      expect((await action(pay, id)).status).toBe(isOverlapped ? "REJECTED" : "APPROVED")
      return isOverlapped
    })
  })
})

describe("an action that escalates", () => {
  const escalating = withRows({ ...twoOfFinance, escalates: { afterSeconds: hour, to: "board" } })

  it("may then be approved by the further group, too, and the audit says so", async () => {
    await using pay = await agentWorld(held, { ports: escalating })
    const { id } = await submit(pay, 900)
    const { escalatesAt } = await shown(pay, id)
    expect(escalatesAt).toBe((await pay.clock.now()) + hour * 1000)
    expect(outcome(await vote(pay, id, "Emmy Noether"))).toBe("NOT_AN_APPROVER")
    await pay.clock.advance("1 hour")
    expect((await shown(pay, id)).awaited).toContain("Emmy Noether")
    const escalated = (await audited(pay, id)).filter(({ operation }) => operation === "AGENT_ACTION_ESCALATE")
    expect(escalated).toMatchObject([
      { actor: { type: "SERVICE" }, details: { from: "finance", to: "board", votes: 0, needed: 2 } },
    ])
    expect(outcome(await vote(pay, id, "Emmy Noether"))).toBe("PENDING_APPROVAL")
    expect(outcome(await vote(pay, id, "Alan Turing"))).toBe("APPROVED")
  })

  it("escalates no more once it is decided", async () => {
    await using pay = await agentWorld(held, { ports: escalating })
    const { id } = await submit(pay, 900)
    await vote(pay, id, "Ada Lovelace")
    await vote(pay, id, "Grace Hopper")
    await pay.clock.advance("2 hours")
    expect((await audited(pay, id)).map(({ operation }) => operation)).not.toContain("AGENT_ACTION_ESCALATE")
  })
})
