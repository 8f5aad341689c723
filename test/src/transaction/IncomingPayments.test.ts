/**
 * Incoming payments that the platform must approve: every response to the event, calls within five seconds, and no decision.
 * Source: wire contract 5.7 and 6.3; wire contract areas 2.8; D-095, D-417.
 */
import { IncomingPayments } from "@countersign/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { balances, eventNames, read } from "../../../packages/test/src/harness/TransferCalls.ts"
import type { Answer } from "../../../packages/test/src/harness/WebhookInbox.ts"

const receive = async (pay: AgentWorld, mandatory = false, senderUmaAddress = "$bob@bank.example") => {
  const announced = {
    destinationAccountId: pay.accountId,
    amount: 500,
    senderUmaAddress,
    requestedFields: [
      { name: "FULL_NAME", mandatory },
      { name: "NATIONALITY", mandatory: false },
    ],
  }
  return (await pay.run(IncomingPayments.use((payments) => payments.receive(announced)))).body
}

const approve = (pay: AgentWorld, id: string, info?: { readonly [name: string]: string }) =>
  pay.run(IncomingPayments.use((payments) => payments.approve(id, info)))
const reject = (pay: AgentWorld, id: string, reason?: string) =>
  pay.run(IncomingPayments.use((payments) => payments.reject(id, reason)))

