/**
 * Money that a quote credits to an internal account first repays the owner's debt: a delivery, and a refund in all its parts.
 * Source: D-114, D-122.
 */
import { Outcomes } from "@countersign/core"
import { expect, it } from "vitest"
import { exampleBody } from "../../../packages/test/src/harness/AccountExample.ts"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const owed = async (pay: QuoteHarness) =>
  (await pay.books()).find(({ id }) => id === `receivable:${pay.customerId}:USD`)?.balance ?? 0

/** Pulls dollars and pays them out. The returned function reports the pull as returned, which makes the customer a debtor. */
const pulled = async (pay: QuoteHarness, amount: number) => {
  const [inside, outside] = [{ accountId: await pay.accountId("USD") }, { accountId: await pay.external("USD") }]
  const pull = await pay.send("POST", "/transfer-in", { body: { source: outside, destination: inside, amount } })
  await pay.settle()
  await pay.send("POST", "/transfer-out", { body: { source: inside, destination: outside, amount } })
  await pay.settle()
  return () => pay.run(Outcomes.use((outcomes) => outcomes.report(String(at(pull, "id")), { _tag: "Returned" })))
}

it("repays the receiver's debt with a delivery and credits only the rest", async () => {
  await using pay = await quoteHarness()
  await pay.fund("EUR", 10_000)
  await (await pulled(pay, 700))()
  expect([await owed(pay), await pay.balances("USD")]).toEqual([-700, [0, 0]])
  const quote = await pay.quote(
    between(await pay.accountId("EUR"), await pay.accountId("USD"), 10_000, { immediatelyExecute: true }),
  )
  await pay.settle()
  expect(await pay.transaction(quote)).toMatchObject({
    body: { status: "COMPLETED", receivedAmount: { amount: 10_815 } },
  })
  expect([await owed(pay), await pay.balances("USD")]).toEqual([0, [10_115, 10_115]])
  await pay.checkBooks()
})

// 9950 are exchanged and 50 are the fee: a debt ends before, in and after each of these parts.
it.each([1, 9949, 9950, 9951, 10_000, 12_000])("repays a debt of %i with a refund of 10000", async (debt) => {
  await using pay = await quoteHarness()
  await pay.fund("USD", 10_000)
  const comesBack = await pulled(pay, debt)
  const quote = await pay.quote(
    between(await pay.accountId("USD"), await pay.external("MXN", "002"), 10_000, { immediatelyExecute: true }),
  )
  await pay.settle()
  await comesBack()
  expect([await owed(pay), await pay.balances("USD")]).toEqual([-debt, [0, 0]])
  await pay.clock.advance("1 second")
  expect(await pay.transaction(quote)).toMatchObject({ body: { refund: { status: "COMPLETED" } } })
  const left = Math.max(0, 10_000 - debt)
  expect([Math.abs(await owed(pay)), await pay.balances("USD")]).toEqual([Math.max(0, debt - 10_000), [left, left]])
  await pay.checkBooks()
})

it("repays the platform's debt with its fees, and credits only the rest", async () => {
  await using pay = await quoteHarness()
  const platform = await pay.send("GET", "/platform/internal-accounts?currency=USD")
  const inside = { accountId: String(at(platform, "data", 0, "id")) }
  const body = { currency: "USD", accountInfo: exampleBody("USD_ACCOUNT").accountInfo }
  const outside = { accountId: String(at(await pay.send("POST", "/platform/external-accounts", { body }), "id")) }
  const pull = await pay.send("POST", "/transfer-in", { body: { source: outside, destination: inside, amount: 7 } })
  await pay.settle()
  await pay.send("POST", "/transfer-out", { body: { source: inside, destination: outside, amount: 7 } })
  await pay.settle()
  await pay.run(Outcomes.use((outcomes) => outcomes.report(String(at(pull, "id")), { _tag: "Returned" })))
  const roles = async () =>
    Object.fromEntries(
      (await pay.books())
        .filter(({ id }) => id === `available:${inside.accountId}` || /^receivable:PlatformConfig/u.test(id))
        .map(({ balance, id }) => [id.slice(0, id.indexOf(":")), balance]),
    )
  expect(await roles()).toEqual({ available: 0, receivable: -7 })

  await pay.fund("USD", 10_000)
  const platformFeeOverride = { platformFixedFee: { amount: 10, currency: "USD" }, platformVariableFeeBps: 0 }
  const quote = await pay.quote(
    between(await pay.accountId("USD"), await pay.external("MXN"), 5000, {
      immediatelyExecute: true,
      platformFeeOverride,
    }),
  )
  expect(quote).toMatchObject({ status: 201, body: { platformFeesIncluded: 10 } })
  await pay.settle()
  expect(await roles()).toEqual({ available: 3, receivable: 0 })
  await pay.checkBooks()
})
