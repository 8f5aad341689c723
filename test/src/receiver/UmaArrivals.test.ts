/**
 * Simulated payments to customers' UMA addresses: the approval event, and the effect of each response.
 * Spec: 4.6 (POST /sandbox/uma/receive); wire contract 5.7, 6.3, 7.1 and 7.2; D-252.
 */

import { describe, expect, it } from "vitest"
import type { Reply } from "../../../packages/test/src/harness/Harness.ts"
import { at, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"

const sender = "$success.usd@uma.sandbox.example"
const arrive = (pay: QuoteHarness, more: object = {}) =>
  pay.send("POST", "/sandbox/uma/receive", {
    body: {
      senderUmaAddress: sender,
      customerId: pay.customerId,
      receivingCurrencyCode: "EUR",
      receivingCurrencyAmount: 700,
      ...more,
    },
  })

const transaction = (pay: QuoteHarness, arrived: Reply) => pay.send("GET", `/transactions/${at(arrived, "id")}`)

describe("a payment to a UMA address", () => {
  // Proves: SBX-UMA-01, SBX-UMA-02
  it("is announced to the platform, and accepted by its 200", async () => {
    await using pay = await quoteHarness()
    const address = String(at(await pay.send("GET", `/customers/${pay.customerId}`), "umaAddress"))
    const arrived = await arrive(pay, { customerId: undefined, receiverUmaAddress: address })
    expect(arrived).toMatchObject({
      status: 200,
      body: {
        type: "INCOMING",
        status: "PENDING",
        source: { sourceType: "UMA_ADDRESS", umaAddress: sender },
        destination: { destinationType: "UMA_ADDRESS", umaAddress: address, currency: "EUR" },
        counterpartyInformation: { FULL_NAME: "Sandbox Sender" },
        receivedAmount: { amount: 700, currency: { code: "EUR" } },
      },
    })
    expect(await pay.balances("EUR")).toEqual([0, 0])
    await pay.settle()
    expect(await transaction(pay, arrived)).toMatchObject({ body: { status: "COMPLETED" } })
    expect(await pay.balances("EUR")).toEqual([700, 700])
    expect(pay.eventNames(at(arrived, "id"))).toEqual(["PENDING", "COMPLETED"])
    expect(pay.inbox.ofType("INCOMING_PAYMENT.PENDING")[0]?.data).toMatchObject({
      requestedReceiverCustomerInfoFields: [{ name: "FULL_NAME", mandatory: false }],
    })
    expect(pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").at(-1)?.data).toMatchObject({
      balance: { amount: 700 },
    })
    await pay.checkBooks()
  })

  it("and the deletion of its customer exclude each other", async () => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await quoteHarness({ around })
      const replies: Array<Reply> = []
      const isOverlapped = await overlap(
        async () => replies.push(await arrive(pay)),
        async () => replies.push(await pay.send("DELETE", `/customers/${pay.customerId}`)),
      )
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      return isOverlapped
    })
  })

  it("is rejected by a 403", async () => {
    await using pay = await quoteHarness()
    pay.inbox.answerNext(403)
    const arrived = await arrive(pay)
    await pay.settle()
    expect(await transaction(pay, arrived)).toMatchObject({ body: { status: "REJECTED" } })
    expect(await pay.balances("EUR")).toEqual([0, 0])
  })

  it("can be decided for five seconds after a 202", async () => {
    await using pay = await quoteHarness()
    pay.inbox.answerNext(202, 202)
    const [taken, late] = [await arrive(pay), await arrive(pay)]
    await pay.settle()
    await pay.clock.advance("4 seconds")
    expect(await pay.send("POST", `/transactions/${at(taken, "id")}/approve`)).toMatchObject({
      status: 200,
      body: { status: "COMPLETED" },
    })
    await pay.clock.advance("1 second")
    expect(await pay.send("POST", `/transactions/${at(late, "id")}/approve`)).toMatchObject({
      status: 409,
      body: { code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" },
    })
    expect(await transaction(pay, late)).toMatchObject({
      body: { status: "REJECTED", failureReason: "PAYMENT_APPROVAL_TIMED_OUT" },
    })
    expect(await pay.balances("EUR")).toEqual([700, 700])
    await pay.checkBooks()
  })

  const refusals: ReadonlyArray<readonly [what: string, more: object, status: number, code: string]> = [
    ["an unknown address", { customerId: undefined, receiverUmaAddress: "$a@b.example" }, 404, "UMA_NOT_FOUND"],
    ["a malformed receiver address", { customerId: undefined, receiverUmaAddress: "a" }, 400, "INVALID_UMA_ADDRESS"],
    ["a malformed sender address", { senderUmaAddress: "a" }, 400, "INVALID_UMA_ADDRESS"],
    ["an unknown customer", { customerId: "Customer:00000000-0000-4000-8000-000000000009" }, 404, "USER_NOT_FOUND"],
    ["no receiver", { customerId: undefined }, 400, "INVALID_INPUT"],
    ["two receivers", { receiverUmaAddress: "$a@b.example" }, 400, "INVALID_INPUT"],
    ["a currency without an account", { receivingCurrencyCode: "JMD" }, 400, "INVALID_CURRENCY"],
    ["an amount of 0", { receivingCurrencyAmount: 0 }, 400, "INVALID_INPUT"],
    ["a fractional amount", { receivingCurrencyAmount: 700.5 }, 400, "INVALID_INPUT"],
    ["no currency", { receivingCurrencyCode: undefined }, 400, "INVALID_INPUT"],
    ["no sender", { senderUmaAddress: undefined }, 400, "INVALID_INPUT"],
  ]
  // Proves: SBX-UMA-02
  it.each(refusals)("with %s is refused", async (_, more, status, code) => {
    await using pay = await quoteHarness()
    expect(await arrive(pay, more)).toMatchObject({ status, body: { code } })
  })

  it.each([
    ["senderUmaAddress", { senderUmaAddress: "a" }, { errors: [{ field: "senderUmaAddress" }] }],
    [
      "receiverUmaAddress",
      { customerId: undefined, receiverUmaAddress: "a" },
      { errors: [{ field: "receiverUmaAddress" }] },
    ],
    ["receiverUmaAddress", { customerId: undefined }, { errors: [{ field: "receiverUmaAddress" }] }],
    ["receivingCurrencyCode", { receivingCurrencyCode: "JMD" }, { field: "receivingCurrencyCode" }],
  ])("names the field that is wrong: %s, %j", async (_, more, details) => {
    await using pay = await quoteHarness()
    expect(await arrive(pay, more)).toMatchObject({ status: 400, body: { details } })
  })

  it("credits a wallet only where the customer has no other account in the currency", async () => {
    await using pay = await quoteHarness()
    const body = { customerType: "INDIVIDUAL", currencies: ["USDB"] }
    const customerId = String(at(await pay.send("POST", "/customers", { body }), "id"))
    await arrive(pay, { customerId, receivingCurrencyCode: "USDB" })
    await pay.settle()
    const balance = async (type: string) =>
      at(await pay.send("GET", `/internal-accounts/${await pay.accountId("USDB", type, customerId)}`), "balance")
    expect(await balance("INTERNAL_CRYPTO")).toMatchObject({ amount: 700 })
    expect(await balance("EMBEDDED_WALLET")).toMatchObject({ amount: 0 })
  })

  it("from an address to itself is refused", async () => {
    await using pay = await quoteHarness()
    const address = String(at(await pay.send("GET", `/customers/${pay.customerId}`), "umaAddress"))
    for (const senderUmaAddress of [address, address.toUpperCase()])
      expect(await arrive(pay, { senderUmaAddress })).toMatchObject({ body: { code: "SELF_PAYMENT" } })
  })
})
