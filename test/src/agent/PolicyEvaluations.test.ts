/** A policy evaluation predicts the submission or the approval and writes nothing. D-212. */
import { AgentActions, Agents, PolicyEvaluations } from "@countersign/core"
import type { AgentPolicy } from "@countersign/core/models"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { TransferAction } from "../../../packages/core/src/decision/approval/ActionLoaded.ts"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { fund } from "../../../packages/test/src/harness/TransferCalls.ts"
import { approve, attempt, attemptOut, decide, held, submit, submitOut } from "./AgentSteps.ts"

const transferOf = (pay: AgentWorld, type: TransferAction["type"], amount: number | undefined): TransferAction => {
  const outside = pay.sources["000"] ?? ""
  return type === "TRANSFER_IN"
    ? { type, order: { sourceAccountId: outside, destinationAccountId: pay.accountId, amount } }
    : {
        type,
        order: {
          sourceAccountId: pay.accountId,
          destinationAccountId: outside,
          ...(amount === undefined ? {} : { amount }),
        },
      }
}

const evaluate = (pay: AgentWorld, type: TransferAction["type"], amount?: number) =>
  pay.run(PolicyEvaluations.use((all) => all.evaluate(pay.agentId, transferOf(pay, type, amount))))

const evaluateApproval = (pay: AgentWorld, actionId: string) =>
  pay.run(PolicyEvaluations.use((all) => all.evaluateApproval(pay.agentId, actionId)))

/** Everything that a submission could change. */
const state = async (pay: AgentWorld) => ({
  agent: await pay.run(Agents.use((agents) => agents.get(pay.agentId))),
  actions: await pay.run(
    AgentActions.use((actions) => actions.mine({})),
    pay.agent,
  ),
  books: await pay.books(),
  due: await pay.settle(),
})

const limits = fc.record(
  {
    currency: fc.constantFrom("USD" as const, "EUR" as const),
    perTransactionLimit: fc.integer({ min: 300, max: 3000 }),
    dailyLimit: fc.option(fc.integer({ min: 1, max: 3000 })),
    monthlyLimit: fc.option(fc.integer({ min: 1, max: 3000 })),
    dailyTransactionLimit: fc.integer({ min: 1, max: 2 }),
  },
  { requiredKeys: ["currency", "perTransactionLimit"] },
)
const rules = fc.record({
  permissions: fc.constantFrom<AgentPolicy["permissions"]>(["CREATE_TRANSFERS"], ["CREATE_TRANSFERS"], []),
  defaultExecutionMode: fc.constantFrom("AUTO", "AUTO", "APPROVAL_REQUIRED"),
  spendingLimits: limits,
  approvalThresholds: fc.record({
    currency: fc.constantFrom("USD" as const, "EUR" as const),
    amount: fc.option(fc.integer({ min: 500, max: 2000 }), { nil: null }),
  }),
})

