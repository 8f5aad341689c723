/**
 * Outcomes that are late, repeated or unknown, cancellations, and the resulting balances.
 * Source: wire contract 5.7, 11 (21, 50, 51); D-090, D-091, D-092, D-096.
 */

import { Transactions } from "@countersign/core"
import { PaymentRails, type PushRequest, type RailOutcome } from "@countersign/core/ports"
import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import {
  balances,
  cancel,
  eventNames,
  fund,
  pullFrom,
  pushTo,
  read,
  report,
} from "../../../packages/test/src/harness/TransferCalls.ts"
import * as SuccessfulRails from "./SuccessfulRails.ts"

const ports = (own: Parameters<typeof SuccessfulRails.layer>[0]) =>
  Layer.mergeAll(SandboxRates.layer, SandboxVerifier.layer, SuccessfulRails.layer(own))

const inOneMinute = Effect.map(Clock.currentTimeMillis, (now): RailOutcome => ({ _tag: "Later", at: now + 60_000 }))
const refused: Exclude<RailOutcome, { _tag: "Unknown" }> = { _tag: "Refused", reason: "BANK_REJECTED" }

const books = async (pay: Awaited<ReturnType<typeof agentWorld>>) =>
  Object.fromEntries((await pay.books()).map(({ balance, id }) => [id, balance]))

describe("a returned payout", () => {
  it("becomes FAILED after COMPLETED and is refunded", async () => {
    await using pay = await agentWorld()
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    await report(pay, id, { _tag: "Returned" })
    expect(await balances(pay)).toEqual([600, 600])
    await pay.clock.advance("2 seconds")
    expect(await read(pay, id)).toMatchObject({
      status: "FAILED",
      failureReason: "PAYOUT_RETURNED",
      refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED" },
    })
    expect(await balances(pay)).toEqual([1000, 1000])
    // A repeated return and later outcomes change nothing.
    for (const said of [{ _tag: "Returned" }, { _tag: "Done" }, refused] as const) await report(pay, id, said)
    await pay.settle()
    expect(eventNames(pay, id)).toEqual([
      "PENDING",
      "PROCESSING",
      "COMPLETED",
      "FAILED",
      "REFUND_PENDING",
      "REFUND_COMPLETED",
    ])
    expect(await balances(pay)).toEqual([1000, 1000])
  })

  it("fails the transaction as returned when it was not delivered yet", async () => {
    await using pay = await agentWorld({}, { ports: ports({ push: () => inOneMinute }) })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "PROCESSING" })
    expect(await balances(pay)).toEqual([600, 600])
    await report(pay, id, { _tag: "Returned" })
    await pay.settle()
    expect(eventNames(pay, id)).toEqual(["PENDING", "PROCESSING", "FAILED", "REFUND_PENDING", "REFUND_COMPLETED"])
    expect(await balances(pay)).toEqual([1000, 1000])
  })
})

describe("a returned pull", () => {
  it("debits the available balance", async () => {
    await using pay = await agentWorld()
    const { id } = await pullFrom(pay, "000", 700)
    await pay.settle()
    await report(pay, id, { _tag: "Returned" })
    await report(pay, id, { _tag: "Returned" })
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    expect(eventNames(pay, id)).toEqual(["PENDING", "COMPLETED", "FAILED"])
    expect(await balances(pay)).toEqual([0, 0])
    expect(await books(pay)).not.toHaveProperty(`receivable:${pay.customerId}:USD`)
  })

  it.each([
    [700, 0, -700],
    [500, 0, -500],
  ])("after %i were spent makes the rest a debt instead of a negative balance", async (spent, left, owed) => {
    await using pay = await agentWorld()
    const { id } = await pullFrom(pay, "000", 700)
    await pay.settle()
    await pushTo(pay, "000", { amount: spent })
    await pay.settle()
    await report(pay, id, { _tag: "Returned" })
    await pay.settle()
    expect(await balances(pay)).toEqual([left, left])
    expect(await books(pay)).toMatchObject({ [`receivable:${pay.customerId}:USD`]: owed })
  })
})

