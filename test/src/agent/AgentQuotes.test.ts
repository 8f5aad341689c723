/** An agent's quotes over HTTP, from the request to the outcome. Spec: AgentAction; wire contract 1.1, 1.4 and 1.6; D-241 to D-244. */

import { describe, expect, it } from "vitest"
import { addCustomer } from "../../../packages/test/src/harness/AgentWorld.ts"
import { at, between } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { agentQuotes, idOf, quoted, toPesos, withQuotingAgent } from "./AgentQuoteSteps.ts"

const held = { defaultExecutionMode: "APPROVAL_REQUIRED" } as const

describe("creating a quote", () => {
  it("creates a quote for the agent's customer, with the agent on its transaction", async () => {
    await using pay = await agentQuotes()
    const quote = await pay.ask(await toPesos(pay))
    expect(quote).toMatchObject({ status: 201, body: { status: "PENDING", totalSendingAmount: 10_000 } })
    const read = await pay.send("GET", `/agents/me/quotes/${idOf(quote)}`, { as: pay.as })
    expect(read).toMatchObject({ status: 200, body: quote.body })
    expect(await pay.transaction(quote)).toMatchObject({ body: { status: "PENDING", agentId: pay.agentId } })
    expect(await pay.usage()).toMatchObject({ dailySpend: 0, dailyTransactionCount: 0 })
  })

  it("returns the same quote for a repeated idempotency key, and refuses another body under it", async () => {
    await using pay = await agentQuotes()
    const headers = { "idempotency-key": "q" }
    const [one, two] = [await pay.ask(await toPesos(pay), headers), await pay.ask(await toPesos(pay), headers)]
    expect(two.body).toEqual(one.body)
    expect(two.headers.get("idempotency-replayed")).toBe("true")
    expect(await pay.ask(await toPesos(pay, 10_001), headers)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "IDEMPOTENCY_KEY_REUSED" } },
    })
  })

  it("answers 404 for a quote of the platform or of another agent", async () => {
    await using pay = await agentQuotes()
    const other = await withQuotingAgent(pay)
    const platforms = idOf(await pay.quote(await toPesos(pay)))
    const others = await quoted(other)
    for (const id of [platforms, others, "Quote:x"]) {
      const replies = [await pay.send("GET", `/agents/me/quotes/${id}`, { as: pay.as }), await pay.perform(id)]
      for (const reply of replies) expect(reply).toMatchObject({ status: 404, body: { code: "QUOTE_NOT_FOUND" } })
    }
    expect(await pay.getQuote(platforms)).toMatchObject({ body: { status: "PENDING" } })
  })

  it.each<readonly [string, object, number, object]>([
    ["without CREATE_QUOTES", { permissions: ["EXECUTE_QUOTES"] }, 403, { rule: "PERMISSION_GRANTED" }],
    [
      "outside its accounts",
      { accountRestrictions: { allowedAccountIds: [] } },
      403,
      { rule: "ACCOUNTS_IN_SCOPE", reason: "ACCOUNT_NOT_ALLOWED" },
    ],
  ])("refuses a quote %s", async (_, patch, status, details) => {
    await using pay = await agentQuotes()
    await pay.setPolicy(patch)
    expect(await pay.ask(await toPesos(pay))).toMatchObject({ status, body: { code: "FORBIDDEN", details } })
  })

  // Proves: GEN-05
  it("refuses a quote while paused, for another customer, with a fee override, and for foreign accounts", async () => {
    await using pay = await agentQuotes()
    const stranger = await addCustomer(pay)
    const mine = await toPesos(pay)
    const source = { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: stranger.customerId }
    expect(await pay.ask({ ...mine, source })).toMatchObject({
      status: 403,
      body: { details: { reason: "CUSTOMER_NOT_ALLOWED" } },
    })
    const platformFeeOverride = { platformFixedFee: { amount: 0, currency: "USD" }, platformVariableFeeBps: 0 }
    expect(await pay.ask({ ...mine, platformFeeOverride })).toMatchObject({
      status: 403,
      body: { details: { reason: "FEE_NOT_ALLOWED" } },
    })
    for (const body of [
      between(stranger.accountId, await pay.external("MXN"), 1000),
      between(await pay.accountId("USD"), stranger.accountId, 1000),
    ]) {
      expect(await pay.ask(body)).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    }
    await pay.setPolicy({ accountRestrictions: { allowedAccountIds: [] } })
    // An unknown account is a 404 although the scope is empty. The scope is checked before the amount.
    expect(await pay.ask(between(stranger.accountId, await pay.accountId("USD"), 1000))).toMatchObject({ status: 404 })
    expect(await pay.ask(await toPesos(pay, 10_000_000_001))).toMatchObject({ status: 403 })
    await pay.send("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: true } })
    expect(await pay.ask(mine)).toMatchObject({ status: 403, body: { details: { reason: "AGENT_PAUSED" } } })
  })

  it("creates a quote that a payer funds, and refuses the agent's execution of it", async () => {
    await using pay = await agentQuotes()
    const quote = await pay.ask({
      ...(await toPesos(pay)),
      source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    })
    expect(quote).toMatchObject({ status: 201, body: { paymentInstructions: [{}] } })
    expect(await pay.transaction(quote)).toMatchObject({ body: { customerId: pay.customerId } })
    expect(await pay.perform(idOf(quote))).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "PAYER_SENDS" } },
    })
  })
})

