/** The providers of UMA addresses and the cost of withdrawals. Wire contract 5.10; D-253, D-254. */
import { describe, expect, it } from "vitest"
import { at, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

describe("the list of UMA providers", () => {
  it("is filtered, ordered and paged", async () => {
    await using pay = await quoteHarness()
    const list = (query: string) => pay.send("GET", `/uma-providers${query}`)
    const domains = async (query: string) => {
      const reply = await list(query)
      return (at(reply, "data") as ReadonlyArray<{ readonly domain: string }>).map(({ domain }) => domain)
    }
    const [own, eu, blocked] = ["", "eu.", "blocked."].map((part) => `${part}uma.sandbox.example`)
    expect(await list("")).toMatchObject({ status: 200, body: { hasMore: false, totalCount: 3 } })
    expect(await domains("")).toEqual([own, eu, blocked])
    expect(await domains("?sortOrder=asc")).toEqual([blocked, eu, own])
    expect(await domains("?hasBlockedProviders=false")).toEqual([own, eu])
    expect(await domains("?countryCode=FR")).toEqual([eu])
    expect(await domains("?currencyCode=MXN")).toEqual([own])
    expect(await domains("?countryCode=ZZ")).toEqual([])
    const first = await list("?limit=2")
    expect(first).toMatchObject({ body: { hasMore: true, totalCount: 3 } })
    const cursor = String(at(first, "nextCursor"))
    expect(await domains(`?limit=2&cursor=${cursor}`)).toEqual([blocked])
    expect(at(await list(""), "data")).toEqual([
      {
        name: "Sandbox Provider",
        domain: own,
        supportedRegions: ["US", "DE", "MX"],
        supportedCurrencies: ["USD", "EUR", "MXN"].map((code) => expect.objectContaining({ code, decimals: 2 })),
        logoUrl: `https://${own}/logo.svg`,
        lei: "00000000000000000098",
        allowListStatus: true,
      },
      {
        name: "European Sandbox Provider",
        domain: eu,
        supportedRegions: ["DE", "FR"],
        supportedCurrencies: [expect.objectContaining({ code: "EUR" })],
        allowListStatus: true,
      },
      {
        name: "Blocked Sandbox Provider",
        domain: blocked,
        supportedRegions: ["US"],
        supportedCurrencies: [expect.objectContaining({ code: "USD" })],
        allowListStatus: false,
      },
    ])
    for (const filter of ["countryCode=US", "currencyCode=USD", "hasBlockedProviders=false"])
      expect(await list(`?${filter}&cursor=${cursor}`), filter).toMatchObject({ status: 400 })
    expect(await list("?countryCode=us")).toMatchObject({ status: 400 })
  })
})

describe("the estimate of a withdrawal fee", () => {
  const address = `0x${"a1".repeat(20)}`

  it("is the network's fee in the withdrawn asset", async () => {
    await using pay = await quoteHarness()
    const internalAccountId = await pay.accountId("USDC")
    const body = {
      internalAccountId,
      currency: "USDC",
      cryptoNetwork: "BASE",
      amount: 5_000_000,
      destinationAddress: address,
    }
    const estimate = (more: object) =>
      pay.send("POST", "/crypto/estimate-withdrawal-fee", { body: { ...body, ...more } })
    expect(await estimate({})).toMatchObject({
      status: 200,
      body: { networkFee: 20_000, networkFeeAsset: "USDC", applicationFee: 0, totalFee: 20_000, netAmount: 4_980_000 },
    })
    expect(await estimate({ cryptoNetwork: "TRON" })).toMatchObject({ status: 400 })
    expect(await estimate({ destinationAddress: "nowhere" })).toMatchObject({ status: 400 })
    expect(await estimate({ amount: 20_000 })).toMatchObject({ body: { code: "AMOUNT_OUT_OF_RANGE" } })
    expect(await estimate({ internalAccountId: await pay.accountId("USD") })).toMatchObject({
      body: { code: "INVALID_CURRENCY" },
    })
    const unknownId = "InternalAccount:00000000-0000-4000-8000-000000000009"
    expect(await estimate({ internalAccountId: unknownId })).toMatchObject({
      status: 404,
      body: { code: "REFERENCE_NOT_FOUND" },
    })
  })
})
