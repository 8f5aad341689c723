/** The expected settlement time of a payout, for each rail. Source: wire contract 5.7 (expectedSettlementAt); D-112. */
import { PaymentRails } from "@countersign/core/ports"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { fund, pullFrom, pushTo, read } from "../../../packages/test/src/harness/TransferCalls.ts"

const day = 86_400

/** The usual settlement time of each rail in seconds, copied by hand. */
const expected: { readonly [rail: string]: number } = {
  ACH: 2 * day,
  ACH_COLOMBIA: day,
  BANK_TRANSFER: day,
  BRE_B: 60,
  CIPS: day,
  FAST: 60,
  FASTER_PAYMENTS: 7200,
  FEDNOW: 60,
  INSTAPAY: 60,
  MOBILE_MONEY: 60,
  NEFT: 7200,
  PAYNOW: 60,
  PESONET: day,
  PIX: 60,
  RTGS: 7200,
  RTP: 60,
  SEPA: day,
  SEPA_INSTANT: 60,
  SPEI: 60,
  SWIFT: 5 * day,
  UNIONPAY: day,
  UPI: 60,
  WIRE: day,
}

it("lists the usual settlement time of every rail", () => {
  expect(Object.fromEntries(PaymentRails.entries.map(([rail, row]) => [rail, row.settlementSeconds]))).toEqual(expected)
})

describe("an outgoing transaction", () => {
  it.each([
    ["ACH", "2026-11-23T12:00:00Z"],
    ["WIRE", "2026-11-22T12:00:00Z"],
    ["RTP", "2026-11-21T12:01:00Z"],
  ])("over %s is expected at %s, also after it was delivered", async (paymentRail, expectedSettlementAt) => {
    await using pay = await agentWorld()
    await fund(pay, 100)
    const shown = { expectedSettlementAt, settlementTimelineSeconds: expected[paymentRail] }
    const created = await pushTo(pay, "000", { amount: 100, paymentRail })
    expect(created).toMatchObject(shown)
    await pay.settle()
    expect(await read(pay, created.id)).toMatchObject({ status: "COMPLETED", ...shown })
  })
})

describe("an incoming transaction", () => {
  it("has no expected settlement time", async () => {
    await using pay = await agentWorld()
    const created = await pullFrom(pay, "000", 100)
    expect(created).not.toHaveProperty("expectedSettlementAt")
  })
})
