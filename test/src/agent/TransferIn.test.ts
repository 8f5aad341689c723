/** An agent's transfer-in from submission to its end, decisions and outcomes of each kind. Spec: 4.1, 4.2, States: AgentAction. */
import { AgentActions, Agents, DeviceCodes, InternalAccounts, type ServiceError, Transactions } from "@countersign/core"
import type { AgentPolicy } from "@countersign/core/models"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { type AgentWorld, addCustomer, addSource, agentWorld } from "../harness/AgentWorld.ts"

const held: Partial<AgentPolicy> = { defaultExecutionMode: "APPROVAL_REQUIRED" }

const attempt = (pay: AgentWorld, amount: number | undefined, patch: object = {}) =>
  pay.run(
    Effect.result(
      AgentActions.use((actions) =>
        actions.submitTransferIn({
          sourceAccountId: Object.values(pay.sources)[0] ?? "",
          destinationAccountId: pay.accountId,
          amount,
          ...patch,
        }),
      ),
    ),
    pay.agent,
  )

const submit = async (pay: AgentWorld, amount?: number, patch: object = {}) =>
  Result.getOrThrow(await attempt(pay, amount, patch)).body

const refusal = async (pay: AgentWorld, amount: number | undefined, patch: object = {}): Promise<ServiceError> => {
  const result = await attempt(pay, amount, patch)
  if (Result.isSuccess(result)) throw new Error(`answered ${result.success.body.status}`)
  return result.failure as ServiceError
}

const decide = (pay: AgentWorld, actionId: string, how: "approve" | "reject", reason?: string) =>
  pay.run(
    Effect.result(
      AgentActions.use((actions) =>
        how === "approve" ? actions.approve(pay.agentId, actionId) : actions.reject(pay.agentId, actionId, reason),
      ),
    ),
  )

const approve = async (pay: AgentWorld, actionId: string) =>
  Result.getOrThrow(await decide(pay, actionId, "approve")).body

const action = (pay: AgentWorld, actionId: string) =>
  pay.run(
    AgentActions.use((actions) => actions.mineById(actionId)),
    pay.agent,
  )

const balance = async (pay: AgentWorld) => {
  const { data } = await pay.run(
    InternalAccounts.use((accounts) => accounts.list({ customerId: pay.customerId, currency: "USD" })),
  )
  return data[0]?.balance.amount
}

const usage = async (pay: AgentWorld) => (await pay.run(Agents.use((agents) => agents.get(pay.agentId)))).usage

const types = (pay: AgentWorld) => pay.inbox.received.map((event) => event.type)