/** One history with each outcome: executed, held, refused, and failed for missing funds. */
const everyOutcome: [Partial<AgentPolicy>, Array<[isIn: boolean, amount: number]>] = [
  {
    permissions: ["CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 3000 },
    approvalThresholds: { currency: "USD", amount: 500 },
  },
  [
    [true, 100],
    [true, 600],
    [true, -1],
    [false, 450],
  ],
]

describe("a policy evaluation", () => {
  it("predicts the submission with the same rule and numbers, and writes nothing", async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        rules,
        fc.array(fc.tuple(fc.boolean(), fc.option(fc.integer({ min: -1, max: 2500 }), { nil: undefined, freq: 8 })), {
          minLength: 1,
          maxLength: 4,
        }),
        async (policy: Partial<AgentPolicy>, moves) => {
          await using pay = await agentWorld(policy)
          await fund(pay, 300)
          for (const [isIn, amount] of moves) {
            await pay.settle()
            const before = await state(pay)
            const evaluation = await evaluate(pay, isIn ? "TRANSFER_IN" : "TRANSFER_OUT", amount)
            expect(await state(pay)).toEqual(before)
            const done = await (isIn ? attempt : attemptOut)(pay, amount)
            seen.add(evaluation.outcome)
            if (Result.isFailure(done)) {
              const { failure } = done
              if (failure._tag === "StoreUnavailable") throw failure
              expect(evaluation).toMatchObject({
                outcome: "REFUSED",
                error: { code: failure.code, status: failure.status },
              })
              expect(evaluation.details).toEqual(failure.details)
              continue
            }
            const { body } = done.success
            expect([evaluation.outcome, evaluation.details]).toEqual([body.status, body.details])
            expect(evaluation.transferDetails).toEqual(body.transferDetails)
            if (body.status !== "APPROVED") continue
            const { usage } = await pay.run(Agents.use((agents) => agents.get(pay.agentId)))
            for (const { amount: taken, limit, remaining, used, value } of evaluation.limits) {
              expect(remaining).toBe(value - used - taken)
              if (limit === "dailyLimit") expect(usage.dailySpend).toBe(used + taken)
              if (limit === "monthlyLimit") expect(usage.monthlySpend).toBe(used + taken)
              if (limit === "dailyTransactionLimit") expect(usage.dailyTransactionCount).toBe(used + taken)
            }
          }
        },
      ),
      { numRuns: 60, examples: [everyOutcome] },
    )
    expect([...seen].toSorted()).toEqual(["APPROVED", "FAILED", "PENDING_APPROVAL", "REFUSED"])
  }, 60_000)

  it("returns every limit of the policy with its remaining amount", async () => {
    await using pay = await agentWorld({
      spendingLimits: {
        currency: "USD",
        perTransactionLimit: 1000,
        dailyLimit: 1500,
        dailyTransactionLimit: 3,
        monthlyLimit: null,
      },
    })
    await submit(pay, 600)
    expect((await evaluate(pay, "TRANSFER_IN", 700)).limits).toEqual([
      { limit: "perTransactionLimit", currency: "USD", value: 1000, used: 0, amount: 700, remaining: 300 },
      { limit: "dailyLimit", currency: "USD", value: 1500, used: 600, amount: 700, remaining: 200 },
      { limit: "dailyTransactionLimit", value: 3, used: 1, amount: 1, remaining: 1 },
    ])
  })

  it("omits the details of a refusal that has none", async () => {
    await using pay = await agentWorld()
    const order = { sourceAccountId: "ExternalAccount:none", destinationAccountId: pay.accountId, amount: 1 }
    const evaluation = await pay.run(
      PolicyEvaluations.use((all) => all.evaluate(pay.agentId, { type: "TRANSFER_IN", order })),
    )
    expect(evaluation).toMatchObject({ outcome: "REFUSED", error: { code: "REFERENCE_NOT_FOUND" } })
    expect(evaluation).not.toHaveProperty("details")
  })

  it("is available to the platform only, for an existing agent", async () => {
    await using pay = await agentWorld()
    const ask = PolicyEvaluations.use((all) => all.evaluate(pay.agentId, transferOf(pay, "TRANSFER_IN", 1)))
    expect(await pay.run(Effect.flip(ask), pay.agent)).toMatchObject({ code: "FORBIDDEN" })
    await pay.run(Agents.use((agents) => agents.remove(pay.agentId)))
    const unknown = { code: "REFERENCE_NOT_FOUND", message: "No such agent." }
    expect(await pay.run(Effect.flip(ask))).toMatchObject(unknown)
    const unknownAgentId = pay.agentId.replace(/.$/u, (last) => (last === "0" ? "1" : "0"))
    const other = PolicyEvaluations.use((all) => all.evaluate(unknownAgentId, transferOf(pay, "TRANSFER_IN", 1)))
    expect(await pay.run(Effect.flip(other))).toMatchObject(unknown)
  })
})

describe("an evaluation of an approval", () => {
  it("predicts the approval and the remaining limits", async () => {
    await using pay = await agentWorld({
      ...held,
      spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyLimit: 1000 },
    })
    await fund(pay, 1000)
    const [one, two] = [await submitOut(pay, 600), await submitOut(pay, 600)]
    await pay.settle()
    const before = await state(pay)
    const first = await evaluateApproval(pay, one.id)
    expect(await state(pay)).toEqual(before)
    expect(first).toMatchObject({ outcome: "APPROVED", transferDetails: one.transferDetails })
    expect(first).not.toHaveProperty("details")
    expect(first.limits.find(({ limit }) => limit === "dailyLimit")?.remaining).toBe(400)
    expect((await approve(pay, one.id)).status).toBe("APPROVED")
    const second = await evaluateApproval(pay, two.id)
    expect(second).toMatchObject({ outcome: "FAILED", details: { rule: "DAILY_LIMIT", used: 600, value: 1000 } })
    const failed = await approve(pay, two.id)
    expect([failed.status, failed.details]).toEqual([second.outcome, second.details])
  })

  it("covers paused and deleted agents, and answers 409 for a decided action", async () => {
    await using pay = await agentWorld(held)
    const { id } = await submit(pay, 1)
    await pay.run(Agents.use((agents) => agents.update(pay.agentId, { isPaused: true })))
    expect(await evaluateApproval(pay, id)).toMatchObject({ outcome: "FAILED", details: { rule: "NOT_PAUSED" } })
    await pay.run(Agents.use((agents) => agents.remove(pay.agentId)))
    expect(await evaluateApproval(pay, id)).toMatchObject({ outcome: "FAILED", details: { rule: "NOT_REVOKED" } })
    await decide(pay, id, "reject")
    const ask = PolicyEvaluations.use((all) => all.evaluateApproval(pay.agentId, id))
    expect(await pay.run(Effect.flip(ask))).toMatchObject({
      code: "CONFLICT",
      details: { action: { id, status: "REJECTED" } },
    })
  })
})
