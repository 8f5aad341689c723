/** Votes on the execution of a quote: what is shown of it, and its execution by the last approval. Source: D-532. */
import { expect, it } from "vitest"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { agentQuotes, idOf, quoted, toPesos } from "../agent/AgentQuoteSteps.ts"
import { twoOfFinance, withRows } from "./Policies.ts"
import { outcome, shown, vote } from "./Votes.ts"

it("shows what a quote sends, brings and costs, and executes it by the last approval", async () => {
  await using pay = await agentQuotes({}, { ports: withRows({ ...twoOfFinance, destination: { is: "NEW", days: 1 } }) })
  const quoteId = await quoted(pay)
  const submitted = await pay.perform(quoteId)
  expect(submitted).toMatchObject({ body: { status: "PENDING_APPROVAL", details: { rule: "APPROVAL_POLICY" } } })
  const seen = await shown(pay, idOf(submitted))
  const quote = await pay.send("GET", `/quotes/${quoteId}`)
  expect(seen.shown).toMatchObject({
    type: "EXECUTE_QUOTE",
    sending: { amount: at(quote, "totalSendingAmount"), currency: "USD" },
    receiving: { amount: at(quote, "totalReceivingAmount"), currency: "MXN" },
    fees: at(quote, "feesIncluded"),
    quoteId,
    source: { id: await pay.accountId("USD") },
  })
  expect(outcome(await vote(pay, idOf(submitted), "Ada Lovelace"))).toBe("PENDING_APPROVAL")
  expect(await pay.send("GET", `/quotes/${quoteId}`)).toMatchObject({ body: { status: "PENDING" } })
  expect(outcome(await vote(pay, idOf(submitted), "Grace Hopper"))).toBe("APPROVED")
  expect(await pay.send("GET", `/quotes/${quoteId}`)).toMatchObject({ body: { status: "PROCESSING" } })
})

it("compares what a quote sends in the currency of the row, also where the quote is executed at once", async () => {
  await using pay = await agentQuotes(
    {},
    { ports: withRows({ ...twoOfFinance, from: { currency: "EUR", amount: 5000 } }) },
  )
  const statusAt = async (amount: number) => at(await pay.perform(await quoted(pay, amount)), "status")
  expect([await statusAt(1000), await statusAt(10_000)]).toEqual(["APPROVED", "PENDING_APPROVAL"])
  const atOnce = async (amount: number) => pay.ask(await toPesos(pay, amount, { immediatelyExecute: true }))
  expect(await atOnce(1000)).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
  expect(await atOnce(10_000)).toMatchObject({
    status: 403,
    body: { details: { rule: "APPROVAL_POLICY", reason: "APPROVAL_REQUIRED" } },
  })
})

it("fails by the last approval if the quote has expired", async () => {
  await using pay = await agentQuotes({}, { ports: withRows(twoOfFinance) })
  const submitted = await pay.perform(await quoted(pay))
  expect(outcome(await vote(pay, idOf(submitted), "Ada Lovelace"))).toBe("PENDING_APPROVAL")
  await pay.clock.advance("1 hour")
  expect(outcome(await vote(pay, idOf(submitted), "Grace Hopper"))).toBe("FAILED")
})

it.each(["$success.usd@uma.sandbox.example", "$SUCCESS.usd@UMA.sandbox.example"])(
  "holds a quote to a named UMA address, written %s",
  async (umaAddress) => {
    const ids = ["$Success.USD@uma.sandbox.example"]
    await using pay = await agentQuotes(
      {},
      { ports: withRows({ ...twoOfFinance, destination: { is: "ONE_OF", ids } }) },
    )
    const request = {
      lookupId: at(await pay.send("GET", `/receiver/uma/${encodeURIComponent(umaAddress)}`), "lookupId"),
      source: { sourceType: "ACCOUNT", accountId: await pay.accountId("USD") },
      destination: { destinationType: "UMA_ADDRESS", umaAddress },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 10_000,
    }
    const asked = await pay.ask(request)
    expect(await pay.perform(idOf(asked))).toMatchObject({
      body: { status: "PENDING_APPROVAL", details: { rule: "APPROVAL_POLICY" } },
    })
    expect(await pay.ask({ ...request, immediatelyExecute: true })).toMatchObject({
      status: 403,
      body: { details: { rule: "APPROVAL_POLICY", reason: "APPROVAL_REQUIRED" } },
    })
  },
)