describe("executing a quote", () => {
  // Proves: GEN-06, RES-ACTION-01, RES-ACTION-11, RES-ACTION-18
  it("answers 200 with the APPROVED action, its quote and its transaction, which then completes", async () => {
    await using pay = await agentQuotes()
    const quoteId = await quoted(pay)
    const reply = await pay.perform(quoteId)
    expect(reply).toMatchObject({
      status: 200,
      body: {
        status: "APPROVED",
        type: "EXECUTE_QUOTE",
        agentId: pay.agentId,
        quote: { id: quoteId, status: "PROCESSING", totalSendingAmount: 10_000 },
        transaction: { type: "OUTGOING", status: "PROCESSING", agentId: pay.agentId },
      },
    })
    expect(reply.body).not.toHaveProperty("transferDetails")
    expect(await pay.usage()).toMatchObject({ dailySpend: 10_000, monthlySpend: 10_000, dailyTransactionCount: 1 })
    await pay.settle()
    expect(await pay.action(idOf(reply))).toMatchObject({
      body: { status: "APPROVED", quote: { status: "COMPLETED" }, transaction: { status: "COMPLETED" } },
    })
    const listed = await pay.send("GET", "/agents/me/actions", { as: pay.as })
    expect(at(listed, "data", 0)).toMatchObject({ id: idOf(reply), quote: { id: quoteId } })
    expect(await pay.perform(quoteId)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "QUOTE_ALREADY_EXECUTED" } },
    })
    await pay.checkBooks()
  })

  it("accepts an empty body and executes once for a repeated idempotency key", async () => {
    await using pay = await agentQuotes()
    const path = `/agents/me/quotes/${await quoted(pay)}/execute`
    const headers = { "idempotency-key": "x" }
    const one = await pay.send("POST", path, { as: pay.as, headers, body: {} })
    const two = await pay.send("POST", path, { as: pay.as, headers })
    expect([one.status, two.status, two.body]).toEqual([200, 200, one.body])
    expect(await pay.usage()).toMatchObject({ dailyTransactionCount: 1 })
  })

  it("answers FAILED with the amounts and without a charge if funds are missing", async () => {
    await using pay = await agentQuotes({ spendingLimits: { currency: "USD", perTransactionLimit: 1_000_000 } })
    const reply = await pay.perform(await quoted(pay, 100_001))
    expect(reply).toMatchObject({
      status: 200,
      body: {
        status: "FAILED",
        quote: { status: "PENDING" },
        details: { rule: "FUNDS", currency: "USD", amount: 100_001, available: 100_000 },
      },
    })
    expect(reply.body).not.toHaveProperty("transaction")
    expect(await pay.usage()).toMatchObject({ dailySpend: 0, dailyTransactionCount: 0 })
  })

  it("refuses by permission, scope and limits on the total sending amount, and names the rule", async () => {
    await using pay = await agentQuotes()
    const quoteId = await quoted(pay)
    const own = await pay.accountId("USD")
    const refused = async (patch: object, details: object) => {
      await pay.setPolicy(patch)
      const reply = await pay.perform(quoteId)
      expect(reply).toMatchObject({ status: 403, body: { code: "FORBIDDEN", details } })
    }
    await refused({ permissions: ["CREATE_QUOTES"] }, { rule: "PERMISSION_GRANTED", permission: "EXECUTE_QUOTES" })
    await refused(
      { permissions: ["EXECUTE_QUOTES"], accountRestrictions: { allowedAccountIds: [] } },
      { rule: "ACCOUNTS_IN_SCOPE", accountId: own },
    )
    await refused(
      { accountRestrictions: { accountRules: [{ accountId: own, perTransactionLimit: 9_999 }] } },
      { rule: "PER_TRANSACTION_LIMIT", limit: "perTransactionLimit", value: 9_999, amount: 10_000 },
    )
    await refused(
      { accountRestrictions: {}, spendingLimits: { perTransactionLimit: 9_999 } },
      { rule: "PER_TRANSACTION_LIMIT", value: 9_999, amount: 10_000 },
    )
    await refused(
      { spendingLimits: { perTransactionLimit: 10_000, dailyLimit: 9_999 } },
      { rule: "DAILY_LIMIT", limit: "dailyLimit", amount: 10_000 },
    )
    await pay.setPolicy({ spendingLimits: { dailyLimit: 10_000 } })
    expect(await pay.perform(quoteId)).toMatchObject({ status: 200, body: { status: "APPROVED" } })
  })

  it("applies the policy to the receiving internal account in its own currency", async () => {
    await using pay = await agentQuotes()
    const euros = await pay.accountId("EUR")
    const quote = await pay.ask(between(await pay.accountId("USD"), euros, 10_000))
    await pay.setPolicy({ accountRestrictions: { allowedAccountIds: [await pay.accountId("USD")] } })
    expect(await pay.perform(idOf(quote))).toMatchObject({ status: 403, body: { details: { accountId: euros } } })
    await pay.setPolicy({
      accountRestrictions: { accountRules: [{ accountId: euros, executionMode: "APPROVAL_REQUIRED" }] },
    })
    expect(await pay.perform(idOf(quote))).toMatchObject({
      body: { status: "PENDING_APPROVAL", details: { rule: "ACCOUNT_EXECUTION_MODE", accountId: euros } },
    })
  })

  it("applies the default execution mode to a payment between external accounts", async () => {
    await using pay = await agentQuotes(held)
    const quote = await pay.ask(between(await pay.external("USD"), await pay.external("MXN"), 1000))
    await pay.setPolicy({ accountRestrictions: { allowedAccountIds: [] } })
    expect(await pay.perform(idOf(quote))).toMatchObject({
      body: { status: "PENDING_APPROVAL", details: { rule: "DEFAULT_EXECUTION_MODE" } },
    })
  })

  it("answers 409 for an expired quote, and 403 first if the policy refuses", async () => {
    await using pay = await agentQuotes()
    const quoteId = await quoted(pay)
    await pay.clock.advance("5 minutes")
    expect(await pay.perform(quoteId)).toMatchObject({ status: 409, body: { details: { reason: "QUOTE_EXPIRED" } } })
    await pay.setPolicy({ spendingLimits: { perTransactionLimit: 1 } })
    expect(await pay.perform(quoteId)).toMatchObject({ status: 403 })
    const audit = await pay.send("GET", "/audit-records?operation=AGENT_ACTION_SUBMIT")
    expect(at(audit, "data", 0)).toMatchObject({
      outcome: "REFUSED",
      details: { type: "EXECUTE_QUOTE", quoteId, rule: "PER_TRANSACTION_LIMIT" },
    })
  })

  // Proves: STATE-ACTION-12
  it("fails the action with its transaction and reverses the amount, never the count", async () => {
    await using pay = await agentQuotes()
    const quoteId = await quoted(pay, 10_000, {}, "002")
    const { body } = await pay.perform(quoteId)
    expect(body).toMatchObject({ status: "APPROVED" })
    await pay.clock.advance("10 seconds")
    expect(await pay.action(idOf({ body }))).toMatchObject({
      body: { status: "FAILED", quote: { status: "FAILED" }, details: { rule: "TRANSACTION_FAILED" } },
    })
    expect(await pay.usage()).toMatchObject({ dailySpend: 0, monthlySpend: 0, dailyTransactionCount: 1 })
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
  })

  it("fails the action when the pull of an external account fails", async () => {
    await using pay = await agentQuotes()
    const quote = await pay.ask(between(await pay.external("USD", "002"), await pay.external("MXN"), 5000))
    const { body } = await pay.perform(idOf(quote))
    expect(body).toMatchObject({ status: "APPROVED", transaction: { status: "PROCESSING" } })
    await pay.clock.advance("10 seconds")
    expect(await pay.action(idOf({ body }))).toMatchObject({ body: { status: "FAILED" } })
    expect(await pay.usage()).toMatchObject({ dailySpend: 0, dailyTransactionCount: 1 })
  })
})
