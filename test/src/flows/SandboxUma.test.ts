/**
 * How a client finds the sandbox's UMA domain, pays to an address under it and receives from one; and the read-only configuration.
 * Source: wire contract areas 2.9 and 3.9; D-404.
 */

import { Platforms } from "@countersign/core"
import { SandboxUmaDomains, UmaNetwork } from "@countersign/core/ports"
import { SandboxUma } from "@countersign/core/sandbox"
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { proxySubdomainOf } from "../../../packages/core/src/model/platform/UmaDomainProof.ts"
import { at } from "../e2e/Client.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { foreignClient, newCustomer, textAt } from "./ForeignClient.ts"

it.each(serviceNames)(
  "pays to a scenario address under the shown domain, and receives from one, at the service %s",
  async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const { get, post } = client
    const config = await get("/config")
    const domain = textAt(config, "sandboxUmaDomain")
    expect(config).toMatchObject({ status: 200, body: { umaDomain: expect.not.stringMatching(`^${domain}$`) } })
    const providers = await get("/uma-providers")
    expect(providers).toMatchObject({ status: 200 })
    const listed = at(providers.body, "data") as ReadonlyArray<object>
    expect(listed).toEqual(expect.arrayContaining([expect.objectContaining({ domain, allowListStatus: true })]))

    const { customerId } = await newCustomer(client)
    const accounts = await get(`/customers/internal-accounts?customerId=${customerId}&currency=USD`)
    const accountId = textAt(accounts, "data", 0, "id")
    await post(`/sandbox/internal-accounts/${accountId}/fund`, { amount: 5000 })
    const lookup = await get(`/receiver/uma/%24success.usd%40${domain}?customerId=${customerId}`)
    expect(lookup).toMatchObject({ status: 200, body: { lookupId: expect.stringMatching(/^Lookup:/u) } })
    expect(await get(`/receiver/uma/%24non.existent.usd%40${domain}?customerId=${customerId}`)).toMatchObject({
      status: 404,
      body: { code: "UMA_NOT_FOUND" },
    })

    const quote = await post("/quotes", {
      lookupId: textAt(lookup, "lookupId"),
      source: { sourceType: "ACCOUNT", accountId, customerId },
      destination: { destinationType: "UMA_ADDRESS", umaAddress: `$success.usd@${domain}`, currency: "USD" },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 1000,
      senderCustomerInfo: { FULL_NAME: "Ada Lovelace" },
    })
    expect(quote).toMatchObject({ status: 201, body: { status: "PENDING" } })
    expect(await post(`/quotes/${textAt(quote, "id")}/execute`, {})).toMatchObject({ status: 200 })
    await client.pay.settle()
    expect(await get(`/transactions/${textAt(quote, "transactionId")}`)).toMatchObject({
      body: { status: "COMPLETED", direction: "DEBIT", destination: { umaAddress: `$success.usd@${domain}` } },
    })

    const received = await post("/sandbox/uma/receive", {
      senderUmaAddress: `$success.usd@${domain}`,
      customerId,
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: 700,
    })
    expect(received).toMatchObject({
      status: 200,
      body: { type: "INCOMING", direction: "CREDIT", receivedAmount: { amount: 700 } },
    })
  },
)

it.each(serviceNames)(
  "shows the read-only members of the configuration, and accepts them when they are sent back, at the service %s",
  async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const config = await client.get("/config")
    const named = (code: string) =>
      (at(config.body, "supportedCurrencies") as ReadonlyArray<object>).find((one) => at(one, "currencyCode") === code)
    const both = {
      providerRequiredCustomerFields: ["FULL_NAME"],
      providerRequiredCounterpartyCustomerFields: ["FULL_NAME"],
    }
    for (const code of ["USD", "EUR", "MXN"]) expect(named(code)).toMatchObject(both)
    for (const code of ["BRL", "USDB"]) {
      expect(Object.keys(named(code) ?? {})).not.toEqual(expect.arrayContaining([expect.stringMatching(/^provider/u)]))
    }
    const [label] = textAt(config, "umaDomain").split(".")
    expect(at(config.body, "proxyUmaSubdomain")).toBe(label)
    const sentBack = await client.pay.send("PATCH", "/config", {
      body: { ...Object(config.body), proxyUmaSubdomain: "mine", sandboxUmaDomain: "mine.example" },
    })
    expect(sentBack).toMatchObject({ status: 200 })
    const { updatedAt: _, ...before } = Object(config.body)
    expect((await client.get("/config")).body).toMatchObject(before)
  },
)

it.each(serviceNames)(
  "moves the proxy subdomain with the domain, and numbers it when another platform has it, at the service %s",
  async (serviceName) => {
    await using client = await foreignClient({ serviceName })
    const patch = (umaDomain: string) => client.pay.send("PATCH", "/config", { body: { umaDomain } })
    expect(await patch("mycompany.com")).toMatchObject({ status: 200, body: { proxyUmaSubdomain: "mycompany" } })
    expect(await patch("mycompany.com")).toMatchObject({ status: 200, body: { proxyUmaSubdomain: "mycompany" } })
    await client.pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({
          clientId: "client_other",
          clientSecret: Redacted.make("secret_other"),
          name: "Other",
          currencies: ["USD"],
          umaDomain: "rival.net",
        }),
      ),
    )
    const moved = await patch("rival.com")
    expect(moved).toMatchObject({ status: 200, body: { umaDomain: "rival.com" } })
    expect(at(moved.body, "proxyUmaSubdomain")).toMatch(/^rival\d+$/u)
    const platformId = "PlatformConfig:01a1fdfa-4600-7000-8000-00000000000a"
    expect([0, 1, 2].map((collisions) => proxySubdomainOf(platformId, "pay.example", collisions))).toEqual([
      "pay",
      "pay11",
      "pay12",
    ])
  },
)

it.each([
  [[], "uma.sandbox.example"],
  [["Sandbox.Other.example", "third.example"], "sandbox.other.example"],
])("knows the scenario addresses under the further domains %j and shows the first", async (further, shown) => {
  const network = await Effect.runPromise(
    UmaNetwork.pipe(Effect.provide(SandboxUma.layer), Effect.provideService(SandboxUmaDomains, further)),
  )
  expect(network.scenarioDomain).toBe(shown)
  const found = async (domain: string) =>
    (await Effect.runPromise(network.find(`$success.usd@${domain}`, undefined)))._tag
  for (const domain of [...further.map((one) => one.toLowerCase()), "uma.sandbox.example"]) {
    expect([domain, await found(domain)]).toEqual([domain, "Found"])
  }
  expect(await found("elsewhere.example")).toBe("NotFound")
})
