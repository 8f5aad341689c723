/**
 * Decisions about an agent's action that are repeated because the day or the policy changed before the commit, and who may decide.
 * Source: wire contract 1.4 and 1.6; D-008.
 */
import { AgentActions, Agents } from "@countersign/core"
import { Effect, Exit, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { approve, attempt, held, submit, usage } from "./AgentSteps.ts"
import { atFailPoints } from "./AtFailPoints.ts"

const daily = { currency: "USD", perTransactionLimit: 1000, dailyLimit: 1000 } as const

describe("a decision on the day's budget", () => {
  it("is repeated when the day ends before its commit, also after a refusal", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await agentWorld(
      { ...held, spendingLimits: daily },
      { startsAt: "2026-11-21T23:59:59Z", failPoints },
    )
    const [one, two] = [await submit(pay, 1000), await submit(pay, 1000)]
    await approve(pay, one.id)
    during(["operation.decided", () => pay.run(TestClock.adjust("1 second"))])
    expect((await approve(pay, two.id)).status).toBe("APPROVED")
    expect(allRan()).toBe(true)
  })

  it("charges the day of its commit", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await agentWorld({ spendingLimits: daily }, { startsAt: "2026-11-30T23:59:59Z", failPoints })
    during(["operation.decided", () => pay.run(TestClock.adjust("1 second"))])
    await submit(pay, 1000)
    expect(allRan()).toBe(true)
    expect(await usage(pay)).toMatchObject({ dailySpend: 1000, monthlySpend: 1000, dailyTransactionCount: 1 })
  })

  it("uses the latest limit, although an earlier attempt exceeded a lower one", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await agentWorld({ spendingLimits: daily }, { failPoints })
    const raise = Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { dailyLimit: 10_000 } }))
    during(["operation.decided", () => submit(pay, 900)], ["operation.committed", () => pay.run(raise)])
    const submitted = await attempt(pay, 300)
    expect(allRan()).toBe(true)
    expect(Result.isSuccess(submitted)).toBe(true)
  })
})

describe("an agent that calls the services directly", () => {
  it("cannot approve its own action", async () => {
    await using pay = await agentWorld(held)
    const { id } = await submit(pay, 900)
    const tried = await pay.run(Effect.exit(AgentActions.use((actions) => actions.approve(pay.agentId, id))), pay.agent)
    expect(Exit.isFailure(tried)).toBe(true)
  })

  it("cannot raise its own limits", async () => {
    await using pay = await agentWorld()
    const widen = Agents.use((agents) =>
      agents.updatePolicy(pay.agentId, { spendingLimits: { perTransactionLimit: 1e9 } }),
    )
    expect(Exit.isFailure(await pay.run(Effect.exit(widen), pay.agent))).toBe(true)
  })
})
