/** A quote's payment instructions for the payer and its remittance information for the recipient. Spec: Quote (remittanceInformation), PaymentInstructions. */

import { PaymentInstructionTypes } from "@countersign/core/models"
import { FundingInstructions, type PushRequest, type RailOutcome } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { at, between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"

const fiat =
  "USD BRL MXN DKK EUR INR NGN CAD GBP HKD IDR MYR PHP SGD THB VND AED KES MWK RWF TZS UGX XOF ZAR ZMW BWP XAF BDT ARS COP EGP GHS GTQ HTG JMD PKR SLV CNY"
const others =
  "SPARK_WALLET LIGHTNING SOLANA_WALLET TRON_WALLET POLYGON_WALLET BASE_WALLET ETHEREUM_WALLET EMBEDDED_WALLET"

// Proves: RES-PAYIN-04, RES-PAYIN-05, RES-PAYIN-06
it.each([...fiat.split(" ").map((code) => `${code}_ACCOUNT`), "SWIFT_ACCOUNT", ...others.split(" ")])(
  "instructions may name a %s",
  (accountType) => {
    expect(PaymentInstructionTypes.has(accountType)).toBe(true)
  },
)

// Proves: RES-PAYIN-02, RES-PAYIN-03, RES-PAYIN-08
it("contain a readable note, the account holder, and an invoice beside an address", async () => {
  const instruction = {
    instructionsNotes: "Name the reference.",
    isPlatformAccount: true,
    accountOrWalletInfo: {
      accountType: "SPARK_WALLET" as const,
      assetType: "BTC",
      address: `spark1${"q".repeat(81)}`,
      invoice: `lnbc1${"q".repeat(60)}`,
    },
  }
  const funding = Layer.succeed(FundingInstructions, {
    forPayment: () => Effect.succeed([instruction]),
    forAccount: () => Effect.succeed([]),
    collectionAccount: () => Effect.succeed({ _tag: "None" }),
  })
  await using pay = await quoteHarness({ ports: Layer.merge(Sandbox.layer, funding) })
  const quote = await pay.quote({
    source: { sourceType: "REALTIME_FUNDING", currency: "BTC", customerId: pay.customerId },
    destination: { destinationType: "ACCOUNT", accountId: await pay.external("MXN") },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 100_000,
  })
  expect(quote).toMatchObject({ status: 201, body: { paymentInstructions: [instruction] } })
})

// Proves: RES-QUOTE-19, RES-QUOTE-20, LIM-03
it.each([
  ["ACH", "addenda"],
  ["FEDNOW", "remittanceInformation"],
  ["RTP", "remittanceInformation"],
  ["WIRE", "originatorToBeneficiaryInformation"],
])("sends a text of 80 characters over %s as %s and refuses one of 81", async (paymentRail, field) => {
  const requests: Array<PushRequest> = []
  const push = (request: PushRequest) =>
    Effect.sync((): RailOutcome => {
      requests.push(request)
      return { _tag: "Done" }
    })
  await using pay = await quoteHarness({ ports: Layer.merge(Sandbox.layer, SuccessfulRails.layer({ push })) })
  await pay.fund("USD", 1000)
  const quoteWithText = async (length: number) => {
    const body = between(await pay.accountId("USD"), await pay.external("USD"), 1000)
    const destination = { ...body.destination, paymentRail }
    return pay.quote({ ...body, destination, remittanceInformation: "x".repeat(length) })
  }
  expect(await quoteWithText(81)).toMatchObject({
    status: 400,
    body: { code: "INVALID_INPUT", details: { errors: [{ field: "remittanceInformation" }] } },
  })
  const quote = await quoteWithText(80)
  const text = "x".repeat(80)
  expect(quote).toMatchObject({ status: 201, body: { remittanceInformation: text } })
  await pay.execute(String(at(quote, "id")))
  await pay.settle()
  expect(requests).toMatchObject([{ rail: paymentRail, remittance: { field, text } }])
})