describe("an unknown outcome", () => {
  it("makes the job ask again under the same reference until the outcome is known", async () => {
    const asked: Array<string> = []
    const push = ({ reference }: PushRequest) =>
      Effect.sync((): RailOutcome => {
        asked.push(reference)
        return asked.length < 4 ? { _tag: "Unknown", cause: "connection lost" } : { _tag: "Done" }
      })
    await using pay = await agentWorld({}, { ports: ports({ push }) })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "PENDING" })
    expect(await balances(pay)).toEqual([600, 1000])
    await pay.clock.advance("1 hour")
    await pay.settle()
    for (let round = 0; round < 5; round++) await pay.clock.advance("10 minutes")
    expect(await read(pay, id)).toMatchObject({ status: "COMPLETED" })
    expect(asked).toEqual([id, id, id, id])
  })
})

describe("a failed refund", () => {
  it("emits REFUND_FAILED and books the money as unapplied", async () => {
    const never = () => Effect.succeed(refused)
    await using pay = await agentWorld({}, { ports: ports({ push: never, refund: never }) })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "FAILED", refund: { status: "FAILED" } })
    expect(eventNames(pay, id)).toEqual(["PENDING", "PROCESSING", "FAILED", "REFUND_PENDING", "REFUND_FAILED"])
    expect(await balances(pay)).toEqual([600, 600])
    expect(await books(pay)).toMatchObject({ [`unapplied:${id}`]: 400, [`transit:${pay.customerId}:USD`]: 0 })
  })
})

const backAtOnce = ["PENDING", "PROCESSING", "REFUND_PENDING", "REFUND_COMPLETED", "COMPLETED"]

describe("a cancellation", () => {
  it("before submission refunds the money at once without asking the rail", async () => {
    let asked = 0
    const push = () =>
      Effect.sync((): RailOutcome => {
        asked += 1
        return { _tag: "Done" }
      })
    await using pay = await agentWorld({}, { ports: ports({ push }) })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    expect(await cancel(pay, id)).toMatchObject({
      status: "COMPLETED",
      refund: { status: "COMPLETED", reason: "USER_CANCELLATION" },
    })
    await pay.settle()
    expect(asked).toBe(0)
    expect(eventNames(pay, id)).toEqual(backAtOnce)
    expect(await balances(pay)).toEqual([1000, 1000])
  })

  it("of a queued payment asks the rail and applies its answer", async () => {
    await using pay = await agentWorld({}, { suffixes: ["005"] })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "005", { amount: 400, paymentRail: "WIRE" })
    await pay.settle()
    expect(await cancel(pay, id)).toMatchObject({ status: "PENDING", paymentRail: "WIRE", railSelectionMode: "MANUAL" })
    expect(await cancel(pay, id)).toMatchObject({ status: "PENDING" })
    await pay.clock.advance("2 minutes")
    expect(await read(pay, id)).toMatchObject({ status: "COMPLETED", refund: { reason: "USER_CANCELLATION" } })
    expect(eventNames(pay, id)).toEqual(backAtOnce)
    expect(await balances(pay)).toEqual([1000, 1000])
  })

  it("is final: later outcomes change nothing once the rail cancelled", async () => {
    await using pay = await agentWorld({}, { suffixes: ["005"] })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "005", { amount: 400 })
    await pay.settle()
    await cancel(pay, id)
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "PROCESSING", refund: { status: "PENDING" } })
    await expect(cancel(pay, id)).rejects.toMatchObject({ code: "TRANSACTION_NOT_CANCELLABLE" })
    const late = [{ _tag: "Done" }, refused, { _tag: "Returned" }, { _tag: "Cancelled" }] as const
    for (const said of late) await report(pay, id, said)
    await pay.clock.advance("1 minute")
    for (const said of late) await report(pay, id, said)
    await pay.settle()
    expect(eventNames(pay, id)).toEqual(backAtOnce)
    expect(await balances(pay)).toEqual([1000, 1000])
  })

  it("that the rail refuses leaves the payment unchanged", async () => {
    const own = { push: () => inOneMinute, cancel: () => Effect.succeed(refused) }
    await using pay = await agentWorld({}, { ports: ports(own) })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    await cancel(pay, id)
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "PROCESSING" })
    await report(pay, id, { _tag: "Done" })
    await pay.settle()
    expect(eventNames(pay, id)).toEqual(["PENDING", "PROCESSING", "COMPLETED"])
    await expect(cancel(pay, id)).rejects.toMatchObject({ code: "TRANSACTION_NOT_CANCELLABLE" })
  })

  it("that the rail answers later is asked again at that time", async () => {
    let asked = 0
    const own = {
      push: () => inOneMinute,
      cancel: () =>
        Effect.suspend(() => {
          asked += 1
          return asked < 3 ? inOneMinute : Effect.succeed<RailOutcome>({ _tag: "Done" })
        }),
    }
    await using pay = await agentWorld({}, { ports: ports(own) })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    await cancel(pay, id)
    await pay.clock.advance("5 minutes")
    expect(eventNames(pay, id)).toEqual(backAtOnce)
    expect(asked).toBe(3)
  })

  it("of a pull before submission fails it", async () => {
    await using pay = await agentWorld()
    const { id } = await pullFrom(pay, "000", 400)
    expect(await cancel(pay, id)).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    await pay.settle()
    expect(await balances(pay)).toEqual([0, 0])
    expect(eventNames(pay, id)).toEqual(["PENDING", "FAILED"])
  })

  it.each(["RTP", "FEDNOW"])("of a payment over %s is refused", async (paymentRail) => {
    await using pay = await agentWorld()
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400, paymentRail })
    await expect(cancel(pay, id)).rejects.toMatchObject({ code: "TRANSACTION_NOT_CANCELLABLE" })
    await expect(cancel(pay, pay.accountId)).rejects.toMatchObject({ code: "TRANSACTION_NOT_FOUND" })
  })
})

