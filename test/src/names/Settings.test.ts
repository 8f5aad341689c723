/** The service's name as a setting of an embedded service, and its clients. Source: wire contract areas 2.5; D-370, D-372. */
import { type EmbedOptions, embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { type ApiError, makeClient } from "@countersign/client"
import { verifyWebhook } from "@countersign/client/webhook"
import { problemsOfNames, serviceNameOf, WireNames } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { at, between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const credentials = { clientId: "host", clientSecret: "secret" }
const options = { store: MemoryStore.layer, ports: Sandbox.layer, sandbox: true, platforms: [credentials] }
const settings = (names: { readonly serviceName?: string; readonly headerPrefix?: string }) =>
  Layer.succeed(WireNames, { ...names, signatureForm: "plain" })

/** The names in the document of a service with these options. */
const signatureHeaderOf = async (more: Partial<EmbedOptions>) => {
  const service = await embed({ ...options, ...more })
  const response = await service.handler(new Request("http://host.example/openapi.json"))
  const document = await response.text()
  await service.dispose()
  return /"(\w+)-Wallet-Signature"/u.exec(document)?.[1]
}

describe("the name of an embedded service", () => {
  it.each<readonly [string, Partial<EmbedOptions>, string]>([
    ["nothing", {}, "Service"],
    ["serviceName", { serviceName: "Acme" }, "Acme"],
    ["headerPrefix, its old name", { headerPrefix: "Acme" }, "Acme"],
    ["both, which agree", { serviceName: "Acme", headerPrefix: "Acme" }, "Acme"],
    ["the settings", { settings: settings({ serviceName: "Acme" }) }, "Acme"],
    ["the settings, under its old name", { settings: settings({ headerPrefix: "Acme" }) }, "Acme"],
    [
      "an option rather than the settings",
      { serviceName: "Nova", settings: settings({ serviceName: "Acme" }) },
      "Nova",
    ],
  ])("comes from %s", async (_, more, name) => {
    expect(await signatureHeaderOf(more)).toBe(name)
  })

  it("is refused together with all other problems", async () => {
    const refused = embed({ ...options, serviceName: "a b", headerPrefix: "c", basePath: 1 as never })
    await expect(refused).rejects.toThrow(
      "embed: basePath must be a string; serviceName must be a letter, then at most 31 letters and digits, and not Platform; serviceName and headerPrefix are two names of one setting and must not differ",
    )
  })

  it.each([
    [{ serviceName: "Ac-me" }],
    [{ headerPrefix: "platform" }],
    [{ serviceName: "Acme", headerPrefix: "Other" }],
  ])("does not start with the settings %j", async (names) => {
    await expect(embed({ ...options, settings: settings(names) })).rejects.toThrow(/WireNames: .*(must be|must not)/u)
  })

  it("is a text, for callers in JavaScript too", () => {
    expect(problemsOfNames({ serviceName: 7 as never })).toEqual([expect.stringContaining("serviceName must be")])
    expect(serviceNameOf({})).toBe("Service")
  })
})

describe("a client of the service Acme", () => {
  it("has the names of the contract in the answers of the typed clients, whichever the service sends", async () => {
    await using pay = await quoteHarness({ serviceName: "Acme" })
    await pay.fund("USD", 100_000)
    const payload = between(await pay.accountId("USD"), await pay.external("MXN"), 10_000)
    const created = await pay.quote({ ...payload, description: "acmeApiFixedFee" })
    const quoteId = String(at(created, "id"))
    const details = { serviceApiMultiplier: expect.any(Number), serviceApiVariableFeeRate: 0.005 }
    const read = await pay.client.quotes.getQuoteById({ params: { quoteId } })
    expect(read.rateDetails).toMatchObject(details)
    expect(read.rateDetails).not.toHaveProperty("acmeApiMultiplier")
    const decoded = await pay.call((client) => client.quotes.getQuoteById({ params: { quoteId } }))
    expect(decoded.rateDetails).toMatchObject(details)
    const transactionId = String(at(created, "transactionId"))
    const transaction = await pay.client.transactions.getTransactionById({ params: { transactionId } })
    expect(transaction).toMatchObject({ rateDetails: details, description: "acmeApiFixedFee" })
  })

  it("has the codes of the contract in errors", async () => {
    const body = { status: 500, code: "ACME_SWITCH_ERROR", message: "ACME_SWITCH_ERROR" }
    const client = makeClient({
      baseUrl: "http://acme.example",
      credentials: "none",
      fetch: async () => Response.json(body, { status: 500 }),
      serviceName: "Acme",
    })
    const error: ApiError = await client.platform.getPlatformConfig().then(
      () => Promise.reject(new Error("not refused")),
      (reason: ApiError) => reason,
    )
    expect([error.code, error.message]).toEqual(["SERVICE_SWITCH_ERROR", "ACME_SWITCH_ERROR"])
  })

  it("is the one that an embedded service hands out", async () => {
    const service = await embed({ ...options, serviceName: "Acme" })
    const { accounts, customers, externalAccounts, quotes, sandbox } = service.client(credentials)
    const person = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } as const
    const { id: customerId } = await customers.createCustomer({ payload: person })
    const { data } = await accounts.listInternalAccounts({ query: { customerId, currency: "USD" } })
    const accountId = String(data[0]?.id)
    await sandbox.sandboxFundInternalAccount({ params: { accountId }, payload: { amount: 100_000 } })
    const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" } as const
    const accountInfo = { accountType: "MXN_ACCOUNT", clabeNumber: "032180000118359000", beneficiary } as const
    const payee = await externalAccounts.createCustomerExternalAccount({
      payload: { customerId, currency: "MXN", accountInfo },
    })
    const quote = await quotes.createQuote({
      payload: {
        source: { sourceType: "ACCOUNT", accountId },
        destination: { destinationType: "ACCOUNT", accountId: payee.id },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 10_000,
      },
    })
    expect(quote.rateDetails).toMatchObject({ serviceApiVariableFeeRate: 0.005 })
    await service.dispose()
  })

  it("is not made with a name that no service can have", async () => {
    const of = (serviceName: string) => () =>
      makeClient({ baseUrl: "http://acme.example", credentials: "none", serviceName })
    expect(of("a b")).toThrow("The service's name must be")
    const verified = verifyWebhook({}, "", [], { serviceName: "a b" })
    await expect(verified).rejects.toThrow("The service's name must be")
  })
})
