/**
 * How a wallet client fills a wallet from outside: money that the payer sends, money that is pulled, and realtime funding.
 * Source: wire contract areas 3.1 to 3.4; D-401.
 */

import { describe, expect, it } from "vitest"
import { at } from "../e2e/Client.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { type Foreign, foreignClient, intoWallet, newBankAccount, newCustomer, textAt } from "./ForeignClient.ts"

const account = (accountId: string, customerId: string) => ({ sourceType: "ACCOUNT", accountId, customerId })

const balanceOf = async ({ get }: Foreign, customerId: string) =>
  at(
    (await get(`/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`)).body,
    "data",
    0,
    "balance",
    "amount",
  )

/** The sums of the ledger by role and currency, without accounts that have not moved. */
const booksOf = async ({ pay }: Foreign) => {
  const roles = new Map<string, number>()
  for (const { balance, currency, id } of await pay.books()) {
    const role = `${id.slice(0, id.indexOf(":"))} ${currency}`
    roles.set(role, (roles.get(role) ?? 0) + balance)
  }
  return Object.fromEntries([...roles].filter(([, balance]) => balance !== 0))
}

const payerSends = {
  status: 400,
  body: { code: "INVALID_INPUT", message: expect.stringContaining("wire"), details: { reason: "PAYER_SENDS" } },
}

describe("a quote from a bank account without a declaration", () => {
  it.each(serviceNames)(
    "waits for the payer, is not executed by a call, and completes when the payer sends the money, at the service %s",
    async (serviceName) => {
      await using client = await foreignClient({ serviceName })
      const { get, post } = client
      const { customerId, walletId } = await newCustomer(client)
      const bank = await newBankAccount(client, customerId, "002")
      const quote = await post("/quotes", intoWallet(account(bank, customerId), walletId))
      expect(quote).toMatchObject({
        status: 201,
        body: {
          status: "PENDING",
          totalSendingAmount: 2500,
          totalReceivingAmount: 25_000_000,
          feesIncluded: 0,
          paymentInstructions: [
            {
              accountOrWalletInfo: {
                accountType: "USD_ACCOUNT",
                accountNumber: expect.stringMatching(/^\d+$/u),
                routingNumber: expect.stringMatching(/^\d{9}$/u),
                paymentRails: expect.arrayContaining(["WIRE"]),
                reference: expect.stringMatching(/^Q[0-9A-F]{12}$/u),
              },
            },
          ],
        },
      })
      const [quoteId, transactionId] = [textAt(quote, "id"), textAt(quote, "transactionId")]
      const reference = textAt(quote, "paymentInstructions", 0, "accountOrWalletInfo", "reference")
      expect(await post(`/quotes/${quoteId}/execute`, {})).toMatchObject(payerSends)
      expect(await get(`/quotes/${quoteId}`)).toMatchObject({ status: 200, body: { status: "PENDING" } })

      const sent = await post("/sandbox/send", { quoteId, currencyCode: "USD", currencyAmount: 2500 })
      expect(sent).toMatchObject({ status: 200, body: { id: transactionId, type: "OUTGOING", status: "PROCESSING" } })
      await client.pay.clock.advance(1000)
      expect(await get(`/transactions/${transactionId}`)).toMatchObject({
        status: 200,
        body: {
          status: "COMPLETED",
          type: "OUTGOING",
          direction: "CREDIT",
          customerId,
          source: { sourceType: "ACCOUNT", accountId: bank },
          destination: { destinationType: "ACCOUNT", accountId: walletId },
          sentAmount: { amount: 2500, currency: { code: "USD" } },
          receivedAmount: { amount: 25_000_000, currency: { code: "USDB" } },
          reconciliationInstructions: { reference },
        },
      })
      expect(await client.events(transactionId)).toEqual([
        "OUTGOING_PAYMENT.PENDING",
        "OUTGOING_PAYMENT.PROCESSING",
        "OUTGOING_PAYMENT.COMPLETED",
      ])
      expect(await client.events(walletId)).toEqual(["INTERNAL_ACCOUNT.BALANCE_UPDATED"])
      expect(await balanceOf(client, customerId)).toBe(25_000_000)
      expect(await booksOf(client)).toEqual({
        "outside USD": -2500,
        "exchange USD": 2500,
        "exchange USDB": -25_000_000,
        "available USDB": 25_000_000,
      })
    },
  )

  it.each(serviceNames)("takes the quote's amount if the payer names none, at the service %s", async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const { customerId, walletId } = await newCustomer(client)
    const bank = await newBankAccount(client, customerId, "000", { ownershipType: "THIRD_PARTY" })
    const quote = await client.post("/quotes", intoWallet(account(bank, customerId), walletId))
    const sent = await client.post("/sandbox/send", { quoteId: textAt(quote, "id"), currencyCode: "USD" })
    expect(sent).toMatchObject({ status: 200, body: { sentAmount: { amount: 2500 } } })
    await client.pay.settle()
    expect(await balanceOf(client, customerId)).toBe(25_000_000)
  })

  it.each(serviceNames)(
    "is refused another currency, gives back another amount, and expires without money, at the service %s",
    async (serviceName) => {
      await using client = await foreignClient({ serviceName })
      const { get, post } = client
      const { customerId, walletId } = await newCustomer(client)
      const bank = await newBankAccount(client, customerId, "000")
      const newQuote = () => post("/quotes", intoWallet(account(bank, customerId), walletId))
      const [other, expiring] = [await newQuote(), await newQuote()]
      const euros = { quoteId: textAt(other, "id"), currencyCode: "EUR", currencyAmount: 2500 }
      expect(await post("/sandbox/send", euros)).toMatchObject({ status: 400, body: { code: "INVALID_CURRENCY" } })
      const short = { quoteId: textAt(other, "id"), currencyCode: "USD", currencyAmount: 2499 }
      expect(await post("/sandbox/send", short)).toMatchObject({ status: 200, body: { status: "FAILED" } })
      const failed = await get(`/transactions/${textAt(other, "transactionId")}`)
      expect(failed.body).toMatchObject({
        failureReason: "FUNDING_AMOUNT_MISMATCH",
        refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED" },
      })
      await client.pay.clock.advance("6 minutes")
      expect(await get(`/quotes/${textAt(expiring, "id")}`)).toMatchObject({ body: { status: "EXPIRED" } })
      expect(await get(`/transactions/${textAt(expiring, "transactionId")}`)).toMatchObject({
        body: { status: "EXPIRED" },
      })
      expect(await booksOf(client)).toEqual({})
    },
  )

  it.each(serviceNames)("cannot be executed in the call that creates it, at the service %s", async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const { customerId, walletId } = await newCustomer(client)
    const bank = await newBankAccount(client, customerId, "000")
    const body = intoWallet(account(bank, customerId), walletId, { immediatelyExecute: true })
    expect(await client.post("/quotes", body)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "immediatelyExecute" }] } },
    })
  })
})

