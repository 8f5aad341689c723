/**
 * Internal accounts: one per currency, for the platform and for each of its customers.
 * Source: wire contract 5.8 and 5.9.
 */
import { sandboxCurrencies } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, newPerson } from "../customer/CustomerRequests.ts"

interface Account {
  readonly id: string
  readonly customerId?: string
  readonly type: string
  readonly balance: { readonly amount: number; readonly currency: { readonly code: string } }
}

const list = async (pay: Harness, path: string): Promise<ReadonlyArray<Account>> => {
  const reply = await pay.send("GET", path)
  expect(reply.status).toBe(200)
  return at(reply, "data") as ReadonlyArray<Account>
}
const currenciesAndTypes = (accounts: ReadonlyArray<Account>) =>
  accounts.map(({ balance, type }) => `${balance.currency.code} ${type}`).toSorted()

const fiat = ["USD", "EUR", "GBP", "MXN", "BRL", "INR"].map((code) => `${code} INTERNAL_FIAT`)
const crypto = ["USDC", "BTC", "USDB"].map((code) => `${code} INTERNAL_CRYPTO`)

const withCurrency = (pay: Harness, ...codes: ReadonlyArray<string>) =>
  pay.send("PATCH", "/config", {
    body: {
      supportedCurrencies: codes.map((currencyCode) => ({
        currencyCode,
        minAmount: 1,
        maxAmount: 1000,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: ["INCOMING"],
      })),
    },
  })

describe("the internal accounts of a customer", () => {
  it("are one per currency and an embedded wallet", async () => {
    await using pay = await harness()
    const id = await newPerson(pay)
    const accounts = await list(pay, `/customers/internal-accounts?customerId=${id}`)
    expect(currenciesAndTypes(accounts)).toEqual([...fiat, ...crypto, "USDB EMBEDDED_WALLET"].toSorted())
    expect(new Set(accounts.map(({ customerId }) => customerId))).toEqual(new Set([id]))
  })

  // Proves: SBX-FUND-01
  it("can be filtered, paged and read under both paths", async () => {
    await using pay = await harness()
    const [a, b] = [await newPerson(pay), await newPerson(pay)]
    for (const path of ["/customers/internal-accounts", "/internal-accounts"]) {
      expect(currenciesAndTypes(await list(pay, `${path}?type=EMBEDDED_WALLET`))).toEqual(
        Array(2).fill("USDB EMBEDDED_WALLET"),
      )
      expect(currenciesAndTypes(await list(pay, `${path}?currency=USDB&customerId=${a}`))).toHaveLength(2)
      expect(await list(pay, `${path}?limit=100`)).toHaveLength(20)
      expect((await pay.send("GET", `${path}?limit=7`)).body).toMatchObject({ hasMore: true, totalCount: 20 })
      expect((await pay.send("GET", `${path}?type=x&currency=y`)).body).toMatchObject({
        details: { errors: [{ field: "currency" }, { field: "type" }] },
      })
    }
    const [usd] = await list(pay, `/internal-accounts?currency=USD&customerId=${b}`)
    await pay.send("POST", `/sandbox/internal-accounts/${usd?.id}/fund`, { body: { amount: 12 } })
    expect((await pay.send("GET", `/internal-accounts/${usd?.id}`)).body).toMatchObject({
      id: usd?.id,
      customerId: b,
      status: "ACTIVE",
      balance: { amount: 12 },
      fundingPaymentInstructions: [{ accountOrWalletInfo: { accountType: "USD_ACCOUNT" } }],
    })
    expect(await pay.send("GET", "/internal-accounts/nobody")).toMatchObject({
      status: 404,
      body: { code: "REFERENCE_NOT_FOUND" },
    })
  })

  it("are opened once for every customer in a currency that the platform adds", async () => {
    await using pay = await harness()
    const ids: Array<string> = []
    for (let made = 0; made < 25; made++) ids.push(await newPerson(pay))
    const deleted = ids.pop() ?? ""
    await pay.send("DELETE", `/customers/${deleted}`)
    expect((await withCurrency(pay, ...sandboxCurrencies, "PKR", "JPY")).status).toBe(200)
    const late = await newPerson(pay)
    await pay.settle()
    await pay.settle()
    for (const id of [...ids, late]) {
      const accounts = await list(pay, `/internal-accounts?customerId=${id}`)
      expect(currenciesAndTypes(accounts)).toEqual(
        [...fiat, ...crypto, "USDB EMBEDDED_WALLET", "PKR INTERNAL_FIAT", "JPY INTERNAL_FIAT"].toSorted(),
      )
    }
    expect(await list(pay, `/internal-accounts?customerId=${deleted}&currency=PKR`)).toEqual([])
  })

  it("cannot be funded once the customer is deleted", async () => {
    await using pay = await harness()
    const customerId = await newPerson(pay)
    const [account] = await list(pay, `/internal-accounts?customerId=${customerId}&currency=USD`)
    expect((await pay.send("DELETE", `/customers/${customerId}`)).status).toBe(200)
    const funded = await pay.send("POST", `/sandbox/internal-accounts/${account?.id}/fund`, { body: { amount: 9 } })
    expect(funded).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
  })

  it("have no wallet if the platform does not support USDB", async () => {
    await using pay = await harness()
    await withCurrency(pay, "USD")
    const id = await newPerson(pay)
    expect(currenciesAndTypes(await list(pay, `/internal-accounts?customerId=${id}`))).toEqual(["USD INTERNAL_FIAT"])
  })
})

describe("the platform's own internal accounts", () => {
  it("are one per currency, are opened for an added currency and stay after its removal", async () => {
    await using pay = await harness()
    const path = "/platform/internal-accounts"
    const accounts = await list(pay, path)
    expect(currenciesAndTypes(accounts)).toEqual([...fiat, ...crypto].toSorted())
    expect(accounts.filter(({ customerId }) => customerId !== undefined)).toEqual([])
    expect((await pay.send("GET", path)).body).not.toHaveProperty("hasMore")
    expect(currenciesAndTypes(await list(pay, `${path}?currency=USD`))).toEqual(["USD INTERNAL_FIAT"])
    expect(currenciesAndTypes(await list(pay, `${path}?type=INTERNAL_CRYPTO`))).toEqual([...crypto].toSorted())
    await withCurrency(pay, "USD", "PKR")
    await withCurrency(pay, "USD", "EUR", "PKR")
    expect(currenciesAndTypes(await list(pay, path))).toEqual([...fiat, ...crypto, "PKR INTERNAL_FIAT"].toSorted())
  })

  it("can be funded and are not in the list of customers' accounts", async () => {
    await using pay = await harness()
    const [usd] = await list(pay, "/platform/internal-accounts?currency=USD")
    await pay.send("POST", `/sandbox/internal-accounts/${usd?.id}/fund`, { body: { amount: 9 } })
    expect(await list(pay, "/platform/internal-accounts?currency=USD")).toMatchObject([{ balance: { amount: 9 } }])
    expect(await list(pay, "/internal-accounts")).toEqual([])
    expect((await pay.send("GET", `/internal-accounts/${usd?.id}`)).body).toMatchObject({ balance: { amount: 9 } })
  })
})