const tooLate = { code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" }

describe("the response to an approval event", () => {
  it("follows an event with the sender, the amount and the requested fields", async () => {
    await using pay = await agentWorld()
    const created = await receive(pay)
    expect(created).toMatchObject({
      status: "PENDING",
      type: "INCOMING",
      source: { sourceType: "UMA_ADDRESS", umaAddress: "$bob@bank.example", currency: "USD" },
    })
    expect(await balances(pay)).toEqual([0, 0])
    await pay.settle()
    expect(pay.inbox.ofType("INCOMING_PAYMENT.PENDING")).toMatchObject([
      {
        data: {
          id: created.id,
          requestedReceiverCustomerInfoFields: [
            { name: "FULL_NAME", mandatory: false },
            { name: "NATIONALITY", mandatory: false },
          ],
        },
      },
    ])
    expect(await read(pay, created.id)).toMatchObject({ status: "COMPLETED" })
    expect(eventNames(pay, created.id)).toEqual(["PENDING", "COMPLETED"])
    expect(await balances(pay)).toEqual([500, 500])
  })

  it("follows an announcement whose sender has a text that no store keeps, cleaned", async () => {
    await using pay = await agentWorld()
    expect(await receive(pay, false, "$b\u0000b@bank.example")).toMatchObject({
      source: { umaAddress: "$b\uFFFDb@bank.example" },
    })
  })

  it.each<[Answer, string, string | undefined]>([
    [403, "REJECTED", undefined],
    [422, "FAILED", "PAY_REQUEST_FAILED"],
    [201, "FAILED", "PAYMENT_APPROVAL_WEBHOOK_ERROR"],
    [409, "FAILED", "PAYMENT_APPROVAL_WEBHOOK_ERROR"],
    [500, "FAILED", "PAYMENT_APPROVAL_WEBHOOK_ERROR"],
    ["silence", "REJECTED", "PAYMENT_APPROVAL_TIMED_OUT"],
  ])("the response %s makes the payment %s, and the event is not sent again", async (answer, status, failureReason) => {
    await using pay = await agentWorld()
    const { id } = await receive(pay)
    pay.inbox.answerNext(answer)
    await pay.settle()
    await pay.clock.advance("1 hour")
    const end = await read(pay, id)
    expect(end).toMatchObject({ status, ...(failureReason === undefined ? {} : { failureReason }) })
    expect("failureReason" in end).toBe(failureReason !== undefined)
    expect(pay.inbox.ofType("INCOMING_PAYMENT.PENDING")).toHaveLength(1)
    expect(eventNames(pay, id)).toEqual(["PENDING", "FAILED"])
    expect(await balances(pay)).toEqual([0, 0])
  })

  it("fails the payment when it accepts without a mandatory field", async () => {
    await using pay = await agentWorld()
    const { id } = await receive(pay, true)
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "FAILED", failureReason: "MISSING_MANDATORY_PAYEE_DATA" })
  })

  it.each([
    [90, { status: "COMPLETED" }],
    [20_000, { status: "FAILED", failureReason: "MISSING_MANDATORY_PAYEE_DATA" }],
  ])("with %i levels of nesting is read up to the limit of 100", async (levels, end) => {
    await using pay = await agentWorld()
    const { id } = await receive(pay, true)
    const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`
    pay.inbox.deliverTo(
      async () => new Response(`{"receiverCustomerInfo":{"FULL_NAME":"Ada Lovelace","MORE":${deep}}}`),
    )
    await pay.settle()
    expect(await read(pay, id)).toMatchObject(end)
  })

  it("is a failure when the platform has no endpoint", async () => {
    await using pay = await agentWorld({}, { webhookEndpoint: null })
    const { id } = await receive(pay)
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "FAILED", failureReason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" })
  })
})

describe("a decision by call", () => {
  const later = async (pay: AgentWorld, mandatory = false) => {
    const { id } = await receive(pay, mandatory)
    pay.inbox.answerNext(202)
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "PENDING" })
    return id
  }

  it("accepts the payment once within five seconds", async () => {
    await using pay = await agentWorld()
    const id = await later(pay)
    await pay.clock.advance("4 seconds")
    expect((await approve(pay, id)).body).toMatchObject({ status: "COMPLETED" })
    await expect(approve(pay, id)).rejects.toMatchObject(tooLate)
    await expect(reject(pay, id)).rejects.toMatchObject(tooLate)
    await pay.clock.advance("1 minute")
    expect(eventNames(pay, id)).toEqual(["PENDING", "COMPLETED"])
    expect(await balances(pay)).toEqual([500, 500])
  })

  it("is refused without the mandatory fields", async () => {
    await using pay = await agentWorld()
    const id = await later(pay, true)
    await expect(approve(pay, id)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ field: "receiverCustomerInfo.FULL_NAME" }] },
    })
    expect((await approve(pay, id, { FULL_NAME: "Ada Lovelace" })).body).toMatchObject({ status: "COMPLETED" })
  })

  it("rejects the payment", async () => {
    await using pay = await agentWorld()
    const id = await later(pay)
    expect((await reject(pay, id, "not ours")).body).toMatchObject({ status: "REJECTED" })
    await pay.clock.advance("1 minute")
    expect(eventNames(pay, id)).toEqual(["PENDING", "FAILED"])
    expect(await balances(pay)).toEqual([0, 0])
  })

  it("is refused after five seconds", async () => {
    await using pay = await agentWorld()
    const id = await later(pay)
    await pay.clock.advance("5 seconds")
    await expect(approve(pay, id)).rejects.toMatchObject(tooLate)
    expect(await read(pay, id)).toMatchObject({ status: "REJECTED", failureReason: "PAYMENT_APPROVAL_TIMED_OUT" })
    expect(eventNames(pay, id)).toEqual(["PENDING", "FAILED"])
  })

  it("is refused before the endpoint answered 202, and for other payments", async () => {
    await using pay = await agentWorld()
    const { id } = await receive(pay)
    await expect(approve(pay, id)).rejects.toMatchObject(tooLate)
  })
})

describe("what a receipt over the UMA network tells", () => {
  const details = {
    receiverUmaAddress: "$ada@us.example",
    counterpartyInformation: { FULL_NAME: "Bob", NATIONALITY: "GB" },
    sent: { amount: 400, currency: "GBP" as const },
    exchangeRate: 1.25,
    description: "Rent\u0000",
  }
  const announced = (pay: AgentWorld) => ({
    destinationAccountId: pay.accountId,
    amount: 500,
    senderUmaAddress: "$bob@bank.example",
    requestedFields: [],
  })

  it("is shown in the answer, the question and the last event", async () => {
    await using pay = await agentWorld()
    const { body } = await pay.run(
      IncomingPayments.use((payments) => payments.receive({ ...announced(pay), ...details })),
    )
    const shown = {
      source: { sourceType: "UMA_ADDRESS", umaAddress: "$bob@bank.example", currency: "USD" },
      destination: { destinationType: "UMA_ADDRESS", umaAddress: "$ada@us.example", currency: "USD" },
      sentAmount: { amount: 400, currency: { code: "GBP" } },
      receivedAmount: { amount: 500, currency: { code: "USD" } },
      exchangeRate: 1.25,
      description: "Rent\uFFFD",
      counterpartyInformation: { FULL_NAME: "Bob", NATIONALITY: "GB" },
    }
    expect(body).toMatchObject({ ...shown, status: "PENDING" })
    expect(body).not.toHaveProperty("quoteId")
    await pay.settle()
    expect(await read(pay, body.id)).toMatchObject({ ...shown, status: "COMPLETED" })
    expect(pay.inbox.ofType("INCOMING_PAYMENT.PENDING")).toMatchObject([{ data: shown }])
    expect(pay.inbox.ofType("INCOMING_PAYMENT.COMPLETED")).toMatchObject([{ data: shown }])
  })

  it("is left out where it is not known", async () => {
    await using pay = await agentWorld()
    const { body } = await pay.run(IncomingPayments.use((payments) => payments.receive(announced(pay))))
    expect(body.destination).toEqual({ destinationType: "ACCOUNT", accountId: pay.accountId, currency: "USD" })
    for (const name of ["sentAmount", "exchangeRate", "description", "counterpartyInformation", "fees"]) {
      expect(body).not.toHaveProperty(name)
    }
  })

  it.each([
    ["amount", { amount: 2 ** 53 }],
    ["amount", { amount: 1.5 }],
    ["sent.amount", { sent: { amount: -1, currency: "GBP" as const } }],
    ["exchangeRate", { exchangeRate: Number.NaN }],
  ])("is refused with a %s that no answer can show", async (field, more) => {
    await using pay = await agentWorld()
    const receiving = IncomingPayments.use((payments) => payments.receive({ ...announced(pay), ...more }))
    const refusal = await pay.run(Effect.flip(receiving))
    expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ field }] } })
  })
})