describe("a quote from a declared bank account", () => {
  it.each(serviceNames)(
    "is pulled at execution, and is not paid by a payer, at the service %s",
    async (serviceName) => {
      await using client = await foreignClient({ serviceName })
      const { get, post } = client
      const { customerId, walletId } = await newCustomer(client)
      const bank = await newBankAccount(client, customerId, "000", { ownershipType: "FIRST_PARTY" })
      const quote = await post("/quotes", intoWallet(account(bank, customerId), walletId))
      expect(quote).toMatchObject({ status: 201, body: { status: "PENDING", totalReceivingAmount: 25_000_000 } })
      expect(at(quote.body, "paymentInstructions")).toBeUndefined()
      const quoteId = textAt(quote, "id")
      expect(await post("/sandbox/send", { quoteId, currencyCode: "USD", currencyAmount: 2500 })).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { reason: "NOT_SENT_BY_PAYER" } },
      })
      expect(await post(`/quotes/${quoteId}/execute`, {})).toMatchObject({
        status: 200,
        body: { status: "PROCESSING" },
      })
      await client.pay.settle()
      const transaction = await get(`/transactions/${textAt(quote, "transactionId")}`)
      expect(transaction).toMatchObject({ body: { status: "COMPLETED", direction: "CREDIT", customerId } })
      expect(await balanceOf(client, customerId)).toBe(25_000_000)
    },
  )

  it("is pulled for the platform, too, if the account is the platform's own", async () => {
    await using client = await foreignClient()
    const { customerId, walletId } = await newCustomer(client)
    const declared = { ownershipType: "FIRST_PARTY" }
    const customersBank = await newBankAccount(client, customerId, "000", declared)
    const { body } = await client.get(`/customers/external-accounts/${customersBank}`)
    const accountInfo = { ...Object(at(body, "accountInfo")), accountNumber: "7654321000" }
    const own = await client.post("/platform/external-accounts", { currency: "USD", accountInfo, ...declared })
    const source = { sourceType: "ACCOUNT", accountId: textAt(own, "id") }
    const quote = await client.post("/quotes", intoWallet(source, walletId))
    expect(at(quote.body, "paymentInstructions")).toBeUndefined()
    const executed = await client.post(`/quotes/${textAt(quote, "id")}/execute`, {})
    expect(executed).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
    await client.pay.settle()
    expect(await balanceOf(client, customerId)).toBe(25_000_000)
  })

  it.each([
    ["002", 0],
    ["003", 0],
    ["004", 0],
    ["005", 30_000],
  ])("fails without a refund when the pull from suffix %s fails after %i ms", async (suffix, delayMillis) => {
    await using client = await foreignClient()
    const { get, post } = client
    const { customerId, walletId } = await newCustomer(client)
    const bank = await newBankAccount(client, customerId, suffix, { ownershipType: "FIRST_PARTY" })
    const body = intoWallet(account(bank, customerId), walletId, { immediatelyExecute: true })
    const quote = await post("/quotes", body)
    expect(quote).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    await client.pay.settle()
    const path = `/transactions/${textAt(quote, "transactionId")}`
    expect(await get(path)).toMatchObject({ body: { status: delayMillis === 0 ? "FAILED" : "PROCESSING" } })
    await client.pay.clock.advance(delayMillis)
    const failed = await get(path)
    expect(failed).toMatchObject({ body: { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" } })
    expect(at(failed.body, "refund")).toBeUndefined()
    expect(await booksOf(client)).toEqual({})
  })
})

describe("the deployment's criterion", () => {
  it.each([
    ["BANK_RAILS", undefined, 200],
    ["DECLARED", undefined, 400],
    ["DECLARED", "FIRST_PARTY", 200],
    ["NEVER", "FIRST_PARTY", 400],
  ] as const)(
    "%s executes a quote from an account declared as %s with %i",
    async (quotePull, ownershipType, status) => {
      await using client = await foreignClient({ quotePull })
      const { customerId, walletId } = await newCustomer(client)
      const bank = await newBankAccount(client, customerId, "000", ownershipType === undefined ? {} : { ownershipType })
      const quote = await client.post("/quotes", intoWallet(account(bank, customerId), walletId))
      expect(await client.post(`/quotes/${textAt(quote, "id")}/execute`, {})).toMatchObject({ status })
    },
  )
})

describe("a quote from an external wallet", () => {
  it.each(serviceNames)("is paid to an address of the wallet's own network, at the service %s", async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const { customerId, walletId } = await newCustomer(client)
    const wallet = await client.post("/customers/external-accounts", {
      customerId,
      currency: "USDC",
      ownershipType: "FIRST_PARTY",
      accountInfo: { accountType: "BASE_WALLET", address: `0x${"a1".repeat(20)}` },
    })
    const source = account(textAt(wallet, "id"), customerId)
    const quote = await client.post("/quotes", intoWallet(source, walletId, { lockedCurrencyAmount: 2_500_000 }))
    expect(at(quote.body, "paymentInstructions")).toMatchObject([
      { accountOrWalletInfo: { accountType: "BASE_WALLET" } },
    ])
    expect(await client.post(`/quotes/${textAt(quote, "id")}/execute`, {})).toMatchObject(payerSends)
    const sent = await client.post("/sandbox/send", { quoteId: textAt(quote, "id"), currencyCode: "USDC" })
    expect(sent).toMatchObject({ status: 200, body: { direction: "CREDIT" } })
  })
})

