/** What follows from the accounts of a new quote: currencies, network, owner, direction and funding. Wire contract 5.2 and areas 3.6. */
import type { QuoteRequest } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import * as Loaded from "../../../packages/core/src/decision/quote/QuoteCreationLoaded.ts"
import { creation, customerOf, externalOf, internalOf } from "./CreationFacts.ts"
import { request, uma } from "./QuoteFacts.ts"

type Records = Partial<Loaded.QuoteCreationLoaded>

const sent: QuoteRequest = {
  ...request,
  source: { sourceType: "REALTIME_FUNDING", currency: "USDC", cryptoNetwork: "SOLANA" },
}
const toUma = (more: { readonly currency?: "EUR" | "GBP" | "MXN" } = {}): QuoteRequest => ({
  ...request,
  destination: { destinationType: "UMA_ADDRESS", umaAddress: "$ada@example.com", ...more },
})
const currencies = [
  { code: "GBP", minAmount: 1, maxAmount: 2 },
  { code: "EUR", minAmount: 1, maxAmount: 2 },
] as const
const found = { ...uma, currencies }
const refusedLookup = { _tag: "Refused", refusal: { code: "REFERENCE_NOT_FOUND", message: "No." } } as const
const wallet = externalOf("Customer:1", { currency: "USDC", accountInfo: { accountType: "SOLANA_WALLET" } })

describe("the sending currency", () => {
  it("is the one that a payer names, or that of the paying account", () => {
    expect(Loaded.sendingCurrencyOf(sent, internalOf())).toBe("USDC")
    expect(Loaded.sendingCurrencyOf(request, internalOf())).toBe("USD")
    expect(Loaded.sendingCurrencyOf(request, undefined)).toBeUndefined()
  })
})

describe("the receiving currency", () => {
  it.each<readonly [string, QuoteRequest, Parameters<typeof Loaded.receivingCurrencyOf>[2], unknown]>([
    ["the address's preferred one", toUma(), found, "GBP"],
    ["the requested one", toUma({ currency: "EUR" }), found, "EUR"],
    ["unknown where the address does not receive it", toUma({ currency: "MXN" }), found, undefined],
    ["unknown where the address was not found", toUma(), refusedLookup, undefined],
    ["unknown without a lookup", toUma(), undefined, undefined],
    ["unknown where the account does not exist", request, undefined, undefined],
  ])("is %s", (_, asked, receiver, currency) => {
    expect(Loaded.receivingCurrencyOf(asked, undefined, receiver)).toBe(currency)
  })

  it("is that of the account before that of an address", () => {
    expect(Loaded.receivingCurrencyOf(toUma(), externalOf("Customer:1", { currency: "MXN" }), found)).toBe("MXN")
  })
})

describe("the network of the payer", () => {
  it("is the requested one, or that of the paying wallet", () => {
    expect(Loaded.payersNetwork({ sourceAccount: undefined }, sent)).toBe("SOLANA")
    expect(Loaded.payersNetwork({ sourceAccount: wallet }, request)).toBe("SOLANA")
    expect(Loaded.payersNetwork({ sourceAccount: externalOf() }, request)).toBeUndefined()
    expect(Loaded.payersNetwork({ sourceAccount: internalOf() }, request)).toBeUndefined()
  })
})

