/**
 * How a platform fills a customer's wallet from its own account, and how the transaction is found; direction and owner of every movement.
 * Source: wire contract areas 3.6 and 3.7; D-402.
 */

import { AgentPermissions } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { at } from "../e2e/Client.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { type Foreign, foreignClient, intoWallet, newBankAccount, newCustomer, textAt } from "./ForeignClient.ts"

/** A funded dollar account of the platform. */
const platformAccount = async ({ get, post }: Foreign, amount = 2500) => {
  const accountId = textAt(await get("/platform/internal-accounts?currency=USD"), "data", 0, "id")
  expect(await post(`/sandbox/internal-accounts/${accountId}/fund`, { amount })).toMatchObject({ status: 200 })
  return accountId
}

const account = (accountId: string, more: object = {}) => ({ sourceType: "ACCOUNT", accountId, ...more })

const idsOf = async ({ get }: Foreign, query: string) => {
  const { body, status } = await get(`/transactions?${query}`)
  expect([query, status]).toEqual([query, 200])
  return (at(body, "data") as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
}

/** The ids of the platform's and the customers' ledger accounts whose balance is not 0. */
const movedAccounts = async ({ pay }: Foreign) =>
  (await pay.books()).filter(({ balance }) => balance !== 0).map(({ balance, id }) => [id, balance] as const)

it.each(serviceNames)(
  "fills a wallet from the platform's account; the transaction is in the customer's list, at the service %s",
  async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const { get, post } = client
    const { customerId, walletId } = await newCustomer(client)
    const source = await platformAccount(client)
    const quote = await post("/quotes", intoWallet(account(source), walletId))
    expect(quote).toMatchObject({ status: 201, body: { status: "PENDING", totalReceivingAmount: 25_000_000 } })
    expect(at(quote.body, "paymentInstructions")).toBeUndefined()
    expect(await post(`/quotes/${textAt(quote, "id")}/execute`, {})).toMatchObject({
      status: 200,
      body: { status: "PROCESSING" },
    })
    await client.pay.settle()
    const transactionId = textAt(quote, "transactionId")
    const listed = await get(`/transactions?customerId=${customerId}`)
    expect(listed).toMatchObject({
      status: 200,
      body: {
        data: [
          {
            id: transactionId,
            type: "OUTGOING",
            direction: "CREDIT",
            status: "COMPLETED",
            customerId,
            platformCustomerId: "Ada Lovelace",
            source: { sourceType: "ACCOUNT", accountId: source },
            destination: { destinationType: "ACCOUNT", accountId: walletId },
            receivedAmount: { amount: 25_000_000, currency: { code: "USDB" } },
          },
        ],
        totalCount: 1,
      },
    })
    for (const [query, finds] of [
      ["platformCustomerId=Ada%20Lovelace", true],
      [`accountIdentifier=${source}`, true],
      [`accountIdentifier=${walletId}`, true],
      [`senderAccountIdentifier=${source}`, true],
      [`receiverAccountIdentifier=${walletId}`, true],
      [`customerId=${client.pay.platformId}`, false],
    ] as const) {
      expect([query, (await idsOf(client, query)).includes(transactionId)]).toEqual([query, finds])
    }
    expect(await client.events(transactionId)).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.COMPLETED",
    ])
    // The money moved in the platform's books: the customer's have only what arrived.
    const ofCustomer = (await movedAccounts(client)).filter(([id]) => id.includes(customerId))
    expect(ofCustomer).toEqual([])
  },
)