describe("a quote with realtime funding", () => {
  it.each(serviceNames)(
    "shows where to pay, is not executed by a call, and completes when the payer sends the money, at the service %s",
    async (serviceName) => {
      await using client = await foreignClient({ serviceName })
      const { get, post } = client
      const { customerId, walletId } = await newCustomer(client)
      const source = { sourceType: "REALTIME_FUNDING", customerId, currency: "USD" }
      const quote = await post("/quotes", intoWallet(source, walletId))
      expect(quote).toMatchObject({
        status: 201,
        body: { status: "PENDING", paymentInstructions: [{ accountOrWalletInfo: { accountType: "USD_ACCOUNT" } }] },
      })
      const quoteId = textAt(quote, "id")
      expect(await post(`/quotes/${quoteId}/execute`)).toMatchObject(payerSends)
      expect(await post("/sandbox/send", { quoteId, currencyCode: "USD", currencyAmount: 2500 })).toMatchObject({
        status: 200,
        body: { status: "PROCESSING", direction: "CREDIT", customerId },
      })
      await client.pay.settle()
      const transactionId = textAt(quote, "transactionId")
      expect(await get(`/transactions/${transactionId}`)).toMatchObject({ body: { status: "COMPLETED" } })
      expect(await client.events(transactionId)).toEqual([
        "OUTGOING_PAYMENT.PENDING",
        "OUTGOING_PAYMENT.PROCESSING",
        "OUTGOING_PAYMENT.COMPLETED",
      ])
      expect(await balanceOf(client, customerId)).toBe(25_000_000)
    },
  )

  it.each(serviceNames)(
    "is refused with immediate execution, and for a stablecoin without a network, at the service %s",
    async (serviceName) => {
      await using client = await foreignClient({ serviceName })
      const { customerId, walletId } = await newCustomer(client)
      const source = { sourceType: "REALTIME_FUNDING", customerId, currency: "USD" }
      expect(await client.post("/quotes", intoWallet(source, walletId, { immediatelyExecute: true }))).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { errors: [{ field: "immediatelyExecute" }] } },
      })
      expect(await client.post("/quotes", intoWallet({ ...source, currency: "USDC" }, walletId))).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { errors: [{ field: "source.cryptoNetwork" }] } },
      })
    },
  )
})
