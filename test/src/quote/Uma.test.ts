/**
 * Quotes to UMA addresses: looked up first, each row of the sandbox's table with quote, transaction, balances and webhooks, and those
 * of the platform's own customers.
 * Spec: 4.6 (UMA destinations in sandbox); wire contract 5.2, 5.10 and 7.4; D-250, D-251.
 */
import { UmaScenarios } from "@countersign/core/sandbox"
import { describe, expect, it } from "vitest"
import { at, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const domain = "uma.sandbox.example"
const lookUp = (pay: QuoteHarness, address: string, query = "") =>
  pay.send("GET", `/receiver/uma/${encodeURIComponent(address)}${query}`)

/** A request for a quote of 100.00 dollars to a UMA address. */
const toUma = async (pay: QuoteHarness, umaAddress: string, more: object = {}) => ({
  lookupId: at(await lookUp(pay, umaAddress), "lookupId"),
  source: { sourceType: "ACCOUNT", accountId: await pay.accountId("USD") },
  destination: { destinationType: "UMA_ADDRESS", umaAddress },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 10_000,
  ...more,
})

const back = "REFUND_PENDING REFUND_COMPLETED"
interface Row {
  readonly first: string
  readonly last: string
  readonly transaction: object
  readonly left: number
  readonly events: string
}
const succeeds = { status: "COMPLETED" }
const scenarios: Readonly<Record<string, Row>> = {
  success: {
    first: "COMPLETED",
    last: "COMPLETED",
    transaction: succeeds,
    left: 90_000,
    events: "PENDING PROCESSING COMPLETED",
  },
  "pending.long": {
    first: "PROCESSING",
    last: "COMPLETED",
    transaction: succeeds,
    left: 90_000,
    events: "PENDING PROCESSING COMPLETED",
  },
  "fail.compliance": {
    first: "FAILED",
    last: "FAILED",
    transaction: { status: "FAILED", failureReason: "COMPLIANCE_REJECTED", refund: { status: "COMPLETED" } },
    left: 100_000,
    events: `PENDING PROCESSING FAILED ${back}`,
  },
}
const receives: Readonly<Record<string, number>> = { USD: 10_000, EUR: 9154, MXN: 174_125 }
const rows = Object.entries(scenarios).flatMap(([scenario, row]) =>
  Object.entries(receives).map(
    ([currency, amount]) => [`${scenario}.${currency.toLowerCase()}`, currency, amount, row] as const,
  ),
)

it("has a case for every row of the table", () => {
  expect(rows.map(([name]) => name).toSorted()).toEqual([...UmaScenarios.keys].toSorted())
})

// Proves: GEN-04
// Proves: SBX-UMA-SUCCESS, SBX-UMA-PENDING, SBX-UMA-FAIL
it.each(rows)("pays $%s in %s", async (name, currency, amount, { events, first, last, left, transaction }) => {
  await using pay = await quoteHarness()
  await pay.fund("USD", 100_000)
  const umaAddress = `$${name}@${domain}`
  const found = await lookUp(pay, umaAddress, `?customerId=${pay.customerId}`)
  expect(found).toMatchObject({
    status: 200,
    body: {
      receiverUmaAddress: umaAddress,
      supportedCurrencies: [{ currency: { code: currency }, min: 1, max: 10_000_000_000 }],
      requiredPayerDataFields: [{ name: "FULL_NAME", mandatory: true }],
      lookupId: expect.stringMatching(/^Lookup:/u),
    },
  })
  const quote = await pay.quote(await toUma(pay, umaAddress))
  expect(quote).toMatchObject({
    status: 201,
    body: {
      destination: { destinationType: "UMA_ADDRESS", umaAddress },
      receivingCurrency: { code: currency },
      totalReceivingAmount: amount,
      exchangeRate: at(found, "supportedCurrencies", 0, "estimatedExchangeRate"),
    },
  })
  expect(await pay.execute(String(at(quote, "id")))).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
  await pay.settle()
  const status = async () => at(await pay.getQuote(String(at(quote, "id"))), "status")
  expect(await status()).toBe(first)
  await pay.clock.advance("599 seconds")
  expect(await status()).toBe(first)
  await pay.clock.advance("1 second")
  expect(await status()).toBe(last)
  const ended = await pay.transaction(quote)
  expect(ended).toMatchObject({
    body: { ...transaction, destination: { destinationType: "UMA_ADDRESS", umaAddress, currency } },
  })
  expect(await pay.balances("USD")).toEqual([left, left])
  expect(pay.eventNames(at(quote, "transactionId")).join(" ")).toBe(events)
  expect(pay.inbox.received.findLast(({ data }) => data["id"] === at(quote, "transactionId"))?.data).toEqual(ended.body)
  const listed = await pay.send("GET", `/transactions?receiverAccountIdentifier=${encodeURIComponent(umaAddress)}`)
  expect(at(listed, "data", 0, "id")).toBe(at(quote, "transactionId"))
  await pay.checkBooks()
})

describe("a quote to a UMA address", () => {
  // Proves: ERR-LOOKUP_REQUEST_NOT_FOUND
  it("requires a lookup of its address", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 100_000)
    const umaAddress = `$success.eur@${domain}`
    const { lookupId: _, ...without } = await toUma(pay, umaAddress)
    expect(await pay.quote(without)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "lookupId" }] } },
    })
    const another = at(await lookUp(pay, `$success.usd@${domain}`), "lookupId")
    expect(await pay.quote({ ...without, lookupId: another })).toMatchObject({
      status: 404,
      body: { code: "LOOKUP_REQUEST_NOT_FOUND" },
    })
  })

  it("is not quoted for a customer who is deleted", async () => {
    await using pay = await quoteHarness()
    const gone = await pay.send("POST", "/customers", {
      body: { customerType: "INDIVIDUAL", platformCustomerId: "gone", fullName: "Ada Example" },
    })
    const customerId = String(at(gone, "id"))
    const quoteFor = async (owner: string) =>
      pay.quote(
        await toUma(pay, `$success.usd@${domain}`, {
          source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: owner },
        }),
      )
    expect((await quoteFor(pay.customerId)).body).toMatchObject({ status: "PENDING" })
    expect((await pay.send("DELETE", `/customers/${customerId}`)).status).toBe(200)
    expect(await quoteFor(customerId)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "source.customerId" }] } },
    })
  })

  // Proves: ERR-INVALID_UMA_ADDRESS, ERR-UMA_NOT_FOUND, ERR-INVALID_CURRENCY
  // Proves: SBX-UMA-DOMAIN
  it("refuses an unknown receiver, an invalid address and another currency", async () => {
    await using pay = await quoteHarness()
    const refusals = [
      [`$non.existent.usd@${domain}`, {}, 404, "UMA_NOT_FOUND"],
      ["$success.usd@elsewhere.example", {}, 404, "UMA_NOT_FOUND"],
      ["success.usd", {}, 400, "INVALID_UMA_ADDRESS"],
    ] as const
    for (const [address, more, status, code] of refusals) {
      expect(await lookUp(pay, address)).toMatchObject({ status, body: { code } })
      const body = { ...(await toUma(pay, address, more)), lookupId: "Lookup:x" }
      expect(await pay.quote(body)).toMatchObject({ status, body: { code } })
    }
    const destination = { destinationType: "UMA_ADDRESS", umaAddress: `$success.eur@${domain}`, currency: "MXN" }
    expect(await pay.quote(await toUma(pay, destination.umaAddress, { destination }))).toMatchObject({
      status: 400,
      body: { code: "INVALID_CURRENCY", details: { supportedCurrencies: ["EUR"] } },
    })
  })

  it("sends the receiver the requested payer information, from the request or from the customer's record", async () => {
    await using pay = await quoteHarness({}, { fullName: undefined, platformCustomerId: "nameless" })
    await pay.fund("USD", 100_000)
    const body = await toUma(pay, `$success.eur@${domain}`)
    expect(await pay.quote(body)).toMatchObject({
      status: 400,
      body: {
        code: "MISSING_MANDATORY_USER_INFO",
        details: { errors: [{ field: "senderCustomerInfo.FULL_NAME" }] },
      },
    })
    const senderCustomerInfo = { FULL_NAME: "Ada Lovelace", EMAIL: "ada@example.com" }
    expect(await pay.quote({ ...body, senderCustomerInfo })).toMatchObject({ status: 201 })
  })

  it("can be funded by a payer", async () => {
    await using pay = await quoteHarness()
    const { customerId } = pay
    const source = { sourceType: "REALTIME_FUNDING", currency: "USD", customerId }
    const quote = await pay.quote(await toUma(pay, `$success.mxn@${domain}`, { source }))
    expect(quote).toMatchObject({ status: 201, body: { paymentInstructions: expect.any(Array) } })
    await pay.send("POST", "/sandbox/send", { body: { quoteId: at(quote, "id"), currencyCode: "USD" } })
    await pay.settle()
    expect(await pay.transaction(quote)).toMatchObject({ body: { status: "COMPLETED" } })
  })
})