it.each(serviceNames)(
  "shows the transaction to the customer's agent, and to no agent of another customer, at the service %s",
  async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const { get, pay, post } = client
    const [receiver, other] = [await newCustomer(client), await newCustomer(client, "Grace Hopper")]
    const tokenOf = async (customerId: string) => {
      const policy = {
        permissions: AgentPermissions.keys,
        defaultExecutionMode: "AUTO",
        spendingLimits: { currency: "USD", perTransactionLimit: 1 },
      }
      const agent = await post("/agents", { name: "Reader", customerId, policy })
      const redeemed = await post(`/agents/device-codes/${textAt(agent, "deviceCode", "code")}/redeem`)
      return textAt(redeemed, "accessToken")
    }
    const tokens = [await tokenOf(receiver.customerId), await tokenOf(other.customerId)]
    const quote = await post("/quotes", intoWallet(account(await platformAccount(client)), receiver.walletId))
    const path = `/agents/me/transactions/${textAt(quote, "transactionId")}`
    const seen = await Promise.all(tokens.map((token) => pay.send("GET", path, { as: { token } })))
    expect(seen.map(({ status }) => status)).toEqual([200, 404])
    expect(await get(`/quotes/${textAt(quote, "id")}`)).toMatchObject({ status: 200 })
  },
)

it.each(serviceNames)(
  "asks the platform that pays for nothing of the customer that receives, except an active account, at the service %s",
  async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const body = { customerType: "INDIVIDUAL", fullName: "Not Ready 001", email: "ada@example.com" }
    const customerId = textAt(await client.post("/customers", body), "id")
    const wallets = await client.get(`/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`)
    const walletId = textAt(wallets, "data", 0, "id")
    const source = await platformAccount(client)
    const quote = await client.post("/quotes", intoWallet(account(source), walletId, { immediatelyExecute: true }))
    expect(quote).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    const owned = await client.post("/quotes", intoWallet(account(source, { customerId }), walletId))
    expect(owned).toMatchObject({ status: 403, body: { code: "USER_NOT_READY" } })
  },
)

it.each(serviceNames)("gives a payment that fails back to the platform, at the service %s", async (serviceName) => {
  await using client = await foreignClient({ serviceName })
  const { customerId } = await newCustomer(client)
  const source = await platformAccount(client)
  const bank = await newBankAccount(client, customerId, "002")
  const quote = await client.post("/quotes", {
    source: account(source),
    destination: { destinationType: "ACCOUNT", accountId: bank },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 2500,
    immediatelyExecute: true,
  })
  await client.pay.clock.advance("1 minute")
  expect(await client.get(`/transactions/${textAt(quote, "transactionId")}`)).toMatchObject({
    body: { status: "FAILED", direction: "DEBIT", customerId, refund: { status: "COMPLETED" } },
  })
  expect(await client.get("/platform/internal-accounts?currency=USD")).toMatchObject({
    body: { data: [{ balance: { amount: 2500 }, totalBalance: { amount: 2500 } }] },
  })
  expect((await movedAccounts(client)).filter(([id]) => id.includes(customerId))).toEqual([])
})

