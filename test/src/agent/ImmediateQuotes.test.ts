/** An agent's quotes that are executed at creation or wait for the customer's authentication. Wire contract 1.6, 5.5 and 5.12; D-241, D-243. */

import { describe, expect, it } from "vitest"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { twoOfFinance, withRows } from "../approval/Policies.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { recording } from "../sca/TrustWorld.ts"
import { agentQuotes, idOf, quoted, toPesos } from "./AgentQuoteSteps.ts"

const held = { defaultExecutionMode: "APPROVAL_REQUIRED" } as const

describe("immediatelyExecute", () => {
  const atOnce = { immediatelyExecute: true }

  // Proves: RES-ACTION-01
  it("creates an action that is charged to the agent's budget", async () => {
    await using pay = await agentQuotes()
    const quote = await pay.ask(await toPesos(pay, 10_000, atOnce))
    expect(quote).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    const actions = await pay.send("GET", "/agents/me/actions", { as: pay.as })
    expect(at(actions, "data")).toMatchObject([
      { status: "APPROVED", type: "EXECUTE_QUOTE", quote: { id: idOf(quote) }, transaction: { agentId: pay.agentId } },
    ])
    expect(await pay.usage()).toMatchObject({ dailySpend: 10_000, dailyTransactionCount: 1 })
  })

  it("reverses the amount when the payment fails", async () => {
    await using pay = await agentQuotes()
    await pay.ask(await toPesos(pay, 10_000, atOnce, "004"))
    await pay.clock.advance("10 seconds")
    const actions = await pay.send("GET", "/agents/me/actions", { as: pay.as })
    expect(at(actions, "data", 0, "status")).toBe("FAILED")
    expect(await pay.usage()).toMatchObject({ dailySpend: 0, dailyTransactionCount: 1 })
  })

  it.each<readonly [string, object, object]>([
    ["without EXECUTE_QUOTES", { permissions: ["CREATE_QUOTES"] }, { permission: "EXECUTE_QUOTES" }],
    ["where the policy would hold it", held, { reason: "APPROVAL_REQUIRED", rule: "DEFAULT_EXECUTION_MODE" }],
    [
      "above the threshold",
      { approvalThresholds: { currency: "USD", amount: 9_999 } },
      { reason: "APPROVAL_REQUIRED", rule: "APPROVAL_THRESHOLD", amount: 10_000 },
    ],
    [
      "above a limit",
      { spendingLimits: { perTransactionLimit: 9_999 } },
      { rule: "PER_TRANSACTION_LIMIT", amount: 10_000 },
    ],
  ])("answers 403 %s and creates no quote", async (_, patch, details) => {
    await using pay = await agentQuotes()
    await pay.setPolicy(patch)
    expect(await pay.ask(await toPesos(pay, 10_000, atOnce))).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", details },
    })
    expect(at(await pay.send("GET", "/agents/me/actions", { as: pay.as }), "data")).toEqual([])
    expect(at(await pay.send("GET", "/transactions"), "data")).toHaveLength(1)
  })

  it("answers 403 where the deployment's approval policy would hold it, whatever the agent's own policy says", async () => {
    const from = { currency: "USD", amount: 10_000 } as const
    await using pay = await agentQuotes({}, { ports: withRows({ ...twoOfFinance, from }) })
    expect(await pay.ask(await toPesos(pay, 10_000, atOnce))).toMatchObject({
      status: 403,
      body: { details: { reason: "APPROVAL_REQUIRED", rule: "APPROVAL_POLICY", row: "two of finance", needed: 2 } },
    })
    expect(await pay.ask(await toPesos(pay, 9_999, atOnce))).toMatchObject({ status: 201 })
  })

  it.each<readonly [string, object, ReadonlyArray<object>]>([
    ["where the policy would hold it", held, [{ rule: "DEFAULT_EXECUTION_MODE", reason: "APPROVAL_REQUIRED" }]],
    [
      "above a limit",
      { spendingLimits: { perTransactionLimit: 9_999 } },
      [{ rule: "PER_TRANSACTION_LIMIT", limit: "perTransactionLimit", value: 9_999 }],
    ],
    ["but not for a missing permission, which precedes the policy", { permissions: ["CREATE_QUOTES"] }, []],
  ])("audits its refusal by the policy with the rule and its numbers, %s", async (_, patch, details) => {
    await using pay = await agentQuotes()
    await pay.setPolicy(patch)
    const refused = await pay.ask(await toPesos(pay, 10_000, atOnce))
    const audited = await pay.send("GET", "/audit-records?outcome=REFUSED")
    expect(at(audited, "data")).toMatchObject(
      details.map((each) => ({
        operation: "AGENT_ACTION_SUBMIT",
        actor: { type: "AGENT", id: pay.agentId },
        target: pay.agentId,
        customerId: pay.customerId,
        requestId: refused.headers.get("x-request-id"),
        details: { type: "EXECUTE_QUOTE", amount: 10_000, currency: "USD", ...each },
      })),
    )
    expect(at(audited, "data")).toHaveLength(details.length)
  })

  it("refuses a quote without funds as it does for a platform", async () => {
    await using pay = await agentQuotes({ spendingLimits: { currency: "USD", perTransactionLimit: 1_000_000 } })
    expect(await pay.ask(await toPesos(pay, 100_001, atOnce))).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "INSUFFICIENT_FUNDS" } },
    })
  })
})

