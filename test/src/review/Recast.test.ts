/** Limits recast into another currency: nothing gets stuck, is freed or is lost by it. Wire contract 1.3 and 1.4; D-010, D-014. */
import { Agents, Transactions } from "@countersign/core"
import type { AgentPolicy, CurrencyCode } from "@countersign/core/models"
import { ExchangeRates } from "@countersign/core/ports"
import { SandboxRails, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { action, submit, usage } from "../agent/AgentSteps.ts"

const limits = (spendingLimits: Partial<AgentPolicy["spendingLimits"]> = {}): Partial<AgentPolicy> => ({
  spendingLimits: { currency: "USD", perTransactionLimit: 100_000, ...spendingLimits },
})

const recast = (pay: AgentWorld, currency: CurrencyCode) =>
  pay.run(Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { currency } })))

/** A bank that keeps a spread: a euro costs 1.10 dollars, and brings 1.00. */
const withSpread = Layer.mergeAll(
  SandboxRails.layer,
  SandboxVerifier.layer,
  Layer.succeed(ExchangeRates, {
    rate: (from, to) =>
      Effect.succeed<Rate.Rate>(
        from === to
          ? Rate.identity(from)
          : from === "USD"
            ? { from, to, numerator: 11n, denominator: 10n }
            : { from, to, numerator: 1n, denominator: 1n },
      ),
  }),
)

describe("limits that are recast while a pull is pending", () => {
  it("let the pull fail though the rates have a spread", async () => {
    await using pay = await agentWorld(limits(), { suffixes: ["002"], ports: withSpread })
    const submitted = await submit(pay, 1000)
    await recast(pay, "EUR")
    await recast(pay, "USD")
    await pay.settle()
    const transaction = await pay.run(Transactions.use((all) => all.get(submitted.transaction?.id ?? "")))
    expect(transaction.status).toBe("FAILED")
    expect((await action(pay, submitted.id)).status).toBe("FAILED")
  })

  it("get the amount of a failed pull back", async () => {
    await using pay = await agentWorld(limits({ dailyLimit: 1000 }), { suffixes: ["002"] })
    await submit(pay, 1000)
    await recast(pay, "EUR")
    await pay.settle()
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, monthlySpend: 0, dailyTransactionCount: 1 })
  })

  it("keep the usage that a failed pull gave back, when they are recast again", async () => {
    await using pay = await agentWorld(limits({ dailyLimit: 1000 }), { suffixes: ["002"] })
    await submit(pay, 1000)
    await recast(pay, "EUR")
    await pay.settle()
    await recast(pay, "USD")
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, monthlySpend: 0 })
  })
})

describe("recast limits", () => {
  it("stay integers that are exact", async () => {
    await using pay = await agentWorld(limits({ perTransactionLimit: Number.MAX_SAFE_INTEGER }))
    const { body } = await recast(pay, "USDC")
    expect(Number.isSafeInteger(body.policy.spendingLimits.perTransactionLimit)).toBe(true)
  })

  it("carry what was spent after midnight, where the month ends during the update", async () => {
    let duringTheUpdate: Effect.Effect<void> | undefined
    await using pay = await agentWorld(limits({ monthlyLimit: 1000 }), {
      startsAt: "2026-11-30T23:59:59Z",
      failPoints: (point) =>
        Effect.suspend(() => {
          if (point !== "operation.decided" || duringTheUpdate === undefined) return Effect.void
          const then = duringTheUpdate
          duringTheUpdate = undefined
          return then
        }),
    })
    duringTheUpdate = Effect.promise(async () => {
      await pay.run(TestClock.adjust("1 second"))
      await submit(pay, 1000)
    })
    await recast(pay, "EUR")
    expect((await usage(pay)).monthlySpend).toBe(920)
  })
})
