/** The data of a new quote and of its transaction: what is stored of the request, the price and the accounts. Wire contract 5.2 and 5.3. */
import type { QuoteRequest } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { newQuote } from "../../../packages/core/src/decision/quote/NewQuote.ts"
import type { QuoteCreationLoaded } from "../../../packages/core/src/decision/quote/QuoteCreationLoaded.ts"
import { creation, customerOf, externalOf, internalOf } from "./CreationFacts.ts"
import { platform, request, uma } from "./QuoteFacts.ts"

const rate = { from: "USD", to: "GBP", numerator: 5n, denominator: 4n } as const
const fees = { serviceFixed: 1, serviceVariable: 2, platformFixed: 4, platformVariable: 8 }
const priced = { sending: 100, receiving: 70, fees, rate }

const made = (
  records: Partial<QuoteCreationLoaded> = {},
  asked: Partial<QuoteRequest> = {},
  by: Parameters<typeof newQuote>[4] = {},
) =>
  newQuote({ ...creation, ...records }, { ...request, ...asked }, priced, { id: "Quote:1", now: 7, expiresAt: 9 }, by)

const fromPayer: Partial<QuoteRequest> = { source: { sourceType: "REALTIME_FUNDING", currency: "USD" } }
const toAddress: Partial<QuoteRequest> = {
  destination: { destinationType: "UMA_ADDRESS", umaAddress: "$ada@x.example" },
}
const instructions: QuoteCreationLoaded["instructions"] = [
  { accountOrWalletInfo: { accountType: "INR_ACCOUNT", paymentRails: ["UPI"] } },
]

describe("a quote between two accounts", () => {
  it("stores its terms, and nothing that the request has not named", () => {
    const { account, details, quote } = made()
    expect(account?.id).toBe("InternalAccount:a")
    expect(quote).toEqual({
      expiresAt: 9,
      source: request.source,
      destination: request.destination,
      sendingCurrency: "USD",
      receivingCurrency: "GBP",
      totalSendingAmount: 100,
      totalReceivingAmount: 70,
      feesIncluded: 15,
      platformFeesIncluded: 12,
      rate: { numerator: "5", denominator: "4" },
      funding: "ACCOUNT",
      accountId: "InternalAccount:a",
    })
    expect(details).toEqual({
      direction: "DEBIT",
      platformCustomerId: "own Customer:1",
      amount: 100,
      currency: "USD",
      sourceAccountId: "InternalAccount:a",
      destinationAccountId: "ExternalAccount:b",
      externalAccount: { accountInfo: externalOf().data.accountInfo, rail: "FASTER_PAYMENTS" },
      railSelectionMode: "AUTO",
      exchange: {
        received: { amount: 70, currency: "GBP" },
        rate: { numerator: "5", denominator: "4" },
        fees: { service: 3, platform: 12 },
        funding: "ACCOUNT",
        isInternal: false,
      },
    })
  })

  it("stores the texts of the request, and the agent with its action", () => {
    const texts = { remittanceInformation: "May", purposeOfPayment: "SALARY_PAYMENT", description: "Rent" } as const
    const { details, quote } = made({}, texts, { agentId: "Agent:1", actionId: "AgentAction:1" })
    expect(details).toMatchObject({ ...texts, agentId: "Agent:1", actionId: "AgentAction:1" })
    expect(quote).toMatchObject({ remittanceInformation: "May", agentId: "Agent:1" })
  })

  it("stores the rail that the request names, or the first one of the account", () => {
    const dollars = externalOf("Customer:1", { currency: "USD", accountInfo: { accountType: "USD_ACCOUNT" } })
    const by = (paymentRail: "SPEI" | "WIRE"): Partial<QuoteRequest> => ({
      destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:b", paymentRail },
    })
    expect(made({ destinationAccount: dollars }, by("WIRE")).details).toMatchObject({
      externalAccount: { rail: "WIRE" },
      railSelectionMode: "MANUAL",
    })
    expect(made({}, by("SPEI")).details.externalAccount?.rail).toBe("FASTER_PAYMENTS")
  })

  it("of two internal accounts has no external account", () => {
    const { details } = made({ destinationAccount: internalOf("Customer:1", { currency: "GBP" }, "InternalAccount:b") })
    expect(details).not.toHaveProperty("externalAccount")
    expect(details).toMatchObject({ destinationAccountId: "InternalAccount:b", exchange: { isInternal: true } })
  })

  it("shows what the exchange through bitcoin would be, where that rate is known", () => {
    const { details, quote } = made({ toBitcoin: { from: "USD", to: "BTC", numerator: 50_000n, denominator: 1n } })
    expect(quote.rateDetails).toMatchObject({ serviceApiFixedFee: 5, serviceApiVariableFeeAmount: 10 })
    expect(details.exchange.rateDetails).toEqual(quote.rateDetails)
  })

  it("shows the fee rate that the request names in place of the platform's", () => {
    const toBitcoin = { from: "USD", to: "BTC", numerator: 50_000n, denominator: 1n } as const
    const platformFixedFee = { amount: 4, currency: "USD" } as const
    const rateWith = (platformVariableFeeBps: number) =>
      made({ toBitcoin }, { platformFeeOverride: { platformFixedFee, platformVariableFeeBps } }).quote.rateDetails
        ?.serviceApiVariableFeeRate ?? 0
    expect(rateWith(125) - rateWith(0)).toBeCloseTo(0.0125, 10)
  })
})

