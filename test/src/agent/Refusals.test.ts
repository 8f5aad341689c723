/** The refusals of an agent's transfers, its budget, and its device codes. Wire contract 1.3 to 1.5. */
import { Agents, DeviceCodes, InternalAccounts } from "@countersign/core"
import type { AgentPolicy } from "@countersign/core/models"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { addCustomer, addSource, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { attempt, refusal, submit, usage } from "./AgentSteps.ts"

describe("a refused transfer", () => {
  // Proves: AUTH-06, LIM-11, ERR-INVALID_AMOUNT, ERR-FORBIDDEN, ERR-RULE-01
  // Proves: EP-AGENT-16, EP-AGENT-17, EP-AGENT-18
  it.each<readonly [string, Partial<AgentPolicy>, number | undefined, object, object]>([
    [
      "a missing permission, with its name",
      { permissions: [] },
      1,
      {},
      { code: "FORBIDDEN", details: { permission: "CREATE_TRANSFERS" } },
    ],
    [
      "an amount above the limit, with the limit",
      {},
      100_001,
      {},
      { code: "FORBIDDEN", details: { limit: "perTransactionLimit", value: 100_000 } },
    ],
    [
      "an amount above the daily limit, with its usage",
      { spendingLimits: { currency: "USD", perTransactionLimit: 100_000, dailyLimit: 10 } },
      11,
      {},
      { code: "FORBIDDEN", details: { limit: "dailyLimit", value: 10, used: 0, amount: 11 } },
    ],
    [
      "an unknown source",
      {},
      1,
      { sourceAccountId: "ExternalAccount:00000000-0000-7000-8000-000000000000" },
      { code: "REFERENCE_NOT_FOUND" },
    ],
    ["an amount of zero", {}, 0, {}, { code: "INVALID_AMOUNT" }],
  ])("reports %s and consumes nothing", async (_label, rules, amount, patch, expected) => {
    await using pay = await agentWorld(rules)
    expect(await refusal(pay, amount, patch)).toMatchObject(expected)
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, dailyTransactionCount: 0 })
  })

  // Proves: AUTH-05
  // Proves: EP-AGENT-20
  it("answers 404 for accounts of another customer", async () => {
    await using pay = await agentWorld()
    const otherCustomer = await addCustomer(pay)
    const source = await addSource(pay, otherCustomer.customerId, "000")
    expect(await refusal(pay, 1, { sourceAccountId: source })).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
    expect(await refusal(pay, 1, { destinationAccountId: otherCustomer.accountId })).toMatchObject({
      code: "REFERENCE_NOT_FOUND",
    })
  })

  // Proves: ERR-INVALID_CURRENCY
  it("refuses another currency", async () => {
    await using pay = await agentWorld()
    const { data } = await pay.run(
      InternalAccounts.use((accounts) => accounts.list({ customerId: pay.customerId, currency: "EUR" })),
    )
    expect(await refusal(pay, 1, { destinationAccountId: data[0]?.id })).toMatchObject({ code: "INVALID_CURRENCY" })
  })

  it("refuses a paused agent at once", async () => {
    await using pay = await agentWorld()
    await pay.run(Agents.use((agents) => agents.update(pay.agentId, { isPaused: true })))
    expect(await refusal(pay, 1)).toMatchObject({ code: "FORBIDDEN", details: { reason: "AGENT_PAUSED" } })
  })
})

describe("the budget", () => {
  const daily = (dailyLimit: number): Partial<AgentPolicy> => ({
    spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyLimit },
  })

  it("is not exceeded by concurrent requests", async () => {
    await using pay = await agentWorld(daily(1000), { interleave: 3 })
    const results = await Promise.all(Array.from({ length: 12 }, () => attempt(pay, 300)))
    expect(results.filter(Result.isSuccess)).toHaveLength(3)
    for (const refused of results.filter(Result.isFailure)) {
      expect(refused.failure).toMatchObject({ code: "FORBIDDEN", details: { limit: "dailyLimit" } })
    }
    expect(await usage(pay)).toMatchObject({ dailySpend: 900, dailyTransactionCount: 3 })
  })

  it("resets its daily part at midnight UTC, not its monthly part", async () => {
    await using pay = await agentWorld(daily(1000), { startsAt: "2026-11-21T23:59:00Z" })
    await submit(pay, 1000)
    expect(await refusal(pay, 1)).toMatchObject({ details: { limit: "dailyLimit" } })
    await pay.clock.advance("1 minute")
    expect((await submit(pay, 1000)).status).toBe("APPROVED")
    expect(await usage(pay)).toMatchObject({ dailySpend: 1000, monthlySpend: 2000, dailyResetDate: "2026-11-23" })
  })

  it("is not freed by a change of the limits' currency", async () => {
    await using pay = await agentWorld(daily(1000))
    await submit(pay, 900)
    await pay.run(Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { currency: "EUR" } })))
    const { policy, usage: converted } = await pay.run(Agents.use((agents) => agents.get(pay.agentId)))
    expect(policy.spendingLimits.currency).toBe("EUR")
    expect(converted.dailySpend / (policy.spendingLimits.dailyLimit ?? 0)).toBeGreaterThanOrEqual(0.9)
    await pay.run(Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { currency: "USD" } })))
    expect((await usage(pay)).dailySpend).toBeGreaterThanOrEqual(900)
    expect(await refusal(pay, 101)).toMatchObject({ details: { limit: "dailyLimit" } })
  })
})

describe("a device code", () => {
  // Proves: AUTH-04
  it("can be redeemed once, within a day, and only if it is the latest", async () => {
    await using pay = await agentWorld()
    const create = () =>
      pay.run(
        Agents.use((agents) =>
          agents.create({
            name: "Second",
            customerId: pay.customerId,
            policy: {
              permissions: [],
              defaultExecutionMode: "AUTO",
              spendingLimits: { currency: "USD", perTransactionLimit: 1 },
            },
          }),
        ),
      )
    const { agent, deviceCode } = (await create()).body
    expect(deviceCode.code).toMatch(/^AGENT-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/u)
    const later = (await pay.run(DeviceCodes.use((codes) => codes.issue(agent.id)))).body
    const redeem = (code: string) => pay.run(Effect.result(DeviceCodes.use((codes) => codes.redeem(code))))
    const ended = await redeem(deviceCode.code)
    expect(Result.isFailure(ended) && ended.failure).toMatchObject({
      code: "INVALID_INPUT",
      details: { reason: "INVALIDATED" },
    })
    expect(Result.isSuccess(await redeem(later.code))).toBe(true)
    const again = await redeem(later.code)
    expect(Result.isFailure(again) && again.failure).toMatchObject({
      code: "INVALID_INPUT",
      details: { reason: "REDEEMED" },
    })
    const connected = await pay.run(Effect.flip(DeviceCodes.use((codes) => codes.issue(agent.id))))
    expect(connected).toMatchObject({ code: "CONFLICT" })

    const third = (await create()).body
    await pay.clock.advance("24 hours")
    const late = await redeem(third.deviceCode.code)
    expect(Result.isFailure(late) && late.failure).toMatchObject({
      code: "INVALID_INPUT",
      details: { reason: "EXPIRED" },
    })
    const unknown = await redeem("AGENT-2222-2222")
    expect(Result.isFailure(unknown) && unknown.failure).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
  })
})
