/** Races on an agent's quotes, for any store: a quote is executed and charged once, and never after it expires. */

import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { agentQuotes, idOf, quoted } from "./AgentQuoteSteps.ts"
import { atFailPoints } from "./AtFailPoints.ts"

const held = { defaultExecutionMode: "APPROVAL_REQUIRED" } as const

/** The suite; `options` gives the store of each world. */
export const proveQuoteRaces = (options: () => Promise<WorldOptions>) => {
  it("executes one of five approvals and answers the others with the action", async () => {
    await using pay = await agentQuotes(held, await options())
    const { body } = await pay.perform(await quoted(pay))
    const replies = await Promise.all(Array.from({ length: 5 }, () => pay.approve(idOf({ body }))))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    for (const reply of replies.filter(({ status }) => status === 409)) {
      expect(reply).toMatchObject({ body: { details: { action: { id: idOf({ body }), status: "APPROVED" } } } })
    }
    expect(await pay.usage()).toMatchObject({ dailySpend: 10_000, dailyTransactionCount: 1 })
    expect(await pay.balances("USD")).toEqual([90_000, 90_000])
  })

  it("fails an approval whose quote expires before its commit, and moves no money", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await agentQuotes(held, { ...(await options()), failPoints })
    const { body } = await pay.perform(await quoted(pay))
    during(["operation.decided", () => pay.run(TestClock.adjust("5 minutes"))])
    expect(await pay.approve(idOf({ body }))).toMatchObject({
      status: 200,
      body: { status: "FAILED", details: { reason: "QUOTE_EXPIRED" } },
    })
    expect(allRan()).toBe(true)
    expect(await pay.usage()).toMatchObject({ dailySpend: 0, dailyTransactionCount: 0 })
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
  })

  it("refuses a submission whose quote expires before its commit", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await agentQuotes(held, { ...(await options()), failPoints })
    const quoteId = await quoted(pay)
    during(["operation.decided", () => pay.run(TestClock.adjust("5 minutes"))])
    expect(await pay.perform(quoteId)).toMatchObject({ status: 409, body: { details: { reason: "QUOTE_EXPIRED" } } })
    expect(allRan()).toBe(true)
    expect(at(await pay.send("GET", "/agents/me/actions", { as: pay.as }), "data")).toEqual([])
  })

  it("executes a quote once if the platform executes and approves it concurrently", async () => {
    await using pay = await agentQuotes(held, await options())
    const quoteId = await quoted(pay)
    const { body } = await pay.perform(quoteId)
    const [executed, approved] = await Promise.all([pay.execute(quoteId), pay.approve(idOf({ body }))])
    const isApproved = at(approved, "status") === "APPROVED"
    expect([executed.status, at(approved, "status")]).toEqual(isApproved ? [409, "APPROVED"] : [200, "FAILED"])
    expect(await pay.usage()).toMatchObject({ dailyTransactionCount: isApproved ? 1 : 0 })
    expect(await pay.balances("USD")).toEqual([90_000, 90_000])
    await pay.settle()
    await pay.checkBooks()
  })

  it("applies limits to concurrent executions and executes each quote once", async () => {
    const limits = { currency: "USD", perTransactionLimit: 10_000, dailyLimit: 20_000 } as const
    await using pay = await agentQuotes({ spendingLimits: limits }, await options())
    const quotes: Array<string> = []
    for (let made = 0; made < 4; made++) quotes.push(await quoted(pay))
    const replies = await Promise.all([...quotes, ...quotes].map((quoteId) => pay.perform(quoteId)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
    for (const { status } of replies) expect([200, 403, 409]).toContain(status)
    expect(await pay.usage()).toMatchObject({ dailySpend: 20_000, dailyTransactionCount: 2 })
    expect(await pay.balances("USD")).toEqual([80_000, 80_000])
  })
}