describe("a quote whose money comes from outside", () => {
  it("has the instructions and the reference of its payer", () => {
    const { account, details, quote } = made({ sourceAccount: undefined, instructions }, fromPayer)
    expect(account).toBeUndefined()
    expect(quote).toMatchObject({ funding: "PUSH", paymentInstructions: instructions })
    expect(quote).not.toHaveProperty("accountId")
    expect(details).toMatchObject({
      fundingSource: { currency: "USD" },
      reference: "Q-1",
      paymentInstructions: instructions,
    })
    expect(details).not.toHaveProperty("sourceAccountId")
    expect(details).toHaveProperty("fundingSource", { currency: "USD" })
    expect(details.exchange).not.toHaveProperty("refundAccountId")
  })

  it("names the payer's customer and network, and the account that takes a refund", () => {
    const source = {
      sourceType: "REALTIME_FUNDING",
      currency: "USDC",
      customerId: "Customer:1",
      cryptoNetwork: "BASE",
    } as const
    const refundAccount = internalOf("Customer:1", { currency: "USDC" }, "InternalAccount:r")
    const { account, details, quote } = made({ sourceAccount: undefined, refundAccount }, { source })
    expect(account?.id).toBe("InternalAccount:r")
    expect(quote.accountId).toBe("InternalAccount:r")
    expect(details).toHaveProperty("fundingSource", {
      currency: "USDC",
      customerId: "Customer:1",
      cryptoNetwork: "BASE",
    })
    expect(details.exchange).toMatchObject({ network: "BASE", refundAccountId: "InternalAccount:r" })
  })

  it("pulls from the account that allows it, without instructions", () => {
    const sourceAccount = externalOf("Customer:1", {}, "ExternalAccount:a")
    const { details, quote } = made({ sourceAccount, isPullable: true, instructions })
    expect(quote.funding).toBe("PULL")
    expect(quote).not.toHaveProperty("paymentInstructions")
    expect(details).not.toHaveProperty("paymentInstructions")
    expect(details).not.toHaveProperty("reference")
    expect(details.exchange.pull).toEqual({ accountInfo: sourceAccount.data.accountInfo })
    expect(made({ sourceAccount, instructions }).details.exchange).not.toHaveProperty("pull")
  })
})

describe("a quote out of an embedded wallet", () => {
  it("has the payload that its owner signs, and no other instructions", () => {
    const sourceAccount = internalOf("Customer:1", { type: "EMBEDDED_WALLET" })
    const { details, quote } = made({ sourceAccount, instructions })
    expect(quote).toMatchObject({
      funding: "ACCOUNT",
      paymentInstructions: [
        { accountOrWalletInfo: { accountType: "EMBEDDED_WALLET", payloadToSign: expect.any(String) } },
      ],
    })
    expect(details).not.toHaveProperty("paymentInstructions")
  })
})

