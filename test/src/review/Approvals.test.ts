/** What a decision rests on when it commits: the day, the policy, and who decides. Wire contract 1.4 and 1.6; D-008. */
import { AgentActions, Agents } from "@countersign/core"
import { Effect, Exit, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { approve, attempt, held, submit, usage } from "../agent/AgentSteps.ts"
import { between } from "./Between.ts"

const daily = { currency: "USD", perTransactionLimit: 1000, dailyLimit: 1000 } as const

describe("a decision that rests on the day's budget", () => {
  it("is made again when the day ends before its commit, also where it was no", async () => {
    const { failPoints, isOver, next } = between()
    await using pay = await agentWorld(
      { ...held, spendingLimits: daily },
      { startsAt: "2026-11-21T23:59:59Z", failPoints },
    )
    const [one, two] = [await submit(pay, 1000), await submit(pay, 1000)]
    await approve(pay, one.id)
    next(["operation.decided", () => pay.run(TestClock.adjust("1 second"))])
    expect((await approve(pay, two.id)).status).toBe("APPROVED")
    expect(isOver()).toBe(true)
  })

  it("is charged to the day of its commit", async () => {
    const { failPoints, isOver, next } = between()
    await using pay = await agentWorld({ spendingLimits: daily }, { startsAt: "2026-11-30T23:59:59Z", failPoints })
    next(["operation.decided", () => pay.run(TestClock.adjust("1 second"))])
    await submit(pay, 1000)
    expect(isOver()).toBe(true)
    expect(await usage(pay)).toMatchObject({ dailySpend: 1000, monthlySpend: 1000, dailyTransactionCount: 1 })
  })

  it("is made under the latest limit, though an earlier attempt met a lower one", async () => {
    const { failPoints, isOver, next } = between()
    await using pay = await agentWorld({ spendingLimits: daily }, { failPoints })
    const raise = Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { dailyLimit: 10_000 } }))
    next(["operation.decided", () => submit(pay, 900)], ["operation.committed", () => pay.run(raise)])
    const submitted = await attempt(pay, 300)
    expect(isOver()).toBe(true)
    expect(Result.isSuccess(submitted)).toBe(true)
  })
})

describe("an agent, whatever transport lets it try,", () => {
  it("does not approve its own action", async () => {
    await using pay = await agentWorld(held)
    const { id } = await submit(pay, 900)
    const tried = await pay.run(Effect.exit(AgentActions.use((actions) => actions.approve(pay.agentId, id))), pay.agent)
    expect(Exit.isFailure(tried)).toBe(true)
  })

  it("does not widen its own policy", async () => {
    await using pay = await agentWorld()
    const widen = Agents.use((agents) =>
      agents.updatePolicy(pay.agentId, { spendingLimits: { perTransactionLimit: 1e9 } }),
    )
    expect(Exit.isFailure(await pay.run(Effect.exit(widen), pay.agent))).toBe(true)
  })
})
