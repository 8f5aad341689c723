/**
 * The transactions on chains that a transfer's sides show once it has settled: external wallets and payers of crypto assets.
 * Source: wire contract areas 2.8; D-425.
 */
import { Deposits, Outcomes, QuoteFundings } from "@countersign/core"
import { DepositScreening, type RailOutcome } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { exampleBody } from "../../../packages/test/src/harness/AccountExample.ts"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import * as SuccessfulRails from "./SuccessfulRails.ts"

const hex = /^[0-9a-f]{64}$/u
const evm = /^0x[0-9a-f]{64}$/u
const hashes = [
  ["SPARK_WALLET", "SPARK", hex],
  ["SOLANA_WALLET", "SOLANA", /^[1-9A-HJ-NP-Za-km-z]{86,88}$/u],
  ["POLYGON_WALLET", "POLYGON", evm],
  ["BASE_WALLET", "BASE", evm],
  ["ETHEREUM_WALLET", "ETHEREUM", evm],
] as const

const wallet = async (pay: QuoteHarness, accountType: string) => {
  const { accountInfo, currency } = exampleBody(accountType)
  const body = { customerId: pay.customerId, currency, accountInfo }
  return { currency, id: String(at(await pay.send("POST", "/customers/external-accounts", { body }), "id")) }
}

const transferOut = (pay: QuoteHarness, source: string, destination: string) =>
  pay.send("POST", "/transfer-out", {
    body: { source: { accountId: source }, destination: { accountId: destination }, amount: 400 },
  })

/** A transfer-out to a wallet that waits for its rail. */
const toWallet = async (pay: QuoteHarness, accountType: string) => {
  const { currency, id } = await wallet(pay, accountType)
  await pay.fund(currency, 1000)
  const created = await transferOut(pay, await pay.accountId(currency), id)
  expect(created).toMatchObject({ status: 201, body: { status: "PENDING" } })
  return { created, id: String(at(created, "id")) }
}

const shown = async (pay: QuoteHarness, id: string, side: "source" | "destination") => {
  const reply = await pay.send("GET", `/transactions/${id}`)
  return at(reply, side, "onChainTransaction")
}

const paidBy = (source: object, accountId: string) => ({
  source,
  destination: { destinationType: "ACCOUNT", accountId },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 100_000,
})

const ports = (outcome: RailOutcome) =>
  Layer.merge(
    Sandbox.layer,
    SuccessfulRails.layer({ push: () => Effect.succeed(outcome), pull: () => Effect.succeed(outcome) }),
  )

describe("a payout", () => {
  it.each(hashes)(
    "to a %s shows its hash on %s in the answer, the list and the last event",
    async (type, network, hash) => {
      await using pay = await quoteHarness()
      const { created, id } = await toWallet(pay, type)
      expect(at(created, "destination")).not.toHaveProperty("onChainTransaction")
      await pay.settle()
      const expected = { transactionHash: expect.stringMatching(hash), network }
      const onChain = await shown(pay, id, "destination")
      expect(onChain).toEqual(expected)
      expect(await shown(pay, id, "destination")).toEqual(onChain)
      expect(await shown(pay, id, "source")).toBeUndefined()
      const listed = await pay.send(
        "GET",
        `/transactions?receiverAccountIdentifier=${at(created, "destination", "accountId")}`,
      )
      expect(at(listed, "data", 0, "destination", "onChainTransaction")).toEqual(onChain)
      const events = pay.inbox.received.filter(({ data }) => data["id"] === id)
      expect(events.map(({ data }) => at({ body: data }, "destination", "onChainTransaction"))).toEqual([
        undefined,
        undefined,
        onChain,
      ])
    },
  )

  it("of a quote shows it, too, and keeps it after the money came back", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 5000)
    const { id } = await wallet(pay, "SOLANA_WALLET")
    const quote = await pay.quote(between(await pay.accountId("USD"), id, 1000))
    await pay.execute(String(at(quote, "id")))
    await pay.settle()
    const transactionId = String(at(quote, "transactionId"))
    const onChain = await shown(pay, transactionId, "destination")
    expect(onChain).toMatchObject({ network: "SOLANA" })
    await pay.run(Outcomes.use((outcomes) => outcomes.report(transactionId, { _tag: "Returned" })))
    expect(await pay.transaction(quote)).toMatchObject({ body: { status: "FAILED" } })
    expect(await shown(pay, transactionId, "destination")).toEqual(onChain)
  })

  it.each<[string, string, RailOutcome]>([
    ["over Lightning", "LIGHTNING", { _tag: "Done", transactionHash: "preimage" }],
    ["to a bank", "USD_ACCOUNT", { _tag: "Done", transactionHash: "wire-1" }],
    ["whose rail tells no hash", "BASE_WALLET", { _tag: "Done" }],
    ["that failed", "BASE_WALLET", { _tag: "Refused", reason: "BANK_REJECTED" }],
  ])("%s shows none", async (_how, type, outcome) => {
    await using pay = await quoteHarness({ ports: ports(outcome) })
    const { id } = await toWallet(pay, type)
    await pay.settle()
    expect(await shown(pay, id, "destination")).toBeUndefined()
  })

  it("shows the hash that its bank reports, of the first report", async () => {
    await using pay = await quoteHarness({ ports: ports({ _tag: "Later", at: Number.MAX_SAFE_INTEGER }) })
    const { id } = await toWallet(pay, "BASE_WALLET")
    for (const transactionHash of ["0xab\u0000", "0xcd"]) {
      await pay.run(Outcomes.use((outcomes) => outcomes.report(id, { _tag: "Done", transactionHash })))
    }
    expect(await shown(pay, id, "destination")).toEqual({ transactionHash: "0xab\uFFFD", network: "BASE" })
  })
})