describe("the rules see", () => {
  it("the source as a payer, an internal or an external account", () => {
    const sourceOf = (records: Records, asked = request) => Loaded.sourceOf({ ...creation, ...records }, asked)
    expect(sourceOf({}, sent)).toEqual({ _tag: "Payer", instructions: [] })
    expect(sourceOf({})).toEqual({ _tag: "Internal", account: internalOf().data })
    expect(sourceOf({ sourceAccount: externalOf(), isPullable: true })).toEqual({
      _tag: "External",
      account: externalOf().data,
      isPullable: true,
      instructions: [],
    })
    expect(sourceOf({ sourceAccount: undefined })).toBeUndefined()
  })

  it("the destination as an address, an internal or an external account", () => {
    const destinationOf = (records: Records) => Loaded.destinationOf({ ...creation, ...records })
    expect(destinationOf({})).toEqual({ _tag: "External", account: externalOf().data })
    expect(destinationOf({ destinationAccount: internalOf() })).toEqual({
      _tag: "Internal",
      account: internalOf().data,
    })
    expect(destinationOf({ destinationAccount: internalOf(), receiver: found })).toMatchObject({ _tag: "Internal" })
    expect(destinationOf({ destinationAccount: undefined, receiver: found })).toEqual({ _tag: "Uma" })
    expect(destinationOf({ destinationAccount: undefined, receiver: refusedLookup })).toBeUndefined()
    expect(destinationOf({ destinationAccount: undefined })).toBeUndefined()
  })
})

describe("the owners of the accounts", () => {
  const platforms: Records = { customer: undefined }
  it.each<readonly [string, Records, boolean]>([
    ["a customer pays its own external account from its own", {}, true],
    ["a payer pays the customer's external account", { sourceAccount: undefined }, true],
    ["a pooled account pays for the customer", { sourceAccount: internalOf(null) }, true],
    ["another customer's account pays", { sourceAccount: internalOf("Customer:2") }, false],
    ["a customer pays another one's external account", { destinationAccount: externalOf("Customer:2") }, false],
    ["a customer pays the platform's external account", { destinationAccount: externalOf(null) }, false],
    ["a customer pays another one's internal account", { destinationAccount: internalOf("Customer:2") }, true],
    ["the platform pays a customer's external account", { ...platforms, sourceAccount: internalOf(null) }, true],
    ["the platform pays from a customer's account", platforms, false],
  ])("allow the payment or not: %s", (_, records, isAllowed) => {
    expect(Loaded.isOwnersAccount({ ...creation, ...records })).toBe(isAllowed)
  })
})

describe("a transaction", () => {
  it("belongs to the customer that pays, or that the platform pays", () => {
    const receivingCustomer = customerOf("Customer:2")
    expect(Loaded.ownerOf({ ...creation, receivingCustomer })?.id).toBe("Customer:1")
    expect(Loaded.ownerOf({ ...creation, customer: undefined, receivingCustomer })?.id).toBe("Customer:2")
    expect(Loaded.ownerOf({ ...creation, customer: undefined })).toBeUndefined()
  })

  it.each<readonly [string, Records, "CREDIT" | "DEBIT"]>([
    ["leaves its owner's account", {}, "DEBIT"],
    ["moves between its owner's accounts", { namedDestination: internalOf() }, "DEBIT"],
    ["arrives from outside", { sourceAccount: externalOf(), namedDestination: internalOf() }, "CREDIT"],
    ["arrives from a payer", { sourceAccount: undefined, namedDestination: internalOf() }, "CREDIT"],
    ["arrives from the platform", { sourceAccount: internalOf(null), namedDestination: internalOf() }, "CREDIT"],
    ["goes to another customer", { namedDestination: internalOf("Customer:2") }, "DEBIT"],
    [
      "of the platform arrives in its own account",
      { customer: undefined, sourceAccount: undefined, namedDestination: internalOf(null) },
      "DEBIT",
    ],
  ])("that %s has its direction", (_, records, direction) => {
    expect(Loaded.directionOf({ ...creation, ...records })).toBe(direction)
  })

  it("is funded by an account, pulled, or sent by a payer", () => {
    const fundingOf = (records: Records) => Loaded.fundingOf({ ...creation, ...records })
    expect(fundingOf({})).toBe("ACCOUNT")
    expect(fundingOf({ isPullable: true })).toBe("ACCOUNT")
    expect(fundingOf({ sourceAccount: externalOf(), isPullable: true })).toBe("PULL")
    expect(fundingOf({ sourceAccount: externalOf() })).toBe("PUSH")
    expect(fundingOf({ sourceAccount: undefined, isPullable: true })).toBe("PUSH")
  })
})
