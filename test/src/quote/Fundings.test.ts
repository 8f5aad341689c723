/** Quotes that a payer funds: payment instructions, payments and refunds. Wire contract 2.5, 5.5, 5.7, 7.1 and 7.2; D-127, D-130. */
import {
  type InstructionRow,
  type InstructionType,
  isPaymentInstructions,
  PaymentInstructionTypes,
} from "@countersign/core/models"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { withQuotingAgent } from "../agent/AgentQuoteSteps.ts"
import { atFailPoints } from "../agent/AtFailPoints.ts"

const funded = (source: object, destination: string, amount = 10_000) => ({
  source: { sourceType: "REALTIME_FUNDING", ...source },
  destination: { destinationType: "ACCOUNT", accountId: destination },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: amount,
})

const send = (pay: QuoteHarness, quote: unknown, body: object) =>
  pay.send("POST", "/sandbox/send", { body: { quoteId: at({ body: quote }, "id"), ...body } })

describe("a quote that a payer funds", () => {
  // Proves: RES-PAYIN-01, RES-PAYIN-09
  // Proves: SBX-SEND-01, SBX-RUN-03
  it("shows payment instructions, refuses an execution, and completes when the money arrives", async () => {
    await using pay = await quoteHarness()
    const { customerId } = pay
    const created = await pay.quote(funded({ currency: "USD", customerId }, await pay.external("MXN")))
    expect(created).toMatchObject({
      status: 201,
      body: {
        status: "PENDING",
        source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
        paymentInstructions: [
          {
            isPlatformAccount: true,
            accountOrWalletInfo: {
              accountType: "USD_ACCOUNT",
              accountNumber: expect.stringMatching(/^[0-9]{4,17}$/u),
              routingNumber: expect.stringMatching(/^[0-9]{9}$/u),
              bankName: expect.stringMatching(/./u),
              paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
              reference: expect.stringMatching(/^Q[0-9A-F]{12}$/u),
            },
          },
        ],
      },
    })
    const id = String(at(created, "id"))
    const reference = at(created, "paymentInstructions", 0, "accountOrWalletInfo", "reference")
    expect(await pay.transaction(created)).toMatchObject({
      body: {
        status: "PENDING",
        source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
        sentAmount: { amount: 10_000, currency: { code: "USD" } },
        receivedAmount: { amount: 174_125, currency: { code: "MXN" } },
        reconciliationInstructions: { reference },
        fees: 50,
        quoteId: id,
      },
    })
    expect(await pay.execute(id)).toMatchObject({ status: 400, body: { details: { reason: "PAYER_SENDS" } } })
    expect(await send(pay, created.body, { currencyCode: "USD" })).toMatchObject({
      status: 200,
      body: { id: at(created, "transactionId"), status: "PROCESSING" },
    })
    expect(await pay.getQuote(id)).toMatchObject({ body: { status: "PROCESSING" } })
    await pay.settle()
    expect(await pay.getQuote(id)).toMatchObject({ body: { status: "COMPLETED" } })
    expect(pay.eventNames(at(created, "transactionId"))).toEqual(["PENDING", "PROCESSING", "COMPLETED"])
    await pay.checkBooks()
    expect(await send(pay, created.body, { currencyCode: "USD" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "QUOTE_ALREADY_EXECUTED" } },
    })
  })

  it("belongs to the customer of the agent that asks, where the request names none", async () => {
    const pay = await withQuotingAgent(await quoteHarness())
    await using _ = pay
    const quote = await pay.ask(funded({ currency: "USD" }, await pay.external("MXN")))
    expect(quote.status).toBe(201)
    expect(await pay.transaction(quote)).toMatchObject({ body: { customerId: pay.customerId } })
  })

  it("follows the destination's magic suffix and returns a failed payment to the sender", async () => {
    await using pay = await quoteHarness()
    const { customerId } = pay
    const created = await pay.quote(funded({ currency: "USD", customerId }, await pay.external("MXN", "002")))
    await send(pay, created.body, { currencyCode: "USD" })
    await pay.clock.advance("1 second")
    expect(await pay.transaction(created)).toMatchObject({
      body: { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED", refund: { status: "COMPLETED" } },
    })
    const outside = (await pay.books()).find(({ id }) => id === `outside:${customerId}:USD`)
    expect(outside?.balance).toBe(0)
    expect(await pay.balances("USD")).toEqual([0, 0])
    await pay.checkBooks()
  })

  it("refunds a crypto asset to the customer's account of it", async () => {
    await using pay = await quoteHarness()
    const { customerId } = pay
    const source = { currency: "USDC", customerId, cryptoNetwork: "BASE" }
    const created = await pay.quote(funded(source, await pay.external("MXN", "002"), 10_000_000))
    expect(created).toMatchObject({
      body: { paymentInstructions: [{ accountOrWalletInfo: { accountType: "BASE_WALLET", assetType: "USDC" } }] },
    })
    await send(pay, created.body, { currencyCode: "USDC" })
    await pay.clock.advance("1 second")
    expect(await pay.transaction(created)).toMatchObject({ body: { refund: { status: "COMPLETED" } } })
    expect(await pay.balances("USDC")).toEqual([10_000_000, 10_000_000])
    expect(pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").map(({ data }) => data["balance"])).toMatchObject([
      { amount: 10_000_000 },
    ])
    await pay.checkBooks()
  })

  it("fails at once if the amount differs, and returns that amount", async () => {
    await using pay = await quoteHarness()
    const { customerId } = pay
    const created = await pay.quote(funded({ currency: "BTC", customerId }, await pay.external("MXN"), 1000))
    expect(await send(pay, created.body, { currencyCode: "BTC", currencyAmount: 999 })).toMatchObject({
      status: 200,
      body: { status: "FAILED", failureReason: "FUNDING_AMOUNT_MISMATCH", refund: { status: "COMPLETED" } },
    })
    await pay.settle()
    expect(await pay.getQuote(String(at(created, "id")))).toMatchObject({ body: { status: "FAILED" } })
    expect(await pay.balances("BTC")).toEqual([999, 999])
    expect(pay.eventNames(at(created, "transactionId")).join(" ")).toBe(
      "PENDING PROCESSING FAILED REFUND_PENDING REFUND_COMPLETED",
    )
    await pay.checkBooks()
  })

  it("credits an internal account", async () => {
    await using pay = await quoteHarness()
    const { customerId } = pay
    const created = await pay.quote(funded({ currency: "USD", customerId }, await pay.accountId("EUR")))
    await send(pay, created.body, { currencyCode: "USD" })
    await pay.settle()
    expect(await pay.transaction(created)).toMatchObject({ body: { status: "COMPLETED" } })
    expect(await pay.balances("EUR")).toEqual([9154, 9154])
    await pay.checkBooks()
  })

  // Proves: SBX-SEND-02
  it("refuses another currency, late and repeated payments, and quotes that no payer funds", async () => {
    await using pay = await quoteHarness({ interleave: 3 })
    const { customerId } = pay
    const external = await pay.external("MXN")
    const created = await pay.quote(funded({ currency: "USD", customerId }, external))
    expect(await send(pay, created.body, { currencyCode: "EUR" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_CURRENCY" },
    })
    const twice = await Promise.all([1, 2].map(() => send(pay, created.body, { currencyCode: "USD" })))
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const late = await pay.quote(funded({ currency: "USD", customerId }, external))
    await pay.clock.advance("5 minutes")
    expect(await send(pay, late.body, { currencyCode: "USD" })).toMatchObject({
      status: 400,
      body: { details: { reason: "QUOTE_EXPIRED" } },
    })
    await pay.fund("USD", 10_000)
    const prefunded = await pay.quote(between(await pay.accountId("USD"), external, 5000))
    expect(await send(pay, prefunded.body, { currencyCode: "USD" })).toMatchObject({
      status: 400,
      body: { details: { reason: "NOT_SENT_BY_PAYER" } },
    })
    const nobody = { id: "Quote:00000000-0000-4000-8000-000000000009" }
    expect(await send(pay, nobody, { currencyCode: "USD" })).toMatchObject({
      status: 404,
      body: { code: "QUOTE_NOT_FOUND" },
    })
  })

  it("can have an external account as source that cannot be pulled", async () => {
    await using pay = await quoteHarness()
    const created = await pay.quote(between(await pay.external("USDC"), await pay.external("MXN"), 5_000_000))
    expect(created).toMatchObject({ status: 201, body: { paymentInstructions: expect.any(Array) } })
    await send(pay, created.body, { currencyCode: "USDC" })
    await pay.settle()
    expect(await pay.transaction(created)).toMatchObject({
      body: { status: "COMPLETED", source: { sourceType: "ACCOUNT" } },
    })
  })
})

