/**
 * The configuration of a platform over HTTP.
 * Source: wire contract 5.8, 5.12 and B.
 */
import { Platforms } from "@countersign/core"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, idOf } from "../customer/CustomerRequests.ts"

const patch = (pay: Harness, body: object) => pay.send("PATCH", "/config", { body })
const fee = (sourceCurrency: string, variableFeeBps: number, amount: number, currency = "USD") => ({
  feeType: "CROSS_CURRENCY_TRANSACTION",
  sourceCurrency,
  variableFeeBps,
  fixedFee: { amount, currency },
})

describe("the fees of a platform", () => {
  it("are merged by type and currency, and a zero fee removes one", async () => {
    await using pay = await harness()
    expect((await pay.send("GET", "/config")).body).not.toHaveProperty("feeConfigs")
    await patch(pay, { feeConfigs: [fee("USD", 50, 0), fee("EUR", 0, 30)] })
    const changed = await patch(pay, { feeConfigs: [fee("EUR", 25, 10), fee("GBP", 0, 5)] })
    expect(at(changed, "feeConfigs")).toEqual([fee("USD", 50, 0), fee("EUR", 25, 10), fee("GBP", 0, 5)])
    const off = await patch(pay, { feeConfigs: [fee("USD", 0, 0)] })
    expect(at(off, "feeConfigs")).toEqual([fee("EUR", 25, 10), fee("GBP", 0, 5)])
    expect((await pay.send("GET", "/config")).body).toEqual(off.body)
  })

  it("must be in US dollars, within bounds and unique", async () => {
    await using pay = await harness()
    expect(await patch(pay, { feeConfigs: [fee("USD", 1, 1, "EUR")] })).toMatchObject({
      status: 501,
      body: { code: "NOT_IMPLEMENTED" },
    })
    expect(at(await patch(pay, { feeConfigs: [fee("usd", 10_001, -1)] }), "details", "errors")).toMatchObject([
      { field: "feeConfigs.0.sourceCurrency" },
      { field: "feeConfigs.0.variableFeeBps" },
      { field: "feeConfigs.0.fixedFee.amount" },
    ])
    expect(
      at(await patch(pay, { feeConfigs: [fee("USD", 1, 1), fee("USD", 2, 2)] }), "details", "errors"),
    ).toMatchObject([{ field: "feeConfigs.1.sourceCurrency" }])
  })
})

describe("the settings of a platform", () => {
  it("keep the members that an update omits", async () => {
    await using pay = await harness()
    await patch(pay, { embeddedWalletConfig: { appName: "Pay", otpLength: 6 }, umaDomain: "pay.example.com" })
    const cards = { displayName: "Pay", email: { subject: "Your code", fromAddress: "pay@example.com" } }
    const changed = await patch(pay, { embeddedWalletConfig: { otpLength: 8 }, cardTokenization2faConfig: cards })
    expect(changed.body).toMatchObject({
      umaDomain: "pay.example.com",
      embeddedWalletConfig: { appName: "Pay", otpLength: 8 },
      cardTokenization2faConfig: cards,
    })
  })

  it("are validated, and every problem is reported", async () => {
    await using pay = await harness()
    const reply = await patch(pay, {
      umaDomain: "nowhere",
      webhookEndpoint: "x",
      embeddedWalletConfig: { otpLength: 3, expirationSeconds: 0, sendFromEmailAddress: "x" },
      cardTokenization2faConfig: { logoUrl: "http://x.example", email: { fromAddress: "x" } },
    })
    const errors = at(reply, "details", "errors") as ReadonlyArray<{ readonly field: string }>
    expect(errors.map(({ field }) => field).toSorted()).toEqual([
      "cardTokenization2faConfig.email.fromAddress",
      "cardTokenization2faConfig.logoUrl",
      "embeddedWalletConfig.expirationSeconds",
      "embeddedWalletConfig.otpLength",
      "embeddedWalletConfig.sendFromEmailAddress",
      "umaDomain",
      "webhookEndpoint",
    ])
  })
})

describe("the currencies of a platform", () => {
  const usd = {
    currencyCode: "USD",
    minAmount: 5,
    maxAmount: 4,
    requiredCounterpartyFields: [{ name: "FULL_NAME", mandatory: true }],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
  }

  it("must be unique, with consistent limits and known fields", async () => {
    await using pay = await harness()
    const repeated = await patch(pay, { supportedCurrencies: [{ ...usd, maxAmount: 9 }, usd] })
    expect(at(repeated, "details", "errors")).toMatchObject([
      { field: "supportedCurrencies.1.currencyCode" },
      { field: "supportedCurrencies.1.minAmount" },
    ])
    const fields = { ...usd, maxAmount: 9, requiredCounterpartyFields: [{ name: "SHOE_SIZE", mandatory: true }] }
    expect(at(await patch(pay, { supportedCurrencies: [fields] }), "details", "errors")).toMatchObject([
      { field: "supportedCurrencies.0.requiredCounterpartyFields.0.name" },
    ])
    const sound = [{ ...usd, maxAmount: 9 }]
    expect(at(await patch(pay, { supportedCurrencies: sound }), "supportedCurrencies")).toMatchObject(sound)
  })
})