describe("automatic execution", () => {
  it("answers APPROVED with the transaction PENDING, then the money is there", async () => {
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

  it("pulls what the rail reports where no amount is given", async () => {
    await using pay = await agentWorld()
    expect((await submit(pay)).transferDetails?.amount).toBe(10_000)
  })

  it.each([
    ["002", "INSUFFICIENT_FUNDS"],
    ["003", "ACCOUNT_INVALID"],
    ["004", "BANK_REJECTED"],
  ])("suffix %s: transaction and action FAILED, the amount back in the budget, the count not", async (suffix) => {
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

  it("suffix 005 stays pending for 30 seconds, then fails", async () => {
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

describe("a held action", () => {
  it("tells the platform everything, waits, and is executed by approve", async () => {
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

  it("is rejected with a reason, or without", async () => {
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

  it("is decided once: later decisions are 409 with the action as it is", async () => {
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

  it("has one winner between two approvers at once", async () => {
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

  it("belongs to its agent and its platform", async () => {
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

  it.each(failures)("fails on approval when %s, without a transaction and without a charge", async (_label, change) => {
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

  it("can still be rejected when its agent is deleted", async () => {
    await using pay = await agentWorld(held)
    const submitted = await submit(pay, 900)
    await pay.run(Agents.use((agents) => agents.remove(pay.agentId)))
    expect(Result.getOrThrow(await decide(pay, submitted.id, "reject")).body.status).toBe("REJECTED")
  })
})

describe("a refusal", () => {
  it.each<readonly [string, Partial<AgentPolicy>, number | undefined, object, object]>([
    [
      "names the permission",
      { permissions: [] },
      1,
      {},
      { code: "FORBIDDEN", details: { permission: "CREATE_TRANSFERS" } },
    ],
    [
      "names the limit",
      {},
      100_001,
      {},
      { code: "FORBIDDEN", details: { limit: "perTransactionLimit", value: 100_000 } },
    ],
    [
      "names the day's limit",
      { spendingLimits: { currency: "USD", perTransactionLimit: 100_000, dailyLimit: 10 } },
      11,
      {},
      { code: "FORBIDDEN", details: { limit: "dailyLimit", value: 10, used: 0, amount: 11 } },
    ],
    [
      "of an unknown source",
      {},
      1,
      { sourceAccountId: "ExternalAccount:00000000-0000-7000-8000-000000000000" },
      { code: "REFERENCE_NOT_FOUND" },
    ],
    ["of nothing to move", {}, 0, {}, { code: "INVALID_AMOUNT" }],
  ])("%s", async (_label, rules, amount, patch, expected) => {
    await using pay = await agentWorld(rules)
    expect(await refusal(pay, amount, patch)).toMatchObject(expected)
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, dailyTransactionCount: 0 })
  })

  it("of accounts of another customer", async () => {
    await using pay = await agentWorld()
    const neighbour = await addCustomer(pay)
    const source = await addSource(pay, neighbour.customerId, "000")
    expect(await refusal(pay, 1, { sourceAccountId: source })).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
    expect(await refusal(pay, 1, { destinationAccountId: neighbour.accountId })).toMatchObject({
      code: "REFERENCE_NOT_FOUND",
    })
  })

  it("of another currency", async () => {
    await using pay = await agentWorld()
    const { data } = await pay.run(
      InternalAccounts.use((accounts) => accounts.list({ customerId: pay.customerId, currency: "EUR" })),
    )
    expect(await refusal(pay, 1, { destinationAccountId: data[0]?.id })).toMatchObject({ code: "INVALID_CURRENCY" })
  })

  it("of a paused agent, at once", async () => {
    await using pay = await agentWorld()
    await pay.run(Agents.use((agents) => agents.update(pay.agentId, { isPaused: true })))
    expect(await refusal(pay, 1)).toMatchObject({ code: "FORBIDDEN", details: { reason: "AGENT_PAUSED" } })
  })
})

describe("the budget", () => {
  const daily = (dailyLimit: number): Partial<AgentPolicy> => ({
    spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyLimit },
  })

  it("is not passed by requests at once", async () => {
    await using pay = await agentWorld(daily(1000), { interleave: 3 })
    const results = await Promise.all(Array.from({ length: 12 }, () => attempt(pay, 300)))
    expect(results.filter(Result.isSuccess)).toHaveLength(3)
    for (const refused of results.filter(Result.isFailure)) {
      expect(refused.failure).toMatchObject({ code: "FORBIDDEN", details: { limit: "dailyLimit" } })
    }
    expect(await usage(pay)).toMatchObject({ dailySpend: 900, dailyTransactionCount: 3 })
  })

  it("begins anew at midnight UTC, the month's does not", async () => {
    await using pay = await agentWorld(daily(1000), { startsAt: "2026-11-21T23:59:00Z" })
    await submit(pay, 1000)
    expect(await refusal(pay, 1)).toMatchObject({ details: { limit: "dailyLimit" } })
    await pay.clock.advance("1 minute")
    expect((await submit(pay, 1000)).status).toBe("APPROVED")
    expect(await usage(pay)).toMatchObject({ dailySpend: 1000, monthlySpend: 2000, dailyResetDate: "2026-11-23" })
  })

  it("is not freed by recasting it into another currency", async () => {
    await using pay = await agentWorld(daily(1000))
    await submit(pay, 900)
    await pay.run(Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { currency: "EUR" } })))
    const { policy, usage: recast } = await pay.run(Agents.use((agents) => agents.get(pay.agentId)))
    expect(policy.spendingLimits.currency).toBe("EUR")
    expect(recast.dailySpend / (policy.spendingLimits.dailyLimit ?? 0)).toBeGreaterThanOrEqual(0.9)
    await pay.run(Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { currency: "USD" } })))
    expect((await usage(pay)).dailySpend).toBeGreaterThanOrEqual(900)
    expect(await refusal(pay, 101)).toMatchObject({ details: { limit: "dailyLimit" } })
  })
})

describe("a device code", () => {
  it("is redeemed once, within a day, and only the latest", async () => {
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
