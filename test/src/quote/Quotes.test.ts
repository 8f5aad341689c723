/** Quotes over HTTP: created from every source to every destination. Spec: Quote; wire contract 5.1 to 5.3. */

import { describe, expect, it } from "vitest"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"

const idOf = (reply: { readonly body: unknown }) => String(at(reply, "id"))

/** Creates a funded customer with a quote of 100.00 dollars to an external account in pesos. */
const begin = async (pay: QuoteHarness, more: object = {}) => {
  await pay.fund("USD", 100_000)
  return pay.quote(between(await pay.accountId("USD"), await pay.external("MXN"), 10_000, more))
}

describe("a quote", () => {
  // Proves: GEN-03, CONV-03, CONV-04, RES-QUOTE-10, RES-QUOTE-13, RES-QUOTE-17, RES-QUOTE-18, RES-QUOTE-22
  it("shows its price and creates its transaction at once", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay, {
      description: "Invoice 12",
      remittanceInformation: "INV-12",
      purposeOfPayment: "SALARY_PAYMENT",
    })
    const source = { sourceType: "ACCOUNT", accountId: await pay.accountId("USD") }
    expect(reply).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^Quote:/u),
        status: "PENDING",
        createdAt: "2026-11-21T12:00:00Z",
        expiresAt: "2026-11-21T12:05:00Z",
        source,
        destination: { destinationType: "ACCOUNT" },
        sendingCurrency: { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
        receivingCurrency: { code: "MXN", decimals: 2 },
        totalSendingAmount: 10_000,
        totalReceivingAmount: 174_125,
        exchangeRate: 0.0571428571428571,
        feesIncluded: 50,
        platformFeesIncluded: 0,
        remittanceInformation: "INV-12",
        rateDetails: { serviceApiVariableFeeRate: 0.005, serviceApiVariableFeeAmount: 50, serviceApiFixedFee: 0 },
      },
    })
    for (const absent of ["paymentInstructions", "scaChallenge", "counterpartyInformation"]) {
      expect(reply.body).not.toHaveProperty(absent)
    }
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ status: 200, body: reply.body })
    expect(await pay.transaction(reply)).toMatchObject({
      body: {
        type: "OUTGOING",
        status: "PENDING",
        quoteId: idOf(reply),
        source: { ...source, currency: "USD" },
        sentAmount: { amount: 10_000 },
        receivedAmount: { amount: 174_125, currency: { code: "MXN" } },
        destination: { currency: "MXN" },
        fees: 50,
        platformFees: 0,
        exchangeRate: 0.0571428571428571,
        paymentRail: "SPEI",
        railSelectionMode: "AUTO",
        description: "Invoice 12",
        remittanceInformation: "INV-12",
        purposeOfPayment: "SALARY_PAYMENT",
        rateDetails: at(reply, "rateDetails"),
      },
    })
    await pay.settle()
    expect(pay.eventNames(at(reply, "transactionId"))).toEqual(["PENDING"])
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
    expect((await pay.send("GET", "/quotes")).status).toBe(405)
  })

  it("is refused if its destination is deleted before it is created", async () => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await quoteHarness({ around })
      const destination = await pay.external("MXN")
      const body = between(await pay.accountId("USD"), destination, 10_000)
      let statuses: ReadonlyArray<number> = []
      const isOverlapped = await overlap(
        async () => {
          const { status } = await pay.quote(body)
          statuses = [...statuses, status]
        },
        async () => {
          const { status } = await pay.send("DELETE", `/customers/external-accounts/${destination}`)
          statuses = [...statuses, status]
        },
      )
      expect(statuses).toEqual(isOverlapped ? [204, 404] : [201, 204])
      return isOverlapped
    })
  })

  it("has a price from the smallest amount", async () => {
    await using pay = await quoteHarness()
    const [usd, mxn] = [await pay.accountId("USD"), await pay.external("MXN")]
    const request = (amount: number) => ({ ...between(usd, mxn, amount), lockedCurrencySide: "RECEIVING" })
    expect(await pay.quote(request(1))).toMatchObject({ status: 201, body: { totalReceivingAmount: 1 } })
    expect((await pay.quote(request(0))).status).toBe(400)
  })

  it("delivers exactly the fixed receiving amount", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay, { lockedCurrencySide: "RECEIVING", lockedCurrencyAmount: 174_125 })
    expect(reply.body).toMatchObject({ totalSendingAmount: 10_000, totalReceivingAmount: 174_125, feesIncluded: 50 })
  })

  it("charges the platform's fee and credits it to the platform's account", async () => {
    await using pay = await quoteHarness()
    const fee = { feeType: "CROSS_CURRENCY_TRANSACTION", sourceCurrency: "USD", variableFeeBps: 100 }
    const feeConfigs = [{ ...fee, fixedFee: { amount: 25, currency: "USD" } }]
    await pay.send("PATCH", "/config", { body: { feeConfigs } })
    const configured = await begin(pay)
    // 0.5 % and 1 % of 99.75, and 0.25
    expect(configured.body).toMatchObject({ feesIncluded: 50 + 100 + 25, platformFeesIncluded: 125 })
    const platformFeeOverride = { platformFixedFee: { amount: 7, currency: "USD" }, platformVariableFeeBps: 0 }
    const overridden = await begin(pay, { platformFeeOverride })
    expect(overridden.body).toMatchObject({ platformFeesIncluded: 7 })
    for (const quote of [configured, overridden]) await pay.execute(idOf(quote))
    await pay.settle()
    const platform = await pay.send("GET", "/platform/internal-accounts?currency=USD")
    expect(at(platform, "data", 0, "balance", "amount")).toBe(132)
    expect(await pay.transaction(configured)).toMatchObject({ body: { status: "COMPLETED", platformFees: 125 } })
    await pay.checkBooks()
  })

  it("charges no fee between accounts of one currency", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 1000)
    const reply = await pay.quote(between(await pay.accountId("USD"), await pay.external("USD"), 1000))
    expect(reply.body).toMatchObject({ exchangeRate: 1, feesIncluded: 0, totalReceivingAmount: 1000 })
    await pay.execute(idOf(reply))
    await pay.settle()
    expect(await pay.transaction(reply)).toMatchObject({ body: { status: "COMPLETED" } })
    await pay.checkBooks()
  })

  it("credits an account of the same or of another customer", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 100_000)
    const other = await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Charles" } })
    const source = await pay.accountId("USD")
    for (const owner of [pay.customerId, idOf(other)]) {
      const reply = await pay.quote(between(source, await pay.accountId("EUR", undefined, owner), 10_000))
      expect(reply.body).toMatchObject({ totalReceivingAmount: 9154 })
      await pay.execute(idOf(reply))
      await pay.settle()
      expect(await pay.transaction(reply)).toMatchObject({ body: { status: "COMPLETED" } })
      expect(await pay.balances("EUR", owner)).toEqual([9154, 9154])
    }
    expect(await pay.balances("USD")).toEqual([80_000, 80_000])
    const balanceEvents = pay.inbox
      .ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED")
      .filter(({ data }) => data["id"] !== source)
    expect(balanceEvents.map(({ data }) => data["balance"])).toMatchObject([{ amount: 9154 }, { amount: 9154 }])
    await pay.checkBooks()
  })

  it("belongs to the named customer if a pooled account pays", async () => {
    await using pay = await quoteHarness()
    const pooled = String(at(await pay.send("GET", "/platform/internal-accounts?currency=USD"), "data", 0, "id"))
    await pay.send("POST", `/sandbox/internal-accounts/${pooled}/fund`, { body: { amount: 10_000 } })
    const source = { sourceType: "ACCOUNT", accountId: pooled, customerId: pay.customerId }
    const reply = await pay.quote({ ...between(pooled, await pay.external("MXN", "002"), 10_000), source })
    await pay.execute(idOf(reply))
    expect(await pay.transaction(reply)).toMatchObject({ body: { customerId: pay.customerId, status: "PROCESSING" } })
    await pay.clock.advance("1 second")
    const after = await pay.send("GET", "/platform/internal-accounts?currency=USD")
    expect(at(after, "data", 0, "balance", "amount")).toBe(10_000)
    await pay.checkBooks()
  })

  it("that the platform pays needs no challenge of the customer that it pays, and counts as a payment of the platform", async () => {
    await using pay = await quoteHarness({ scaRegions: ["EU"] }, { region: "EU", phoneNumber: "+14155550123" })
    const pooled = String(at(await pay.send("GET", "/platform/internal-accounts?currency=USD"), "data", 0, "id"))
    await pay.send("POST", `/sandbox/internal-accounts/${pooled}/fund`, { body: { amount: 10_000 } })
    const request = between(pooled, await pay.external("MXN"), 10_000, { immediatelyExecute: true })
    const source = { sourceType: "ACCOUNT", accountId: pooled, customerId: pay.customerId }
    expect(await pay.quote({ ...request, source })).toMatchObject({ body: { status: "PENDING_AUTHORIZATION" } })
    const own = await pay.quote(request)
    expect(own).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    expect(await pay.transaction(own)).toMatchObject({ body: { customerId: pay.customerId } })
  })

  // Proves: RES-QUOTE-21
  it("shows the information about the receiving side that the platform requires", async () => {
    await using pay = await quoteHarness()
    const config = at(await pay.send("GET", "/config"), "supportedCurrencies") as ReadonlyArray<object>
    const requiredCounterpartyFields = ["FULL_NAME", "ACCOUNT_IDENTIFIER", "BIRTH_DATE"].map((name) => ({
      name,
      mandatory: true,
    }))
    const supportedCurrencies = config.map((one) =>
      at({ body: one }, "currencyCode") === "MXN" ? { ...one, requiredCounterpartyFields } : one,
    )
    await pay.send("PATCH", "/config", { body: { supportedCurrencies } })
    expect(at(await begin(pay), "counterpartyInformation")).toEqual({
      FULL_NAME: "Ada Lovelace",
      ACCOUNT_IDENTIFIER: "032180000118359000",
    })
  })

  // Proves: LIM-02
  it("expires after two minutes if both sides are instant", async () => {
    await using pay = await quoteHarness()
    await pay.fund("BTC", 1000)
    const reply = await pay.quote(between(await pay.accountId("BTC"), await pay.accountId("USDC"), 1000))
    expect(at(reply, "expiresAt")).toBe("2026-11-21T12:02:00Z")
  })

  it("pulls its external source", async () => {
    await using pay = await quoteHarness()
    const [good, bad] = [await pay.external("USD", "000"), await pay.external("USD", "002")]
    const receiver = await pay.accountId("EUR")
    const paid = await pay.quote(between(good, receiver, 10_000))
    expect(paid.body).not.toHaveProperty("paymentInstructions")
    expect((await pay.execute(idOf(paid))).body).toMatchObject({ status: "PROCESSING" })
    await pay.settle()
    expect(await pay.transaction(paid)).toMatchObject({ body: { status: "COMPLETED", source: { accountId: good } } })
    expect(await pay.balances("EUR")).toEqual([9154, 9154])
    const failed = await pay.quote(between(bad, receiver, 10_000))
    await pay.execute(idOf(failed))
    await pay.settle()
    expect(await pay.transaction(failed)).toMatchObject({
      body: { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" },
    })
    expect((await pay.transaction(failed)).body).not.toHaveProperty("refund")
    expect(pay.eventNames(at(failed, "transactionId"))).toEqual(["PENDING", "PROCESSING", "FAILED"])
    expect(await pay.getQuote(idOf(failed))).toMatchObject({ body: { status: "FAILED" } })
    await pay.checkBooks()
  })

  it("is neither cancelled nor expired while a slow pull is pending", async () => {
    await using pay = await quoteHarness()
    const quote = await pay.quote(between(await pay.external("USD", "005"), await pay.accountId("EUR"), 10_000))
    await pay.execute(idOf(quote))
    await pay.settle()
    const cancel = await pay.send("POST", `/transactions/${at(quote, "transactionId")}/cancel`)
    expect(cancel).toMatchObject({ status: 409, body: { code: "TRANSACTION_NOT_CANCELLABLE" } })
    await pay.clock.advance("10 minutes")
    expect(pay.eventNames(at(quote, "transactionId"))).toEqual(["PENDING", "PROCESSING", "FAILED"])
    await pay.checkBooks()
  })
})
