/**
 * Lookups of the platform's own customers: which accounts receive, within which limits, and which payer asks.
 * Source: wire contract 5.10; D-250, D-251, D-348.
 */
import { UmaNetwork } from "@countersign/core/ports"
import { SandboxUma } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { at, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const sandbox = "$success.usd@uma.sandbox.example"
const lookUp = (pay: QuoteHarness, address: string, query: Readonly<Record<string, string>> = {}) =>
  pay.send("GET", `/receiver/uma/${encodeURIComponent(address)}?${new URLSearchParams(query)}`)
const person = async (pay: QuoteHarness, more: object = {}) => {
  const made = await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", ...more } })
  return { id: String(at(made, "id")), address: String(at(made, "umaAddress")) }
}

/** The sandbox's network, which notes each question, and whose receivers take 50 to 5,000. */
const network = () => {
  const asked: Array<readonly [address: string, sender: string | undefined]> = []
  const ports = Layer.effect(
    UmaNetwork,
    Effect.map(UmaNetwork, (inner) => ({
      ...inner,
      find: (address: string, sender: string | undefined) => {
        asked.push([address, sender])
        return Effect.map(inner.find(address, sender), (answer) =>
          answer._tag === "Found"
            ? {
                ...answer,
                receiver: {
                  ...answer.receiver,
                  currencies: [{ code: "USD" as const, minAmount: 50, maxAmount: 5000 }],
                },
              }
            : answer,
        )
      },
    })),
  ).pipe(Layer.provide(SandboxUma.layer))
  return { asked, ports }
}

const limit = (currencyCode: string, minAmount: number, maxAmount: number) => ({
  currencyCode,
  minAmount,
  maxAmount,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ["INCOMING", "OUTGOING"],
})

describe("the lookup of a customer", () => {
  it("shows each currency of its accounts once, in the order of the currencies, with the platform's limits", async () => {
    await using pay = await quoteHarness()
    const supportedCurrencies = [limit("EUR", 5, 900), limit("USDB", 7, 800), limit("USD", 1, 700)]
    await pay.send("PATCH", "/config", { body: { supportedCurrencies } })
    const { address } = await person(pay, { currencies: ["USDB", "USD", "EUR"] })
    const found = await lookUp(pay, address)
    expect(found).toMatchObject({ status: 200, body: { requiredPayerDataFields: [] } })
    const shown = at(found, "supportedCurrencies") as ReadonlyArray<{ readonly currency: { readonly code: string } }>
    expect(shown.map(({ currency, ...rest }) => ({ ...rest, code: currency.code }))).toMatchObject([
      { code: "USD", min: 1, max: 700 },
      { code: "EUR", min: 5, max: 900 },
      { code: "USDB", min: 7, max: 800 },
    ])
    expect(shown).toHaveLength(3)
  })

  it("finds the address, and nothing else under the domain, without the network", async () => {
    const { asked, ports } = network()
    await using pay = await quoteHarness({ ports })
    const { address } = await person(pay)
    expect(await lookUp(pay, address)).toMatchObject({ status: 200, body: { receiverUmaAddress: address } })
    const other = address.replace("$", "$another-")
    expect(await lookUp(pay, other)).toMatchObject({ status: 404, body: { code: "UMA_NOT_FOUND" } })
    const malformed = await lookUp(pay, "ada")
    expect(malformed).toMatchObject({
      status: 400,
      body: {
        code: "INVALID_UMA_ADDRESS",
        message: "receiverUmaAddress: must be a UMA address such as $name@example.com",
        details: { errors: [{ field: "receiverUmaAddress" }] },
      },
    })
    expect(asked).toEqual([])
  })

  it("ends with the domain of its address: then the network is asked", async () => {
    const { asked, ports } = network()
    await using pay = await quoteHarness({ ports })
    const { address } = await person(pay)
    expect(await pay.send("PATCH", "/config", { body: { umaDomain: "new.example.com" } })).toMatchObject({
      status: 200,
    })
    expect(await lookUp(pay, address)).toMatchObject({ status: 404, body: { code: "UMA_NOT_FOUND" } })
    expect(asked).toEqual([[address, undefined]])
    const body = { senderUmaAddress: sandbox, receiverUmaAddress: address }
    expect(
      await pay.send("POST", "/sandbox/uma/receive", {
        body: { ...body, receivingCurrencyCode: "EUR", receivingCurrencyAmount: 700 },
      }),
    ).toMatchObject({ status: 404, body: { code: "UMA_NOT_FOUND" } })
  })
})

it("an address is the same in any letter case: it is looked up, listed, found and sent from in each", async () => {
  await using pay = await quoteHarness()
  const { address } = await person(pay)
  const domain = address.slice(address.indexOf("@"))
  const ada = await person(pay, { umaAddress: `$Ada.Lovelace${domain}` })
  const ids = async (path: string) => {
    const { body } = await pay.send("GET", path)
    return Object(body)["data"].map(({ id }: { readonly id: string }) => id)
  }
  const lookups: Array<unknown> = []
  for (const name of ["$Ada.Lovelace", "$ada.lovelace", "$ADA.LOVELACE"]) {
    const written = encodeURIComponent(`${name}${domain.toUpperCase()}`)
    const found = await pay.send("GET", `/receiver/uma/${written}`)
    expect([name, found.status]).toEqual([name, 200])
    lookups.push(at(found, "lookupId"))
    expect(await ids(`/customers?umaAddress=${written}`)).toEqual([ada.id])
    expect(await ids(`/operator/find?text=${written}`)).toEqual([ada.id])
    for (const sender of [`senderUmaAddress=${written}`, `senderUmaAddress=${written}&customerId=${ada.id}`]) {
      expect((await pay.send("GET", `/receiver/uma/${encodeURIComponent(sandbox)}?${sender}`)).status).toBe(200)
    }
  }
  expect(new Set(lookups).size).toBe(1)
  expect((await pay.send("GET", `/customers/${ada.id}`)).body).toMatchObject({ umaAddress: ada.address })
  const again = { body: { customerType: "INDIVIDUAL", umaAddress: ada.address.toUpperCase() } }
  expect(await pay.send("POST", "/customers", again)).toMatchObject({ body: { code: "UMA_ADDRESS_EXISTS" } })
})

it("an address under another domain is no customer's, and the refusal names the platform's domain", async () => {
  await using pay = await quoteHarness()
  const umaDomain = at(await pay.send("GET", "/config"), "umaDomain")
  const body = { customerType: "INDIVIDUAL", umaAddress: "$ada@elsewhere.example" }
  const message = "must be an address under the platform's own UMA domain"
  expect(await pay.send("POST", "/customers", { body })).toMatchObject({
    status: 400,
    body: {
      code: "INVALID_UMA_ADDRESS",
      message: `umaAddress: ${message}`,
      details: { errors: [{ field: "umaAddress", message, constraint: { umaDomain } }] },
    },
  })
})

describe("the lookup of a receiver in the network", () => {
  it("has the narrower of the receiver's and the platform's limits", async () => {
    const { ports } = network()
    await using pay = await quoteHarness({ ports })
    const limits = async (minAmount: number, maxAmount: number) => {
      await pay.send("PATCH", "/config", { body: { supportedCurrencies: [limit("USD", minAmount, maxAmount)] } })
      return at(await lookUp(pay, sandbox), "supportedCurrencies")
    }
    expect(await limits(40, 6000)).toMatchObject([{ min: 50, max: 5000 }])
    expect(await limits(60, 4000)).toMatchObject([{ min: 60, max: 4000 }])
  })

  it("names the payer's address to the network, and uses the first currency of the payer", async () => {
    const { asked, ports } = network()
    await using pay = await quoteHarness({ ports })
    const { address, id } = await person(pay, { currencies: ["EUR", "USD"] })
    const rate = async (query: Readonly<Record<string, string>>) =>
      at(await lookUp(pay, sandbox, query), "supportedCurrencies", 0, "estimatedExchangeRate")
    const own = await rate({})
    expect(own).toBe(1)
    const ofCustomer = await rate({ customerId: id })
    expect(ofCustomer).not.toBe(1)
    expect(await rate({ senderUmaAddress: address })).toBe(ofCustomer)
    expect(await rate({ customerId: id, senderUmaAddress: address })).toBe(ofCustomer)
    expect(asked).toEqual([[sandbox, undefined], ...Array(3).fill([sandbox, address])])
  })

  it("needs a payer that exists, with the address that is given", async () => {
    const { asked, ports } = network()
    await using pay = await quoteHarness({ ports })
    const [first, second] = [await person(pay), await person(pay)]
    const unknown = { status: 404, body: { code: "USER_NOT_FOUND", message: "No such customer." } }
    expect(await lookUp(pay, sandbox, { customerId: first.id, senderUmaAddress: second.address })).toMatchObject(
      unknown,
    )
    expect(await lookUp(pay, sandbox, { senderUmaAddress: sandbox })).toMatchObject(unknown)
    await pay.send("DELETE", `/customers/${first.id}`)
    expect(await lookUp(pay, sandbox, { customerId: first.id })).toMatchObject(unknown)
    expect(await lookUp(pay, sandbox, { senderUmaAddress: first.address })).toMatchObject(unknown)
    expect(await lookUp(pay, first.address)).toMatchObject({ status: 404, body: { code: "UMA_NOT_FOUND" } })
    expect(asked).toEqual([])
    const account = await pay.send(
      "GET",
      "/receiver/external-account/ExternalAccount:00000000-0000-4000-8000-000000000009",
    )
    expect(account).toMatchObject({
      status: 404,
      body: { code: "REFERENCE_NOT_FOUND", message: "No such external account." },
    })
  })
})
