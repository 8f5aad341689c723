/** An agent's transfer-out from submission to outcome. Spec: States, AgentAction; wire contract 1.4, 1.6 and 5.6; D-210. */
import { Agents } from "@countersign/core"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { balances, cancel, fund, report } from "../../../packages/test/src/harness/TransferCalls.ts"
import { action, approve, attemptOut, held, submitOut, types, usage } from "./AgentSteps.ts"

const refusedOut = async (...parameters: Parameters<typeof attemptOut>) => {
  const result = await attemptOut(...parameters)
  return Result.isFailure(result) ? result.failure : result.success.body
}

describe("an automatic transfer-out", () => {
  // Proves: RES-ACTION-19
  it("answers APPROVED with a PENDING transaction and a hold, then debits the account", async () => {
    await using pay = await agentWorld()
    await fund(pay, 5000)
    const submitted = await submitOut(pay, 2000, { paymentRail: "WIRE", remittanceInformation: "rent" })
    expect(submitted).toMatchObject({
      status: "APPROVED",
      type: "TRANSFER_OUT",
      transferDetails: { amount: 2000, currency: "USD", sourceAccountId: pay.accountId },
      transaction: { status: "PENDING", type: "OUTGOING", paymentRail: "WIRE", remittanceInformation: "rent" },
    })
    expect(submitted).not.toHaveProperty("details")
    expect(await balances(pay)).toEqual([3000, 5000])
    await pay.settle()
    expect(await balances(pay)).toEqual([3000, 3000])
    expect((await action(pay, submitted.id)).transaction).toMatchObject({ status: "COMPLETED", agentId: pay.agentId })
    expect(await usage(pay)).toMatchObject({ dailySpend: 2000, monthlySpend: 2000, dailyTransactionCount: 1 })
  })

  it("pays the whole balance if the request has no amount, and shows it", async () => {
    await using pay = await agentWorld()
    await fund(pay, 777)
    expect((await submitOut(pay)).transferDetails?.amount).toBe(777)
    expect(await balances(pay)).toEqual([0, 777])
  })

  it("answers FAILED with the amounts and without a charge if funds are missing", async () => {
    await using pay = await agentWorld()
    await fund(pay, 99)
    const failed = await submitOut(pay, 100)
    expect(failed).toMatchObject({
      status: "FAILED",
      details: { rule: "FUNDS", reason: "INSUFFICIENT_FUNDS", currency: "USD", amount: 100, available: 99 },
    })
    expect(failed).not.toHaveProperty("transaction")
    expect(await action(pay, failed.id)).toEqual(failed)
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, dailyTransactionCount: 0 })
  })

  it("refuses a transfer of the whole balance of an empty account", async () => {
    await using pay = await agentWorld()
    expect(await refusedOut(pay, undefined)).toMatchObject({
      code: "INVALID_INPUT",
      details: { reason: "INSUFFICIENT_FUNDS" },
    })
  })

  it("spends each unit of money once in concurrent transfers", async () => {
    await using pay = await agentWorld({}, { interleave: 5 })
    await fund(pay, 1000)
    const answers = await Promise.all(Array.from({ length: 8 }, () => submitOut(pay, 300)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => "APPROVED"),
      ...Array.from({ length: 5 }, () => "FAILED"),
    ])
    expect(await balances(pay)).toEqual([100, 1000])
    expect(await usage(pay)).toMatchObject({ dailySpend: 900, dailyTransactionCount: 3 })
  })

  it.each(["002", "003", "004"])(
    "suffix %s: it fails, the amount is back in the budget and the account",
    async (suffix) => {
      await using pay = await agentWorld({}, { suffixes: [suffix] })
      await fund(pay, 1000)
      const submitted = await submitOut(pay, 700)
      expect(submitted.status).toBe("APPROVED")
      await pay.settle()
      const failed = await action(pay, submitted.id)
      expect(failed).toMatchObject({ status: "FAILED", details: { rule: "TRANSACTION_FAILED" } })
      expect(failed.transaction?.status).toBe("FAILED")
      await pay.clock.advance("2 seconds")
      expect(await usage(pay)).toMatchObject({ dailySpend: 0, monthlySpend: 0, dailyTransactionCount: 1 })
      expect(await balances(pay)).toEqual([1000, 1000])
    },
  )

  it("fails the action if the platform cancels the transfer or the bank returns it", async () => {
    await using pay = await agentWorld({}, { suffixes: ["000"] })
    await fund(pay, 1000)
    const called = await submitOut(pay, 100, { paymentRail: "ACH" })
    await cancel(pay, called.transaction?.id ?? "")
    const returned = await submitOut(pay, 100)
    await pay.settle()
    await report(pay, returned.transaction?.id ?? "", { _tag: "Returned" })
    for (const { id } of [called, returned]) expect((await action(pay, id)).status).toBe("FAILED")
    expect(await usage(pay)).toMatchObject({ dailySpend: 0, dailyTransactionCount: 2 })
  })
})

