/** An agent's transfer-in from submission to outcome: executed, held, approved or rejected. Spec: 4.1, 4.2, States: AgentAction. */
import { AgentActions, Agents, Transactions } from "@countersign/core"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { action, approve, balance, decide, held, submit, types, usage } from "./AgentSteps.ts"

describe("an automatic transfer-in", () => {
  // Proves: GEN-06, GEN-07, RES-ACTION-12, RES-ACTION-20, EVT-02
  // Proves: STATE-ACTION-04, STATE-ACTION-05, EP-AGENT-13
  it("answers APPROVED with a PENDING transaction, then credits the account", async () => {
    await using pay = await agentWorld()
    const submitted = await submit(pay, 2500)
    expect(submitted).toMatchObject({
      status: "APPROVED",
      type: "TRANSFER_IN",
      transaction: { status: "PENDING", type: "INCOMING" },
    })
    expect(await balance(pay)).toBe(0)
    await pay.settle()
    expect(await balance(pay)).toBe(2500)
    expect((await action(pay, submitted.id)).transaction).toMatchObject({ status: "COMPLETED", agentId: pay.agentId })
    const ofTransaction = pay.inbox.received.filter((event) => event.data["id"] === submitted.transaction?.id)
    expect(ofTransaction.map((event) => event.type)).toEqual(["INCOMING_PAYMENT.PENDING", "INCOMING_PAYMENT.COMPLETED"])
    const updated = pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED")[0]
    expect(updated?.data).toMatchObject({
      id: pay.accountId,
      balance: { amount: 2500 },
      totalBalance: { amount: 2500 },
    })
  })

  // Proves: EP-AGENT-09
  it("pulls the amount that the rail reports if the request has none", async () => {
    await using pay = await agentWorld()
    expect((await submit(pay)).transferDetails?.amount).toBe(10_000)
  })

  // Proves: STATE-ACTION-12, SBX-TRANSFER_IN-002, SBX-TRANSFER_IN-003, SBX-TRANSFER_IN-004
  it.each([
    ["002", "INSUFFICIENT_FUNDS"],
    ["003", "ACCOUNT_INVALID"],
    ["004", "BANK_REJECTED"],
  ])("fails transaction and action for suffix %s, and reverses the amount, not the count", async (suffix) => {
    await using pay = await agentWorld({}, { suffixes: [suffix] })
    const submitted = await submit(pay, 700)
    expect(submitted.status).toBe("APPROVED")
    expect(await usage(pay)).toMatchObject({ dailySpend: 700, monthlySpend: 700, dailyTransactionCount: 1 })
    await pay.settle()
    const failed = await action(pay, submitted.id)
    expect(failed).toMatchObject({
      status: "FAILED",
      transaction: { status: "FAILED", failureReason: "COLLECTION_FAILED" },
    })
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, monthlySpend: 0, dailyTransactionCount: 1 })
    expect(await balance(pay)).toBe(0)
    expect(types(pay)).toEqual(["INCOMING_PAYMENT.PENDING", "INCOMING_PAYMENT.FAILED"])
  })

  // Proves: LIM-07
  // Proves: SBX-TRANSFER_IN-005
  it("stays pending for 30 seconds for suffix 005, then fails", async () => {
    await using pay = await agentWorld({}, { suffixes: ["005"] })
    const { transaction } = await submit(pay, 700)
    await pay.clock.advance("29 seconds")
    const read = () => pay.run(Transactions.use((all) => all.get(transaction?.id ?? "")))
    expect((await read()).status).toBe("PENDING")
    await pay.clock.advance("1 second")
    expect((await read()).status).toBe("FAILED")
    expect(types(pay)).toEqual(["INCOMING_PAYMENT.PENDING", "INCOMING_PAYMENT.FAILED"])
  })
})

