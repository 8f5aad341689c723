/** Changing the currency of limits blocks, frees and loses nothing. Source: wire contract 1.3 and 1.4; D-010, D-014. */
import { Agents, Transactions } from "@countersign/core"
import type { AgentPolicy, CurrencyCode } from "@countersign/core/models"
import { ExchangeRates } from "@countersign/core/ports"
import { SandboxRails, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { action, submit, usage } from "./AgentSteps.ts"
import { atFailPoints } from "./AtFailPoints.ts"

const limits = (spendingLimits: Partial<AgentPolicy["spendingLimits"]> = {}): Partial<AgentPolicy> => ({
  spendingLimits: { currency: "USD", perTransactionLimit: 100_000, ...spendingLimits },
})

const changeCurrency = (pay: AgentWorld, currency: CurrencyCode) =>
  pay.run(Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { currency } })))

/** A bank with a spread: it sells a euro for 1.10 dollars and buys it for 1.00. */
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

describe("limits in another currency than the amount", () => {
  it.each([
    [910, 201],
    [909, 403],
  ])(
    "of %i cents of a euro compare 1,000 cents of a dollar at the rate from dollars to euros",
    async (limit, status) => {
      await using pay = await agentHarness(limits({ currency: "EUR", perTransactionLimit: limit }), {
        ports: withSpread,
      })
      const reply = await pay.send("POST", "/agents/me/transfer-in", {
        as: { token: pay.accessToken },
        body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 1000 },
      })
      expect(reply.status).toBe(status)
      const { body } = await pay.send("GET", `/agents/${pay.agentId}`)
      // 1,000 * 10 / 11, rounded up; the other direction has another price.
      expect(body).toMatchObject({ usage: { dailySpend: status === 201 ? 910 : 0 } })
    },
  )
})

describe("limits whose currency changes while a pull is pending", () => {
  it("let the pull fail although the rates have a spread", async () => {
    await using pay = await agentWorld(limits(), { suffixes: ["002"], ports: withSpread })
    const submitted = await submit(pay, 1000)
    await changeCurrency(pay, "EUR")
    await changeCurrency(pay, "USD")
    await pay.settle()
    const transaction = await pay.run(Transactions.use((all) => all.get(submitted.transaction?.id ?? "")))
    expect(transaction.status).toBe("FAILED")
    expect((await action(pay, submitted.id)).status).toBe("FAILED")
  })

  it("are credited with the amount of a failed pull", async () => {
    await using pay = await agentWorld(limits({ dailyLimit: 1000 }), { suffixes: ["002"] })
    await submit(pay, 1000)
    await changeCurrency(pay, "EUR")
    await pay.settle()
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, monthlySpend: 0, dailyTransactionCount: 1 })
  })

  it("are credited in their new currency if it changes while the failure commits", async () => {
    const { allRan, during, failPoints } = atFailPoints()
    await using pay = await agentWorld(limits({ dailyLimit: 1000 }), { suffixes: ["002"], failPoints })
    await submit(pay, 1000)
    during(["transfer.asked", async () => {}], ["operation.decided", () => changeCurrency(pay, "EUR")])
    await pay.settle()
    expect(allRan()).toBe(true)
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, monthlySpend: 0, dailyTransactionCount: 1 })
  })

  it("keep that credit when the currency changes again", async () => {
    await using pay = await agentWorld(limits({ dailyLimit: 1000 }), { suffixes: ["002"] })
    await submit(pay, 1000)
    await changeCurrency(pay, "EUR")
    await pay.settle()
    await changeCurrency(pay, "USD")
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, monthlySpend: 0 })
  })
})

describe("limits after a change of currency", () => {
  it("stay exact integers", async () => {
    await using pay = await agentWorld(limits({ perTransactionLimit: Number.MAX_SAFE_INTEGER }))
    const { body } = await changeCurrency(pay, "USDC")
    expect(Number.isSafeInteger(body.policy.spendingLimits.perTransactionLimit)).toBe(true)
  })

  it("carry over the spending after midnight if the month ends during the update", async () => {
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
    await changeCurrency(pay, "EUR")
    expect((await usage(pay)).monthlySpend).toBe(920)
  })
})
