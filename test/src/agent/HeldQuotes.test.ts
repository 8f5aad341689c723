/** An agent's held executions of quotes, and policy evaluations of them. Wire contract 1.4, 1.6 and 11 (8); D-212, D-241. */

import { describe, expect, it } from "vitest"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { agentQuotes, idOf, quoted, toPesos } from "./AgentQuoteSteps.ts"

const held = { defaultExecutionMode: "APPROVAL_REQUIRED" } as const

describe("a held execution", () => {
  // Proves: EVT-02, EVT-03
  // Proves: STATE-ACTION-02, STATE-ACTION-03, STATE-ACTION-06, STATE-ACTION-07
  it("moves no money, notifies the platform with the full quote, and executes at approval", async () => {
    await using pay = await agentQuotes(held)
    const quoteId = await quoted(pay)
    const reply = await pay.perform(quoteId)
    expect(reply).toMatchObject({
      status: 200,
      body: { status: "PENDING_APPROVAL", quote: { id: quoteId, status: "PENDING" } },
    })
    expect(reply.body).not.toHaveProperty("transaction")
    await pay.settle()
    const [event] = pay.inbox.received.filter(({ type }) => type === "AGENT_ACTION.PENDING_APPROVAL")
    expect(event?.data).toEqual(reply.body)
    const read = await pay.send("GET", `/agents/me/quotes/${quoteId}`, { as: pay.as })
    expect(event?.data["quote"]).toEqual(read.body)
    expect(await pay.usage()).toMatchObject({ dailyTransactionCount: 0 })
    const waiting = await pay.send("GET", "/agents/approvals")
    expect(at(waiting, "data", 0)).toMatchObject({ id: idOf(reply), quote: { id: quoteId } })
    const approved = await pay.approve(idOf(reply))
    expect(approved).toMatchObject({
      status: 200,
      body: {
        status: "APPROVED",
        quote: { status: "PROCESSING" },
        transaction: { status: "PROCESSING", agentId: pay.agentId },
      },
    })
    expect(await pay.usage()).toMatchObject({ dailySpend: 10_000, dailyTransactionCount: 1 })
    expect(await pay.approve(idOf(reply))).toMatchObject({
      status: 409,
      body: { details: { action: { id: idOf(reply), status: "APPROVED", quote: { id: quoteId } } } },
    })
  })

  // Proves: LIM-12
  it("waits if the total sending amount is above the threshold, not if it equals it", async () => {
    await using pay = await agentQuotes({ approvalThresholds: { currency: "USD", amount: 10_000 } })
    expect(await pay.perform(await quoted(pay, 10_000))).toMatchObject({ body: { status: "APPROVED" } })
    expect(await pay.perform(await quoted(pay, 10_001))).toMatchObject({
      body: { status: "PENDING_APPROVAL", details: { rule: "APPROVAL_THRESHOLD", threshold: 10_000, amount: 10_001 } },
    })
  })

  it.each(serviceNames)("leaves its quote unchanged when it is rejected, at the service %s", async (serviceName) => {
    await using pay = await agentQuotes(held, { serviceName })
    const quoteId = await quoted(pay)
    const { body } = await pay.perform(quoteId)
    expect(await pay.reject(idOf({ body }))).toMatchObject({
      status: 200,
      body: { status: "REJECTED", quote: { id: quoteId, status: "PENDING" } },
    })
    expect(await pay.perform(quoteId)).toMatchObject({ body: { status: "PENDING_APPROVAL" } })
  })

  it("answers 409 to a second submission until the first is decided", async () => {
    await using pay = await agentQuotes(held)
    const quoteId = await quoted(pay)
    const replies = await Promise.all([1, 2, 3].map(() => pay.perform(quoteId)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(replies.find(({ status }) => status === 409)).toMatchObject({
      body: { code: "CONFLICT", details: { reason: "ACTION_PENDING" } },
    })
  })

  // Proves: STATE-ACTION-13, STATE-ACTION-19
  it("stays after its quote expires: approval fails it, and rejection still works", async () => {
    await using pay = await agentQuotes(held)
    const [one, two] = [await quoted(pay), await quoted(pay)]
    const [first, second] = [await pay.perform(one), await pay.perform(two)]
    await pay.clock.advance("5 minutes")
    expect(await pay.action(idOf(first))).toMatchObject({
      body: { status: "PENDING_APPROVAL", quote: { status: "EXPIRED" } },
    })
    const failed = await pay.approve(idOf(first))
    expect(failed).toMatchObject({
      status: 200,
      body: {
        status: "FAILED",
        quote: { status: "EXPIRED" },
        details: { rule: "ACTION_POSSIBLE", code: "CONFLICT", reason: "QUOTE_EXPIRED" },
      },
    })
    expect(failed.body).not.toHaveProperty("transaction")
    expect(await pay.reject(idOf(second))).toMatchObject({ body: { status: "REJECTED", quote: { status: "EXPIRED" } } })
    expect(await pay.usage()).toMatchObject({ dailySpend: 0, dailyTransactionCount: 0 })
  })

  // Proves: ERR-RULE-06
  // Proves: STATE-ACTION-14
  it("fails at approval if the quote is executed already, funds are missing or the policy refuses", async () => {
    await using pay = await agentQuotes(held)
    const approved = async (between: (quoteId: string) => Promise<unknown>, amount = 60_000) => {
      const quoteId = await quoted(pay, amount)
      const { body } = await pay.perform(quoteId)
      await between(quoteId)
      return pay.approve(idOf({ body }))
    }
    expect(await approved((quoteId) => pay.execute(quoteId))).toMatchObject({
      body: { status: "FAILED", details: { reason: "QUOTE_ALREADY_EXECUTED" } },
    })
    expect(await approved(async () => undefined)).toMatchObject({
      body: { status: "FAILED", details: { rule: "FUNDS", available: 40_000 } },
    })
    expect(await approved(() => pay.setPolicy({ spendingLimits: { perTransactionLimit: 9 } }), 10)).toMatchObject({
      body: { status: "FAILED", details: { rule: "PER_TRANSACTION_LIMIT" } },
    })
    expect(
      await approved(() => pay.send("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: true } }), 9),
    ).toMatchObject({ body: { status: "FAILED", details: { rule: "NOT_PAUSED" } } })
  })
})

describe("a policy evaluation", () => {
  it("predicts the execution of a quote without changing it", async () => {
    await using pay = await agentQuotes({
      spendingLimits: { currency: "USD", perTransactionLimit: 50_000, dailyLimit: 15_000 },
    })
    const [one, two] = [await quoted(pay), await quoted(pay)]
    const evaluation = await pay.evaluate(one)
    expect(evaluation).not.toHaveProperty("transferDetails")
    expect(evaluation).toMatchObject({
      outcome: "APPROVED",
      quote: { id: one, status: "PENDING" },
      limits: [{ limit: "perTransactionLimit" }, { limit: "dailyLimit", remaining: 5_000 }],
    })
    expect(await pay.getQuote(one)).toMatchObject({ body: { status: "PENDING" } })
    expect(await pay.perform(one)).toMatchObject({ body: { status: "APPROVED" } })
    expect(await pay.evaluate(two)).toMatchObject({
      outcome: "REFUSED",
      error: { code: "FORBIDDEN" },
      details: { rule: "DAILY_LIMIT" },
    })
    expect(await pay.evaluate(idOf(await pay.quote(await toPesos(pay))))).toMatchObject({
      outcome: "REFUSED",
      error: { code: "QUOTE_NOT_FOUND" },
      limits: [],
    })
  })

  it.each(serviceNames)(
    "accepts a quote over HTTP and refuses an unknown type, at the service %s",
    async (serviceName) => {
      await using pay = await agentQuotes({}, { serviceName })
      const path = `/agents/${pay.agentId}/policy/evaluate`
      const quoteId = await quoted(pay)
      expect(await pay.send("POST", path, { body: { type: "EXECUTE_QUOTE", quoteId } })).toMatchObject({
        status: 200,
        body: { outcome: "APPROVED", quote: { id: quoteId } },
      })
      expect(await pay.send("POST", path, { body: { type: "EXECUTE_QUOTE", quoteId: "x" } })).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { errors: [{ field: "quoteId" }] } },
      })
    },
  )

  it("predicts the approval of a held action", async () => {
    await using pay = await agentQuotes(held)
    const { body } = await pay.perform(await quoted(pay))
    expect(await pay.evaluateApproval(idOf({ body }))).toMatchObject({
      outcome: "APPROVED",
      quote: { status: "PENDING" },
    })
    await pay.clock.advance("5 minutes")
    expect(await pay.evaluateApproval(idOf({ body }))).toMatchObject({
      outcome: "FAILED",
      quote: { status: "EXPIRED" },
      details: { reason: "QUOTE_EXPIRED" },
    })
  })
})