describe("the address of a customer of the platform", () => {
  const second = async (pay: QuoteHarness) => {
    const body = { customerType: "INDIVIDUAL", fullName: "Charles Babbage" }
    const made = await pay.send("POST", "/customers", { body })
    return { id: String(at(made, "id")), address: String(at(made, "umaAddress")) }
  }

  it("credits its account at once, without a rail", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 100_000)
    const { address, id } = await second(pay)
    const found = await lookUp(pay, address)
    expect(found).toMatchObject({ status: 200, body: { requiredPayerDataFields: [] } })
    expect(at(found, "supportedCurrencies")).not.toEqual([])
    const destination = { destinationType: "UMA_ADDRESS", umaAddress: address, currency: "EUR" }
    const quote = await pay.quote(await toUma(pay, address, { destination, immediatelyExecute: true }))
    expect(quote).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    await pay.settle()
    expect(await pay.transaction(quote)).toMatchObject({
      body: { status: "COMPLETED", destination: { destinationType: "UMA_ADDRESS", umaAddress: address } },
    })
    expect(await pay.balances("EUR", id)).toEqual([9154, 9154])
    await pay.checkBooks()
  })

  // Proves: ERR-SELF_PAYMENT, ERR-UMA_NOT_FOUND
  it("cannot be paid by the customer itself or after its deletion", async () => {
    await using pay = await quoteHarness()
    const own = String(at(await pay.send("GET", `/customers/${pay.customerId}`), "umaAddress"))
    const destination = { destinationType: "UMA_ADDRESS", umaAddress: own, currency: "USD" }
    expect(await pay.quote(await toUma(pay, own, { destination }))).toMatchObject({
      status: 400,
      body: { code: "SELF_PAYMENT" },
    })
    const { address, id } = await second(pay)
    await pay.send("DELETE", `/customers/${id}`)
    expect(await lookUp(pay, address)).toMatchObject({ status: 404, body: { code: "UMA_NOT_FOUND" } })
  })
})