describe("a held transfer-out", () => {
  it("holds no money until its approval, then pays on the submitted terms", async () => {
    await using pay = await agentWorld(held)
    await fund(pay, 1000)
    const terms = { paymentRail: "WIRE", remittanceInformation: "rent", purposeOfPayment: "GIFT" }
    const submitted = await submitOut(pay, 900, terms)
    expect(submitted).toMatchObject({ status: "PENDING_APPROVAL", details: { rule: "DEFAULT_EXECUTION_MODE" } })
    expect(await balances(pay)).toEqual([1000, 1000])
    await pay.settle()
    expect(types(pay)).toContain("AGENT_ACTION.PENDING_APPROVAL")
    const approved = await approve(pay, submitted.id)
    expect(approved).toMatchObject({ status: "APPROVED", transaction: terms })
    expect(await balances(pay)).toEqual([100, 1000])
  })

  it("keeps the amount of the whole balance at submission", async () => {
    await using pay = await agentWorld(held)
    await fund(pay, 500)
    const { id } = await submitOut(pay)
    await fund(pay, 400)
    expect((await approve(pay, id)).transferDetails?.amount).toBe(500)
    expect(await balances(pay)).toEqual([400, 900])
  })

  it("fails at approval if funds are missing", async () => {
    await using pay = await agentWorld(held)
    await fund(pay, 1000)
    const [one, two] = [await submitOut(pay, 900), await submitOut(pay, 900)]
    expect((await approve(pay, one.id)).status).toBe("APPROVED")
    expect(await approve(pay, two.id)).toMatchObject({
      status: "FAILED",
      details: { rule: "FUNDS", amount: 900, available: 100 },
    })
  })
})

describe("the policy of a transfer-out", () => {
  it("applies to the paying account", async () => {
    await using pay = await agentWorld()
    await fund(pay, 1000)
    const restrict = (accountRestrictions: object) =>
      pay.run(Agents.use((agents) => agents.updatePolicy(pay.agentId, { accountRestrictions })))
    await restrict({ allowedAccountIds: [] })
    expect(await refusedOut(pay, 1)).toMatchObject({
      code: "FORBIDDEN",
      details: { rule: "ACCOUNTS_IN_SCOPE", accountId: pay.accountId },
    })
    await restrict({ accountRules: [{ accountId: pay.accountId, perTransactionLimit: 10 }] })
    expect(await refusedOut(pay, 11)).toMatchObject({
      code: "FORBIDDEN",
      details: { rule: "PER_TRANSACTION_LIMIT", limit: "perTransactionLimit", value: 10, amount: 11, currency: "USD" },
    })
    await restrict({ accountRules: [{ accountId: pay.accountId, executionMode: "APPROVAL_REQUIRED" }] })
    expect(await submitOut(pay, 11)).toMatchObject({
      status: "PENDING_APPROVAL",
      details: { rule: "ACCOUNT_EXECUTION_MODE", accountId: pay.accountId },
    })
  })

  it("charges transfers in and out to one budget", async () => {
    await using pay = await agentWorld({
      spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyLimit: 1000 },
    })
    await fund(pay, 5000)
    await submitOut(pay, 900)
    expect(await refusedOut(pay, 101)).toMatchObject({
      details: { rule: "DAILY_LIMIT", limit: "dailyLimit", value: 1000, used: 900, amount: 101 },
    })
  })
})