describe("a held transfer-in", () => {
  // Proves: GEN-07, RES-ACTION-13, EVT-02, EVT-03
  // Proves: STATE-ACTION-01, STATE-ACTION-02, STATE-ACTION-03, STATE-ACTION-06, STATE-ACTION-07, EP-MGMT-02
  it("notifies the platform, waits, and executes at approval", async () => {
    await using pay = await agentWorld(held)
    const submitted = await submit(pay, 900)
    expect(submitted.status).toBe("PENDING_APPROVAL")
    expect(submitted).not.toHaveProperty("transaction")
    await pay.settle()
    expect(types(pay)).toEqual(["AGENT_ACTION.PENDING_APPROVAL"])
    expect(pay.inbox.received[0]?.data).toEqual(submitted)
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, dailyTransactionCount: 0 })

    const approvals = await pay.run(AgentActions.use((actions) => actions.approvals({})))
    expect(approvals.data).toEqual([submitted])
    expect(await approve(pay, submitted.id)).toMatchObject({ status: "APPROVED", transaction: { status: "PENDING" } })
    expect(await usage(pay)).toMatchObject({ dailySpend: 900, dailyTransactionCount: 1 })
    expect((await pay.run(AgentActions.use((actions) => actions.approvals({})))).totalCount).toBe(0)
    await pay.settle()
    expect(await balance(pay)).toBe(900)
  })

  // Proves: RES-ACTION-15
  // Proves: STATE-ACTION-09, STATE-ACTION-10, STATE-ACTION-11, EP-MGMT-03, EP-MGMT-04
  it("is rejected with or without a reason", async () => {
    await using pay = await agentWorld(held)
    const [one, two] = [await submit(pay, 1), await submit(pay, 2)]
    expect(Result.getOrThrow(await decide(pay, one.id, "reject", "not this month")).body).toMatchObject({
      status: "REJECTED",
      rejectionReason: "not this month",
    })
    expect(Result.getOrThrow(await decide(pay, two.id, "reject")).body).not.toHaveProperty("rejectionReason")
    await pay.settle()
    expect(await balance(pay)).toBe(0)
  })

  // Proves: EP-MGMT-14
  it("is decided once: later decisions answer 409 with the action", async () => {
    await using pay = await agentWorld(held)
    const submitted = await submit(pay, 900)
    await approve(pay, submitted.id)
    for (const how of ["approve", "reject"] as const) {
      const again = await decide(pay, submitted.id, how)
      expect(Result.isFailure(again) && again.failure).toMatchObject({
        code: "CONFLICT",
        details: { action: { id: submitted.id, status: "APPROVED" } },
      })
    }
  })

  it("is approved once by two concurrent approvals", async () => {
    await using pay = await agentWorld(held, { interleave: 7 })
    for (let round = 0; round < 20; round++) {
      const { id } = await submit(pay, 10)
      const results = await Promise.all([
        decide(pay, id, "approve"),
        decide(pay, id, "reject"),
        decide(pay, id, "approve"),
      ])
      expect(results.filter(Result.isSuccess)).toHaveLength(1)
      for (const lost of results.filter(Result.isFailure)) expect(lost.failure).toMatchObject({ code: "CONFLICT" })
    }
  })

  it("is visible to its agent and its platform only", async () => {
    await using pay = await agentWorld(held)
    await using other = await agentWorld(held, { seed: 2 })
    const { id } = await submit(pay, 900)
    const foreign = await other.run(Effect.flip(AgentActions.use((actions) => actions.approve(other.agentId, id))))
    expect(foreign).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
    const wrongAgent = await pay.run(Effect.flip(AgentActions.use((actions) => actions.approve(pay.accountId, id))))
    expect(wrongAgent).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
  })

  const failures: ReadonlyArray<readonly [string, (pay: AgentWorld) => Promise<unknown>]> = [
    ["the agent was paused", (pay) => pay.run(Agents.use((agents) => agents.update(pay.agentId, { isPaused: true })))],
    ["the agent was deleted", (pay) => pay.run(Agents.use((agents) => agents.remove(pay.agentId)))],
    [
      "the permission was taken",
      (pay) => pay.run(Agents.use((agents) => agents.updatePolicy(pay.agentId, { permissions: [] }))),
    ],
    [
      "the limit was lowered",
      (pay) =>
        pay.run(
          Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { perTransactionLimit: 899 } })),
        ),
    ],
    [
      "the account left the scope",
      (pay) =>
        pay.run(
          Agents.use((agents) => agents.updatePolicy(pay.agentId, { accountRestrictions: { allowedAccountIds: [] } })),
        ),
    ],
    [
      "the day's budget was consumed",
      async (pay) => {
        await pay.run(
          Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { dailyLimit: 1000 } })),
        )
        await approve(pay, (await submit(pay, 101)).id)
      },
    ],
  ]

  // Proves: ERR-RULE-06
  // Proves: STATE-ACTION-08, STATE-ACTION-15, STATE-ACTION-16, STATE-ACTION-17, STATE-ACTION-18
  it.each(failures)("fails at approval when %s, without a transaction or a charge", async (_label, change) => {
    await using pay = await agentWorld(held)
    const submitted = await submit(pay, 900)
    await change(pay)
    const before = await pay.run(Effect.result(Agents.use((agents) => agents.get(pay.agentId))))
    const failed = await approve(pay, submitted.id)
    expect(failed.status).toBe("FAILED")
    expect(failed).not.toHaveProperty("transaction")
    const after = await pay.run(Effect.result(Agents.use((agents) => agents.get(pay.agentId))))
    expect(Result.getOrUndefined(after)?.usage).toEqual(Result.getOrUndefined(before)?.usage)
    await pay.settle()
  })

  it("can still be rejected after its agent was deleted", async () => {
    await using pay = await agentWorld(held)
    const submitted = await submit(pay, 900)
    await pay.run(Agents.use((agents) => agents.remove(pay.agentId)))
    expect(Result.getOrThrow(await decide(pay, submitted.id, "reject")).body.status).toBe("REJECTED")
  })
})