describe("the UMA domain", () => {
  const second = {
    clientId: "second",
    clientSecret: Redacted.make("second"),
    name: "Second",
    currencies: ["USD"] as const,
  }

  it("is unique among platforms", async () => {
    await using pay = await harness()
    await pay.run(Platforms.use((platforms) => platforms.setUp({ ...second, umaDomain: "second.example.com" })))
    expect(await patch(pay, { umaDomain: "second.example.com" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "umaDomain" }] } },
    })
    const third = Platforms.use((platforms) =>
      platforms.setUp({ ...second, clientId: "third", umaDomain: "second.example.com" }),
    )
    expect(await pay.run(Effect.flip(third))).toMatchObject({ code: "CONFLICT", message: "The UMA domain is taken." })
  })

  it("is used for the addresses of later customers", async () => {
    await using pay = await harness()
    await patch(pay, { umaDomain: "pay.example.com" })
    const created = await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL" } })
    expect(at(created, "umaAddress")).toMatch(/^\$[0-9a-f-]{36}@pay\.example\.com$/u)
  })
})

describe("an unregulated platform", () => {
  it("opens accounts only after the customer accepts the terms", async () => {
    await using pay = await harness()
    const credentials = { clientId: "second", clientSecret: "second" }
    await pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({
          ...credentials,
          clientSecret: Redacted.make("second"),
          name: "Second",
          currencies: ["USD"],
          isRegulatedFinancialInstitution: false,
        }),
      ),
    )
    const headers = { authorization: `Basic ${btoa("second:second")}` }
    const send = (method: string, path: string, body?: object) =>
      pay.send(method, path, { as: "nobody", headers, ...(body === undefined ? {} : { body }) })
    const id = at(await send("POST", "/customers", { customerType: "INDIVIDUAL" }), "id")
    const accounts = async () => at(await send("GET", `/internal-accounts?customerId=${id}`), "totalCount")
    expect(await accounts()).toBe(0)
    const endUserTermsConsent = {
      acceptedAt: "2026-11-20T10:00:00Z",
      ipAddress: "203.0.113.7",
      termsVersion: "2025-10-13",
      acceptanceMethod: "CLICK_TO_ACCEPT",
    }
    const body = { customerType: "INDIVIDUAL", endUserTermsConsent }
    expect((await send("PATCH", `/customers/${id}`, body)).body).toMatchObject({ endUserTermsConsent })
    expect(await accounts()).toBe(1)
    expect((await send("PATCH", `/customers/${id}`, body)).status).toBe(200)
    expect(await accounts()).toBe(1)
  })

  it("moves no money of customers that have not accepted the terms", async () => {
    await using pay = await harness()
    const clientSecret = Redacted.make("second")
    const currencies = ["USD"] as const
    const setUp = {
      clientId: "second",
      clientSecret,
      name: "Second",
      currencies,
      isRegulatedFinancialInstitution: false,
    }
    await pay.run(Platforms.use((platforms) => platforms.setUp(setUp)))
    const headers = { authorization: `Basic ${btoa("second:second")}` }
    const send = (method: string, path: string, body?: object) =>
      pay.send(method, path, { as: "nobody", headers, ...(body === undefined ? {} : { body }) })
    const person = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
    const customer = idOf(await send("POST", "/customers", person))
    expect((await send("GET", `/customers/${customer}`)).body).not.toHaveProperty("awaitsTerms")
    const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }
    const accountInfo = {
      accountType: "USD_ACCOUNT",
      accountNumber: "12345000",
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace", address },
    }
    const external = { customerId: customer, currency: "USD", accountInfo }
    const outside = { accountId: idOf(await send("POST", "/customers/external-accounts", external)) }
    const own = { accountId: String(at(await send("GET", "/platform/internal-accounts"), "data", 0, "id")) }
    await send("POST", `/sandbox/internal-accounts/${own.accountId}/fund`, { amount: 1000 })
    const transfers = [
      ["/transfer-in", { source: outside, destination: own, amount: 100 }],
      ["/transfer-out", { source: own, destination: outside, amount: 100 }],
    ] as const
    for (const [path, body] of transfers) {
      expect(await send("POST", path, body)).toMatchObject({
        status: 403,
        body: { code: "END_USER_TERMS_NOT_ACCEPTED" },
      })
    }
    const endUserTermsConsent = {
      acceptedAt: "2026-11-20T10:00:00Z",
      ipAddress: "203.0.113.7",
      termsVersion: "2025-10-13",
      acceptanceMethod: "CHECKBOX",
    }
    // An update of another field does not accept the terms.
    await send("PATCH", `/customers/${customer}`, { customerType: "INDIVIDUAL", fullName: "Ada Byron" })
    expect((await send("POST", "/transfer-in", transfers[0][1])).status).toBe(403)
    await send("PATCH", `/customers/${customer}`, { customerType: "INDIVIDUAL", endUserTermsConsent })
    for (const [path, body] of transfers) expect((await send("POST", path, body)).status).toBe(201)
  })
})
