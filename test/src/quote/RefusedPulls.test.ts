/** Quotes whose pull the rail refuses: why the payment failed, with nothing moved. Source: wire contract 8.3; D-127, D-480. */
import { expect, it } from "vitest"
import { at, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

it.each([
  ["INSUFFICIENT_FUNDS", "QUOTE_EXECUTION_FAILED"],
  ["ACCOUNT_INVALID", "QUOTE_EXECUTION_FAILED"],
  ["BANK_REJECTED", "QUOTE_EXECUTION_FAILED"],
  ["COMPLIANCE_REJECTED", "COMPLIANCE_REJECTED"],
])("a pull that is refused as %s fails the payment as %s, and moves nothing", async (reason, failure) => {
  await using pay = await quoteHarness()
  const quote = await pay.quote({
    source: { sourceType: "ACCOUNT", accountId: await pay.external("USD") },
    destination: { destinationType: "ACCOUNT", accountId: await pay.accountId("EUR") },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 10_000,
  })
  expect(quote.status).toBe(201)
  const faults = await pay.send("PUT", "/sandbox/faults", { body: { rail: { kind: "REJECT", reason } } })
  expect(faults.status).toBe(200)
  expect((await pay.execute(String(at(quote, "id")))).status).toBe(200)
  await pay.settle()
  expect(await pay.transaction(quote)).toMatchObject({ body: { status: "FAILED", failureReason: failure } })
  expect(await pay.balances("EUR")).toEqual([0, 0])
  await pay.checkBooks()
})