describe("a push request", () => {
  const fields = {
    ACH: "addenda",
    RTP: "remittanceInformation",
    FEDNOW: "remittanceInformation",
    WIRE: "originatorToBeneficiaryInformation",
  } as const

  it.each(Object.entries(fields))("over %s carries the remittance text in %s", async (paymentRail, field) => {
    const requests: Array<PushRequest> = []
    const push = (request: PushRequest) =>
      Effect.sync((): RailOutcome => {
        requests.push(request)
        return { _tag: "Done" }
      })
    await using pay = await agentWorld({}, { ports: ports({ push }) })
    await fund(pay, 1000)
    const text = "x".repeat(80)
    const { id } = await pushTo(pay, "000", { amount: 400, paymentRail, remittanceInformation: text })
    await pushTo(pay, "000", { amount: 1, paymentRail })
    await pay.settle()
    expect(requests).toMatchObject([{ reference: id, rail: paymentRail, remittance: { field, text }, amount: 400 }, {}])
    expect(requests[1]).not.toHaveProperty("remittance")
    expect(await read(pay, id)).toMatchObject({ remittanceInformation: text })
  })

  it("has a remittance field for every rail", () => {
    const table = Object.fromEntries(PaymentRails.entries.map(([rail, row]) => [rail, row.remittanceField]))
    expect(table).toEqual({
      ...fields,
      ACH_COLOMBIA: "addenda",
      BANK_TRANSFER: "reference",
      BRE_B: "description",
      CIPS: "remittanceInformation",
      FAST: "remittanceInformation",
      FASTER_PAYMENTS: "reference",
      INSTAPAY: "remittanceInformation",
      MOBILE_MONEY: "message",
      NEFT: "narration",
      PAYNOW: "remittanceInformation",
      PESONET: "remittanceInformation",
      PIX: "description",
      RTGS: "narration",
      SEPA: "remittanceInformation",
      SEPA_INSTANT: "remittanceInformation",
      SPEI: "description",
      SWIFT: "remittanceInformation",
      UNIONPAY: "message",
      UPI: "message",
    })
    expect(PaymentRails.entries.filter(([, row]) => row.isCancellable).map(([rail]) => rail)).toEqual(["ACH", "WIRE"])
  })
})

describe("a receipt confirmation", () => {
  it("records the present time once, and a given time in its place", async () => {
    await using pay = await agentWorld()
    const { id } = await pullFrom(pay, "000", 400)
    const confirm = (at?: number) => pay.run(Transactions.use((all) => all.confirm(id, at)))
    expect((await confirm()).body).toMatchObject({ receiptDeliveryConfirmedAt: "2026-11-21T12:00:00Z" })
    await pay.clock.advance("1 minute")
    expect((await confirm()).body).toMatchObject({ receiptDeliveryConfirmedAt: "2026-11-21T12:00:00Z" })
    expect((await confirm(0)).body).toMatchObject({ receiptDeliveryConfirmedAt: "1970-01-01T00:00:00Z" })
  })
})