describe("direction and owner", () => {
  /** The accounts between which the table's quotes move money. */
  const accountsOf = async (client: Foreign) => {
    const [ada, grace] = [await newCustomer(client), await newCustomer(client, "Grace Hopper")]
    const fiat = await client.get(`/customers/internal-accounts?customerId=${ada.customerId}&currency=USD`)
    const others = await client.get("/platform/internal-accounts?currency=EUR")
    const domain = "uma.sandbox.example"
    return {
      ada: ada.customerId,
      adaWallet: ada.walletId,
      adaFiat: textAt(fiat, "data", 0, "id"),
      adaBank: await newBankAccount(client, ada.customerId, "000"),
      graceWallet: grace.walletId,
      platform: await platformAccount(client),
      platformEuros: textAt(others, "data", 0, "id"),
      uma: `$success.usd@${domain}`,
    }
  }
  type Accounts = Awaited<ReturnType<typeof accountsOf>>
  const to = (accountId: string) => ({ destinationType: "ACCOUNT", accountId })
  const realtime = { sourceType: "REALTIME_FUNDING", currency: "USD" }
  const umaOf = ({ uma }: Accounts) => ({ destinationType: "UMA_ADDRESS", umaAddress: uma })

  it.each<[string, (a: Accounts) => object, (a: Accounts) => object, "CREDIT" | "DEBIT", "ada" | "platform"]>([
    ["an internal account to an external account", (a) => account(a.adaFiat), (a) => to(a.adaBank), "DEBIT", "ada"],
    ["an internal account to a UMA address", (a) => account(a.adaFiat), umaOf, "DEBIT", "ada"],
    [
      "an external account to an own internal account",
      (a) => account(a.adaBank),
      (a) => to(a.adaFiat),
      "CREDIT",
      "ada",
    ],
    [
      "realtime funding to an own internal account",
      (a) => ({ ...realtime, customerId: a.ada }),
      (a) => to(a.adaWallet),
      "CREDIT",
      "ada",
    ],
    ["the platform's realtime funding to a customer", () => realtime, (a) => to(a.adaWallet), "CREDIT", "ada"],
    [
      "realtime funding to an external account",
      (a) => ({ ...realtime, customerId: a.ada }),
      (a) => to(a.adaBank),
      "DEBIT",
      "ada",
    ],
    ["realtime funding to an address", (a) => ({ ...realtime, customerId: a.ada }), umaOf, "DEBIT", "ada"],
    ["one own account to another", (a) => account(a.adaFiat), (a) => to(a.adaWallet), "DEBIT", "ada"],
    [
      "the platform's account to a customer's account",
      (a) => account(a.platform),
      (a) => to(a.adaWallet),
      "CREDIT",
      "ada",
    ],
    [
      "the platform's account for a customer to its account",
      (a) => account(a.platform, { customerId: a.ada }),
      (a) => to(a.adaWallet),
      "CREDIT",
      "ada",
    ],
    [
      "the platform's account to a customer's external account",
      (a) => account(a.platform),
      (a) => to(a.adaBank),
      "DEBIT",
      "ada",
    ],
    [
      "the platform's account to its own account",
      (a) => account(a.platform),
      (a) => to(a.platformEuros),
      "DEBIT",
      "platform",
    ],
    ["the platform's account to a UMA address", (a) => account(a.platform), umaOf, "DEBIT", "platform"],
    [
      "the platform's account for a customer to a UMA address",
      (a) => account(a.platform, { customerId: a.ada }),
      umaOf,
      "DEBIT",
      "ada",
    ],
    ["an internal account to another customer's", (a) => account(a.adaFiat), (a) => to(a.graceWallet), "DEBIT", "ada"],
    [
      "an external account to another customer's account",
      (a) => account(a.adaBank),
      (a) => to(a.graceWallet),
      "DEBIT",
      "ada",
    ],
    [
      "realtime funding to another customer's account",
      (a) => ({ ...realtime, customerId: a.ada }),
      (a) => to(a.graceWallet),
      "DEBIT",
      "ada",
    ],
  ])("of a quote from %s", async (_, source, destination, direction, owner) => {
    await using client = await foreignClient()
    const accounts = await accountsOf(client)
    const looksUp = "umaAddress" in destination(accounts)
    const lookup = await client.get(`/receiver/uma/${encodeURIComponent(accounts.uma)}?customerId=${accounts.ada}`)
    const quote = await client.post("/quotes", {
      source: source(accounts),
      destination: destination(accounts),
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 1000,
      ...(looksUp ? { lookupId: at(lookup.body, "lookupId"), senderCustomerInfo: { FULL_NAME: "Ada Lovelace" } } : {}),
    })
    expect([quote.status, at(quote.body, "message")]).toEqual([201, undefined])
    const transactionId = textAt(quote, "transactionId")
    const customerId = owner === "ada" ? accounts.ada : client.pay.platformId
    const found = await client.get(`/transactions/${transactionId}`)
    expect(found.body).toMatchObject({ type: "OUTGOING", direction, customerId })
    expect(await idsOf(client, `customerId=${customerId}`)).toEqual(expect.arrayContaining([transactionId]))
  })
})