describe("a quote to an UMA address", () => {
  const receiver = { ...uma, requiredPayerData: [{ name: "FULL_NAME", mandatory: true }] as const }

  it("stores the address, and the payer's information that its receiver requires", () => {
    const { details, quote } = made(
      { destinationAccount: undefined, receiver },
      { ...toAddress, senderCustomerInfo: { FULL_NAME: "Ada", NATIONALITY: "GB" } },
    )
    expect(quote).not.toHaveProperty("receiverAccountId")
    expect(details).toMatchObject({
      destinationAccountId: "$ada@x.example",
      receiverUmaAddress: "$ada@x.example",
      externalAccount: { accountInfo: { accountType: "UMA_ADDRESS", umaAddress: "$ada@x.example" } },
      payerInformation: { FULL_NAME: "Ada" },
      railSelectionMode: "AUTO",
    })
    expect(details.externalAccount).not.toHaveProperty("rail")
  })

  it("of the platform's own customer stores the account that receives", () => {
    const destinationAccount = internalOf("Customer:2", { currency: "GBP" }, "InternalAccount:b")
    const { details, quote } = made({ destinationAccount, receiver: uma }, toAddress)
    expect(quote.receiverAccountId).toBe("InternalAccount:b")
    expect(details).toMatchObject({ destinationAccountId: "InternalAccount:b", receiverUmaAddress: "$ada@x.example" })
    expect(details).not.toHaveProperty("externalAccount")
    expect(details).not.toHaveProperty("payerInformation")
  })

  it("whose customer takes deposits on an external account stores that account with its address", () => {
    const { details, quote } = made({ receiver: uma }, toAddress)
    expect(quote.receiverAccountId).toBe("ExternalAccount:b")
    expect(details.externalAccount).toMatchObject({ accountInfo: { accountType: "UMA_ADDRESS" } })
  })
})

describe("a quote that the platform pays", () => {
  const own = { customer: undefined, sourceAccount: internalOf(null) }

  it("belongs to the customer that it pays", () => {
    const { details } = made({ ...own, receivingCustomer: customerOf("Customer:2") })
    expect(details).toMatchObject({ platformCustomerId: "own Customer:2", exchange: { isPaidByPlatform: true } })
  })

  it("belongs to the platform where it pays no customer", () => {
    const { details } = made(own)
    expect(details.platformCustomerId).toBe("")
    expect(details.exchange).not.toHaveProperty("isPaidByPlatform")
  })
})

describe("the information about the receiving side", () => {
  const requiring = (currencyCode: "GBP" | "USD") => ({
    ...creation.platform,
    data: {
      ...platform,
      supportedCurrencies: [
        {
          currencyCode,
          minAmount: 1,
          maxAmount: 2,
          enabledTransactionTypes: [],
          requiredCounterpartyFields: [{ name: "FULL_NAME", mandatory: true }] as const,
        },
      ],
    },
  })

  it("is that of the account's beneficiary, as far as the platform requires it for the currency", () => {
    const counterpartyInformation = { FULL_NAME: "Engines Ltd" }
    const { details, quote } = made({ platform: requiring("GBP") })
    expect([details, quote]).toMatchObject([{ counterpartyInformation }, { counterpartyInformation }])
    expect(made({ platform: requiring("USD") }).quote).not.toHaveProperty("counterpartyInformation")
  })

  it("is what the receiver behind an address states", () => {
    const receiver = { ...uma, information: { FULL_NAME: "Ada Lovelace", EMAIL: "ada@x.example" } }
    const to = { destinationAccount: undefined, platform: requiring("GBP") }
    expect(made({ ...to, receiver }, toAddress).quote.counterpartyInformation).toEqual({ FULL_NAME: "Ada Lovelace" })
    expect(made(to, toAddress).quote).not.toHaveProperty("counterpartyInformation")
  })
})
