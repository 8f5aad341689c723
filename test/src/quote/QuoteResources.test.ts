/** What clients see of a stored quote, member by member. Wire contract 5.2 and 5.12. */
import type { Quote } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { toQuote } from "../../../packages/core/src/model/quote/QuoteResource.ts"
import { quote } from "./QuoteFacts.ts"

const shown = (more: Partial<Quote> = {}) =>
  toQuote({
    kind: "Quote",
    id: "Quote:1",
    platformId: "PlatformConfig:1",
    customerId: "Customer:1",
    version: 1,
    createdAt: 1000,
    updatedAt: 2000,
    data: { ...quote, expiresAt: 61_000, rate: { numerator: "5", denominator: "4" }, ...more },
  })

const paymentInstructions: Quote["paymentInstructions"] = [
  { accountOrWalletInfo: { accountType: "INR_ACCOUNT", paymentRails: ["UPI"] } },
]
const challenge: Quote["challenge"] = {
  id: "ScaChallenge:1",
  factor: "SMS_OTP",
  availableFactors: ["SMS_OTP"],
  expiresAt: 31_000,
  purpose: "PAYMENT",
  remaining: ["EXCHANGE"],
  resends: 2,
}

describe("a quote", () => {
  it("shows its price, and no member that it does not have", () => {
    expect(Object.entries(shown())).toEqual(
      Object.entries({
        id: "Quote:1",
        status: "PENDING",
        createdAt: "1970-01-01T00:00:01Z",
        expiresAt: "1970-01-01T00:01:01Z",
        source: quote.source,
        destination: quote.destination,
        sendingCurrency: expect.objectContaining({ code: "USD" }),
        receivingCurrency: expect.objectContaining({ code: "GBP" }),
        totalSendingAmount: 100,
        totalReceivingAmount: 100,
        exchangeRate: 1.25,
        feesIncluded: 0,
        platformFeesIncluded: 0,
        transactionId: "Transaction:a",
      }),
    )
  })

  it("shows what is stored of the request and of the receiving side", () => {
    const more = { remittanceInformation: "May", counterpartyInformation: { FULL_NAME: "Ada" }, paymentInstructions }
    expect(shown(more)).toMatchObject(more)
  })

  it.each<readonly [Quote["funding"], Quote["status"], boolean]>([
    ["PUSH", "PENDING", true],
    ["PUSH", "PENDING_AUTHORIZATION", false],
    ["ACCOUNT", "PENDING_AUTHORIZATION", true],
  ])("of funding %s in the state %s shows its instructions: %s", (funding, status, isShown) => {
    expect(Object.hasOwn(shown({ funding, status, paymentInstructions }), "paymentInstructions")).toBe(isShown)
  })

  it("shows its challenge without what only the service needs", () => {
    const { scaChallenge } = shown({ challenge })
    expect(Object.keys(scaChallenge ?? {})).toEqual(["id", "expiresAt", "factor", "availableFactors", "purpose"])
    expect(scaChallenge).toMatchObject({ id: "ScaChallenge:1", expiresAt: "1970-01-01T00:00:31Z", purpose: "PAYMENT" })
  })

  it("shows the options of a challenge by passkey", () => {
    const passkeyAssertionOptions = { challenge: "text" }
    const passkeyAllowedOrigins = ["https://pay.example.com"]
    expect(shown({ challenge: { ...challenge, passkeyAssertionOptions, passkeyAllowedOrigins } })).toMatchObject({
      scaChallenge: { passkeyAssertionOptions, passkeyAllowedOrigins },
    })
  })
})