describe("a lookup", () => {
  it("of an external account returns its currency and can be used by a quote", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 100_000)
    const accountId = await pay.external("MXN")
    const found = await pay.send("GET", `/receiver/external-account/${accountId}?customerId=${pay.customerId}`)
    expect(found).toMatchObject({
      status: 200,
      body: {
        accountId,
        supportedCurrencies: [{ currency: { code: "MXN", decimals: 2 } }],
        requiredPayerDataFields: [],
      },
    })
    // Sending per receiving currency, as the specification defines it.
    expect(at(found, "supportedCurrencies", 0, "estimatedExchangeRate")).toBeCloseTo(1 / 17.5, 10)
    const body = {
      lookupId: at(found, "lookupId"),
      source: { sourceType: "ACCOUNT", accountId: await pay.accountId("USD") },
      destination: { destinationType: "ACCOUNT", accountId },
      lockedCurrencySide: "RECEIVING",
      lockedCurrencyAmount: 1000,
    }
    expect(await pay.quote(body)).toMatchObject({ status: 201 })
    expect(await pay.quote({ ...body, lookupId: "Lookup:another" })).toMatchObject({ status: 404 })
    const unknownId = "ExternalAccount:00000000-0000-4000-8000-000000000009"
    expect(await pay.send("GET", `/receiver/external-account/${unknownId}`)).toMatchObject({
      status: 404,
      body: { code: "REFERENCE_NOT_FOUND" },
    })
  })

  it("is the same for a raw and an encoded receiver, and depends on its sender", async () => {
    await using pay = await quoteHarness()
    const address = `$success.usd@${domain}`
    const own = String(at(await pay.send("GET", `/customers/${pay.customerId}`), "umaAddress"))
    const first = await lookUp(pay, address, `?senderUmaAddress=${encodeURIComponent(own)}`)
    const raw = await pay.send("GET", `/receiver/uma/${address}`)
    expect([first.status, raw.status]).toEqual([200, 200])
    expect(at(raw, "lookupId")).toBe(at(first, "lookupId"))
    expect(await lookUp(pay, address, "?senderUmaAddress=$nobody@example.com")).toMatchObject({
      status: 404,
      body: { code: "USER_NOT_FOUND" },
    })
    const unknownId = "Customer:00000000-0000-4000-8000-000000000009"
    expect(await lookUp(pay, address, `?customerId=${unknownId}`)).toMatchObject({ status: 404 })
  })
})