describe("a source that is a wallet", () => {
  it("shows the hash of the pull from it", async () => {
    await using pay = await quoteHarness({ ports: ports({ _tag: "Done", transactionHash: "0xab" }) })
    const { currency, id } = await wallet(pay, "BASE_WALLET")
    const accountId = await pay.accountId(currency)
    const body = { source: { accountId: id }, destination: { accountId }, amount: 400 }
    const created = await pay.send("POST", "/transfer-in", { body })
    expect(created).toMatchObject({ status: 201 })
    await pay.settle()
    const transactionId = String(at(created, "id"))
    expect(await shown(pay, transactionId, "source")).toEqual({ transactionHash: "0xab", network: "BASE" })
    expect(await shown(pay, transactionId, "destination")).toBeUndefined()
    const quote = await pay.quote(between(id, await pay.accountId("USD"), 100_000))
    await pay.execute(String(at(quote, "id")))
    await pay.settle()
    expect(await pay.transaction(quote)).toMatchObject({
      body: { status: "COMPLETED", source: { accountId: id, onChainTransaction: { transactionHash: "0xab" } } },
    })
  })

  it("shows the hash of the payment that its owner sent, once the quote's transaction has settled", async () => {
    await using pay = await quoteHarness()
    const { id } = await wallet(pay, "SOLANA_WALLET")
    const quote = await pay.quote(between(id, await pay.accountId("USD"), 100_000))
    expect(quote).toMatchObject({ status: 201 })
    const sent = await pay.send("POST", "/sandbox/send", {
      body: { quoteId: at(quote, "id"), currencyCode: "USDC", currencyAmount: 100_000 },
    })
    expect(at(sent, "source")).not.toHaveProperty("onChainTransaction")
    await pay.settle()
    expect(await pay.transaction(quote)).toMatchObject({
      body: {
        status: "COMPLETED",
        source: { sourceType: "ACCOUNT", accountId: id, onChainTransaction: { network: "SOLANA" } },
        destination: { accountId: await pay.accountId("USD") },
      },
    })
  })
})

describe("a payer of crypto assets", () => {
  const fundedBy = (cryptoNetwork: string, currency = "USDC") => ({
    sourceType: "REALTIME_FUNDING",
    currency,
    cryptoNetwork,
  })

  it.each([
    ["POLYGON", "USDC", evm],
    ["BITCOIN", "BTC", hex],
    ["LIGHTNING", "BTC", undefined],
  ])("over %s shows the hash of its payment in %s where there is one", async (network, currency, hash) => {
    await using pay = await quoteHarness()
    const quote = await pay.quote(
      paidBy({ ...fundedBy(network, currency), customerId: pay.customerId }, await pay.accountId("USD")),
    )
    expect(quote).toMatchObject({ status: 201 })
    await pay.send("POST", "/sandbox/send", { body: { quoteId: at(quote, "id"), currencyCode: currency } })
    await pay.settle()
    const expected = hash && { transactionHash: expect.stringMatching(hash), network }
    expect(await pay.transaction(quote)).toMatchObject({ body: { status: "COMPLETED" } })
    expect(await shown(pay, String(at(quote, "transactionId")), "source")).toEqual(expected)
  })

  it("and the wallet that is paid have hashes of their own on the same network", async () => {
    await using pay = await quoteHarness()
    const { id } = await wallet(pay, "SOLANA_WALLET")
    const quote = await pay.quote(paidBy({ ...fundedBy("SOLANA"), customerId: pay.customerId }, id))
    await pay.send("POST", "/sandbox/send", { body: { quoteId: at(quote, "id"), currencyCode: "USDC" } })
    await pay.settle()
    const { body } = await pay.transaction(quote)
    const sides = ["source", "destination"].map((side) => at({ body }, side, "onChainTransaction"))
    expect(sides).toMatchObject([{ network: "SOLANA" }, { network: "SOLANA" }])
    expect(sides[0]).not.toEqual(sides[1])
  })

  it("has the hash that the platform's bank reports, and is not asked for another", async () => {
    const asked = Layer.succeed(DepositScreening, {
      screen: () => Effect.succeed({ _tag: "Clear" as const }),
      transactionHash: () => Effect.die(new Error("the hash is known")),
    })
    await using pay = await quoteHarness({ ports: Layer.merge(Sandbox.layer, asked) })
    const quote = await pay.quote(
      paidBy({ ...fundedBy("BASE"), customerId: pay.customerId }, await pay.accountId("USD")),
    )
    const payment = { currency: "USDC" as const, amount: undefined, transactionHash: "0xef" }
    await pay.run(QuoteFundings.use((fundings) => fundings.receive(String(at(quote, "id")), payment)))
    await pay.settle()
    expect(await shown(pay, String(at(quote, "transactionId")), "source")).toEqual({
      transactionHash: "0xef",
      network: "BASE",
    })
  })
})

it("a deposit over Lightning shows no hash, even if its report names one", async () => {
  await using pay = await quoteHarness()
  const report = {
    accountId: await pay.accountId("BTC"),
    amount: 10,
    depositId: "invoice-1",
    source: { cryptoNetwork: "LIGHTNING" as const },
    transactionHash: "preimage",
  }
  const deposit = await pay.run(Deposits.use((deposits) => deposits.report(report)))
  expect(deposit?.source).not.toHaveProperty("onChainTransaction")
})
