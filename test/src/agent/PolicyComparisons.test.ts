/** A comparison of policies shows each rule with its numbers, and its reads are bounded. D-475, D-476. */
import { Agents, PolicyComparisons } from "@countersign/core"
import type { AgentPolicyEvaluation } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { agentQuotes, idOf, quoted } from "./AgentQuoteSteps.ts"
import { held, submit } from "./AgentSteps.ts"
import { compare, type Move } from "./ComparisonSteps.ts"

describe("a comparison of policies", () => {
  it("lists every rule with the numbers that it compared, up to the one that decides", async () => {
    await using pay = await agentWorld({
      spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyLimit: 1500, monthlyLimit: 9000 },
      approvalThresholds: { currency: "USD", amount: 900 },
    })
    await submit(pay, 800)
    const { actions } = Result.getOrThrow(
      await compare(pay, { spendingLimits: { dailyLimit: 1600 } }, [["TRANSFER_IN", 750]]),
    )
    const daily = { limit: "dailyLimit", currency: "USD", used: 800, amount: 750 }
    const shown = (evaluation: AgentPolicyEvaluation | undefined) =>
      evaluation?.rows.map(({ compared, result, rule }) => [rule, result, ...(compared ?? [])])
    const single = { currency: "USD", used: 0, amount: 750 }
    const first = [
      ["NOT_REVOKED", "PASSED"],
      ["NOT_PAUSED", "PASSED"],
      ["PERMISSION_GRANTED", "PASSED"],
      ["ACTION_POSSIBLE", "PASSED"],
      ["ACCOUNTS_IN_SCOPE", "PASSED"],
      ["RATES_KNOWN", "PASSED"],
      ["PER_TRANSACTION_LIMIT", "PASSED", { limit: "perTransactionLimit", ...single, value: 1000, remaining: 250 }],
    ]
    expect(shown(actions[0]?.present)).toEqual([
      ...first,
      ["DAILY_LIMIT", "DECIDED", { ...daily, value: 1500, remaining: -50 }],
      ...["MONTHLY_LIMIT", "DAILY_TRANSACTION_LIMIT", "COUNTED_EXACTLY", "ACTION_EXECUTABLE"].map((rule) => [
        rule,
        "NOT_REACHED",
      ]),
      ...["ACCOUNT_EXECUTION_MODE", "DEFAULT_EXECUTION_MODE", "APPROVAL_THRESHOLD", "APPROVAL_POLICY", "FUNDS"].map(
        (rule) => [rule, "NOT_REACHED"],
      ),
    ])
    expect(shown(actions[0]?.proposed)).toEqual([
      ...first,
      ["DAILY_LIMIT", "PASSED", { ...daily, value: 1600, remaining: 50 }],
      ["MONTHLY_LIMIT", "PASSED", { ...daily, limit: "monthlyLimit", value: 9000, remaining: 7450 }],
      ["DAILY_TRANSACTION_LIMIT", "PASSED"],
      ["COUNTED_EXACTLY", "PASSED"],
      ["ACTION_EXECUTABLE", "PASSED"],
      ["ACCOUNT_EXECUTION_MODE", "PASSED"],
      ["DEFAULT_EXECUTION_MODE", "PASSED"],
      ["APPROVAL_THRESHOLD", "PASSED", { limit: "approvalThreshold", ...single, value: 900, remaining: 150 }],
      ["APPROVAL_POLICY", "PASSED"],
      ["FUNDS", "PASSED"],
    ])
  })

  it("compares the executed quote of an agent as its submission was decided", async () => {
    const limits = { currency: "EUR", perTransactionLimit: 50_000, dailyLimit: 20_000 } as const
    const pay = await agentQuotes({ spendingLimits: limits, approvalThresholds: { currency: "EUR", amount: 1000 } })
    await using _ = pay
    const quoteId = await quoted(pay)
    const before = (await pay.evaluate(quoteId)) as AgentPolicyEvaluation
    const actionId = idOf(await pay.perform(quoteId))
    const policy = { permissions: ["CREATE_QUOTES" as const] }
    const { recent } = await pay.run(PolicyComparisons.use((all) => all.compare(pay.agentId, { policy, recent: 1 })))
    const own = new Set(["ACTION_POSSIBLE", "ACTION_EXECUTABLE", "FUNDS"])
    expect(recent).toMatchObject([
      {
        actionId,
        type: "EXECUTE_QUOTE",
        status: "PENDING_APPROVAL",
        amount: 10_000,
        currency: "USD",
        present: { outcome: "PENDING_APPROVAL", details: before.details, limits: before.limits },
        proposed: { outcome: "REFUSED", details: { rule: "PERMISSION_GRANTED", permission: "EXECUTE_QUOTES" } },
      },
    ])
    expect(recent[0]?.present.rows).toEqual(before.rows.filter(({ rule }) => !own.has(rule)))
    const request = {
      action: { type: "EXECUTE_QUOTE" as const, quoteId },
      requested: { type: "EXECUTE_QUOTE" as const, quoteId },
    }
    const { actions } = await pay.run(PolicyComparisons.use((all) => all.compare(pay.agentId, { actions: [request] })))
    expect(actions[0]?.present).toEqual(await pay.evaluate(quoteId))
    expect(actions[0]).not.toHaveProperty("proposed")
  })

  it("compares the past of a paused agent, whose next submission is refused", async () => {
    await using pay = await agentWorld()
    await submit(pay, 5)
    await pay.run(Agents.use((agents) => agents.update(pay.agentId, { isPaused: true })))
    const { actions, recent } = Result.getOrThrow(await compare(pay, held, [["TRANSFER_IN", 5]], 1))
    expect(actions).toMatchObject([
      { present: { outcome: "REFUSED", details: { rule: "NOT_PAUSED" } }, proposed: { outcome: "REFUSED" } },
    ])
    expect(recent).toMatchObject([{ present: { outcome: "APPROVED" }, proposed: { outcome: "PENDING_APPROVAL" } }])
  })

  it("compares an action without recorded usage with the present usage, and says so", async () => {
    const forgetful = Layer.effect(
      Store,
      Effect.gen(function* () {
        const store = yield* Store
        const forget = <R extends { readonly data: unknown }>(record: R): R => {
          const { usageBefore: _unknown, ...data } = Object(record.data)
          return { ...record, data }
        }
        return Store.of({
          ...store,
          list: (kind, where, page) =>
            Effect.map(store.list(kind, where, page), (found) => ({ ...found, data: found.data.map(forget) })),
        })
      }),
    )
    await using pay = await agentWorld(
      { spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyLimit: 1000 } },
      { around: forgetful },
    )
    await submit(pay, 600)
    await pay.clock.advance("1 minute")
    const { asOf, recent } = Result.getOrThrow(await compare(pay, undefined, [], 5))
    expect(recent).toMatchObject([
      { asOf, present: { outcome: "REFUSED", details: { rule: "DAILY_LIMIT", used: 600 } } },
    ])
    expect(recent[0]?.createdAt).not.toBe(asOf)
  })

  it("reads as often for a hundred actions as for one, and for twenty transfers as for one", async () => {
    let reads = 0
    const counting = Layer.effect(
      Store,
      Effect.gen(function* () {
        const store = yield* Store
        const count = Effect.sync(() => void reads++)
        return Store.of({
          ...store,
          read: (query) => Effect.andThen(count, store.read(query)),
          list: (kind, where, page) => Effect.andThen(count, store.list(kind, where, page)),
        })
      }),
    )
    await using pay = await agentWorld({}, { around: counting })
    const readsOf = async (moves: ReadonlyArray<Move>, recent: number) => {
      reads = 0
      const { actions, recent: latest } = Result.getOrThrow(await compare(pay, { permissions: [] }, moves, recent))
      return [reads, actions.length, latest.length]
    }
    await submit(pay, 1)
    const [few, ...one] = await readsOf([["TRANSFER_IN", 1]], 1)
    for (let count = 1; count < 105; count++) await submit(pay, 1)
    const twenty = Array.from({ length: 20 }, (_, at): Move => [at % 2 === 0 ? "TRANSFER_IN" : "TRANSFER_OUT", at + 1])
    expect([one, await readsOf(twenty, 100)]).toEqual([
      [1, 1],
      [few, 20, 100],
    ])
    expect(few).toBeLessThan(8)
  }, 60_000)
})