/** Every variant with the payment that shows it. */
const variants: ReadonlyArray<readonly [accountType: InstructionType, source: object]> = [
  ...PaymentInstructionTypes.entries.flatMap(([accountType, row]) => {
    const [currency = ""] = accountType === "SWIFT_ACCOUNT" ? ["JPY"] : row.currencies
    const [cryptoNetwork] = row.networks
    return currency === ""
      ? []
      : [[accountType, { currency, ...(cryptoNetwork === undefined ? {} : { cryptoNetwork }) }] as const]
  }),
]

describe("payment instructions", () => {
  // Proves: RES-PAYIN-04, RES-PAYIN-06, RES-PAYIN-07
  it.each(variants)("of %s are returned for %o", async (accountType, source) => {
    await using pay = await quoteHarness({}, { region: "SV" })
    const { customerId } = pay
    const created = await pay.quote(funded({ ...source, customerId }, await pay.accountId("INR"), 1_000_000))
    expect(created.status).toBe(201)
    const ways = at(created, "paymentInstructions") as ReadonlyArray<{
      readonly accountOrWalletInfo: Readonly<Record<string, unknown>>
    }>
    const way = ways.find(({ accountOrWalletInfo }) => accountOrWalletInfo["accountType"] === accountType)
    expect(isPaymentInstructions(way)).toBe(true)
    const { fields, rails }: InstructionRow = PaymentInstructionTypes.get(accountType)
    const names = ["accountType", ...Object.keys(fields), ...(rails.length === 0 ? [] : ["paymentRails"])]
    expect(names).toEqual(expect.arrayContaining(Object.keys(way?.accountOrWalletInfo ?? {})))
    if (rails.length > 0)
      expect(rails).toEqual(expect.arrayContaining([way?.accountOrWalletInfo["paymentRails"]].flat()))
  })

  it("exist for every account type except those that cannot be paid to", () => {
    const reached = variants.map(([accountType]) => accountType)
    expect(PaymentInstructionTypes.keys.filter((key) => !reached.includes(key))).toEqual(["EMBEDDED_WALLET"])
  })
})

describe("a payment that arrives while its quote expires", () => {
  it("is refused if the quote has expired when it commits, and moves no money", async () => {
    const { allRan, during, failPoints } = atFailPoints()
    await using pay = await quoteHarness({ failPoints })
    const { customerId } = pay
    const quote = await pay.quote(funded({ currency: "USD", customerId }, await pay.external("MXN")))
    await pay.clock.advance("299 seconds")
    // The time alone passes: the job that ends the quote has not run yet.
    during(["operation.decided", () => pay.run(TestClock.adjust("1 second"))])
    expect(await send(pay, quote.body, { currencyCode: "USD" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT" },
    })
    expect(allRan()).toBe(true)
    await pay.settle()
    expect(await pay.getQuote(String(at(quote, "id")))).toMatchObject({ body: { status: "EXPIRED" } })
    expect(await pay.transaction(quote)).toMatchObject({ body: { status: "EXPIRED" } })
    await pay.checkBooks()
  })
})