describe("under strong authentication", () => {
  const [november, december] = [{ "idempotency-key": "november" }, { "idempotency-key": "december" }]
  const european = { region: "EU", phoneNumber: "+14155550123" }
  const open = (rules = {}, options: WorldOptions = {}) =>
    agentQuotes(rules, { scaRegions: ["EU"], ...options }, european)

  it.each(serviceNames)(
    "answers 202 to a quote that is executed at once, and executes it after the customer's answer, at the service %s",
    async (serviceName) => {
      await using pay = await open({}, { serviceName })
      const quote = await pay.ask(await toPesos(pay, 10_000, { immediatelyExecute: true }))
      expect(quote).toMatchObject({
        status: 202,
        body: { status: "PENDING_AUTHORIZATION", scaChallenge: { factor: "SMS_OTP" } },
      })
      await pay.send("POST", `/quotes/${idOf(quote)}/authorize`, { body: { code: "123456" } })
      await pay.settle()
      expect(await pay.transaction(quote)).toMatchObject({ body: { status: "COMPLETED", agentId: pay.agentId } })
      expect(await pay.usage()).toMatchObject({ dailySpend: 10_000, dailyTransactionCount: 1 })
    },
  )

  it("answers 423 to a quote that is executed at once while the customer is locked out", async () => {
    await using pay = await open()
    const quoteId = await quoted(pay)
    await pay.perform(quoteId)
    for (let wrong = 0; wrong < 5; wrong++) {
      await pay.send("POST", `/quotes/${quoteId}/authorize`, { body: { code: "1" } })
    }
    expect(await pay.ask(await toPesos(pay, 10_000, { immediatelyExecute: true }))).toMatchObject({
      status: 423,
      body: { code: "ACCOUNT_LOCKED", details: { failedAttempts: 5 } },
    })
    expect(await pay.ask(await toPesos(pay))).toMatchObject({ status: 201 })
  })

  it.each(serviceNames)(
    "waits for the customer's authentication, then executes, at the service %s",
    async (serviceName) => {
      await using pay = await open({}, { serviceName })
      const quoteId = await quoted(pay)
      const reply = await pay.perform(quoteId)
      expect(reply).toMatchObject({
        body: {
          status: "APPROVED",
          quote: { status: "PENDING_AUTHORIZATION", scaChallenge: { factor: "SMS_OTP" } },
          transaction: { status: "PENDING_AUTHORIZATION" },
        },
      })
      await pay.send("POST", `/quotes/${quoteId}/authorize`, { body: { code: "123456" } })
      await pay.settle()
      expect(await pay.action(idOf(reply))).toMatchObject({
        body: { status: "APPROVED", transaction: { status: "COMPLETED", agentId: pay.agentId } },
      })
    },
  )

  it("sends the customer one code for a request that is repeated under its key", async () => {
    const { ports, sent } = recording()
    await using pay = await open({}, { ports })
    const body = await toPesos(pay, 10_000, { immediatelyExecute: true })
    const [first, again] = [await pay.ask(body, november), await pay.ask(body, november)]
    expect([again.status, again.body]).toEqual([202, first.body])
    expect(sent).toEqual(["SMS_OTP +14155550123"])
    const quoteId = await quoted(pay)
    const [executed, repeated] = [await pay.perform(quoteId, december), await pay.perform(quoteId, december)]
    expect([repeated.status, repeated.body]).toEqual([200, executed.body])
    expect(sent).toHaveLength(2)
  })

  it("sends the customer the code at the approval, not while the action waits for it", async () => {
    const { ports, sent } = recording()
    await using pay = await open(held, { ports })
    const { body } = await pay.perform(await quoted(pay))
    expect(sent).toEqual([])
    await pay.approve(idOf({ body }))
    expect(sent).toEqual(["SMS_OTP +14155550123"])
  })

  it("fails the action and reverses the amount if the customer does not answer the challenge", async () => {
    await using pay = await open(held)
    const { body } = await pay.perform(await quoted(pay))
    expect(await pay.approve(idOf({ body }))).toMatchObject({
      body: { status: "APPROVED", transaction: { status: "PENDING_AUTHORIZATION" } },
    })
    expect(await pay.usage()).toMatchObject({ dailySpend: 10_000 })
    await pay.clock.advance("6 minutes")
    expect(await pay.action(idOf({ body }))).toMatchObject({
      body: { status: "FAILED", quote: { status: "FAILED" }, details: { reason: "SCA_NOT_COMPLETED" } },
    })
    expect(await pay.usage()).toMatchObject({ dailySpend: 0, dailyTransactionCount: 1 })
  })

  it("fails the action at once if the customer cannot be challenged", async () => {
    await using pay = await agentQuotes({}, { scaRegions: ["EU"] }, { region: "EU" })
    expect(await pay.perform(await quoted(pay))).toMatchObject({
      status: 200,
      body: { status: "FAILED", details: { rule: "STRONG_AUTHENTICATION" } },
    })
  })
})
