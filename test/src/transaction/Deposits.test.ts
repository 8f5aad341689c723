/**
 * Deposits by funding instructions over HTTP: credited, held, refused and given back, by the suffix of the sender's account.
 * Source: wire contract areas 2.7, 2.8, 2.13 and 3.10; D-398, D-399, D-416.
 */
import { UnappliedMoney } from "@countersign/core"
import { DepositSuffixes } from "@countersign/core/sandbox"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { balances, bySuffix, eventsOf, fund, type Members, only, world } from "./DepositRequests.ts"

/** A deposit of 700 whose refund has failed. */
const stuck = async () => {
  const all = await world()
  await fund(all.pay, all.account.id, 700, bySuffix("003"))
  const { id } = await only(all.pay, all.customerId)
  await all.pay.clock.advance("2 seconds")
  await all.pay.settle()
  return { ...all, id }
}

const expectBalancedBooks = async (pay: Harness) => {
  const books = await pay.books()
  expect(books.reduce((sum, { balance }) => sum + balance, 0)).toBe(0)
}

describe("a deposit by funding instructions", () => {
  it("is shown, credited and found by the calls of a foreign client", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    const info = account.fundingPaymentInstructions[0]?.accountOrWalletInfo ?? {}
    expect(Object.keys(info)).toEqual(
      expect.arrayContaining(["accountNumber", "routingNumber", "paymentRails", "reference"]),
    )
    expect(await fund(pay, account.id, 2500)).toMatchObject({
      status: 200,
      body: { id: account.id, balance: { amount: 2500 }, totalBalance: { amount: 2500 } },
    })
    await pay.settle()
    const [event] = pay.inbox.ofType("INCOMING_PAYMENT.COMPLETED")
    expect(event?.data).toMatchObject({
      type: "INCOMING",
      direction: "CREDIT",
      status: "COMPLETED",
      source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId, paymentRail: "ACH" },
      destination: { destinationType: "ACCOUNT", accountId: account.id, currency: "USD" },
      receivedAmount: { amount: 2500 },
      reconciliationInstructions: { reference: info["reference"] },
    })
    const path = `/transactions?customerId=${customerId}&reference=${String(info["reference"])}`
    expect(at(await pay.send("GET", path), "data")).toEqual([event?.data])
  })

  it("shows what the rail tells about its sender, masks the account, and fills in the rest", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    const source = {
      accountHolderName: "John Sender",
      accountIdentifier: "000123456789",
      bankName: "First Bank",
      bankIdentifier: "021000089",
      paymentRail: "WIRE",
      remittanceInformation: "12345",
      endToEndId: "E2E-9f2c6b6f",
      traceNumber: "021000020123456",
    }
    await fund(pay, account.id, 10, source)
    expect(await only(pay, customerId)).toMatchObject({
      source: { ...source, accountIdentifier: "****6789" },
      counterpartyInformation: { FULL_NAME: "John Sender" },
    })
    expect(JSON.stringify(await only(pay, customerId))).not.toContain("000123456789")
    const other = await world()
    await using __ = other.pay
    await fund(other.pay, other.account.id, 10, {})
    expect(await only(other.pay, other.customerId)).toMatchObject({
      source: {
        accountHolderName: "Sandbox Sender",
        accountIdentifier: "****6789",
        bankName: "Example Bank",
        bankIdentifier: "021000021",
        paymentRail: "ACH",
        endToEndId: expect.stringMatching(/^E2E-/u),
        traceNumber: expect.stringMatching(/^[0-9]{16}$/u),
      },
    })
  })

  it.each([
    ["USDC", "SOLANA", /^[1-9A-HJ-NP-Za-km-z]{86,88}$/u],
    ["USDC", "BASE", /^0x[0-9a-f]{64}$/u],
    ["BTC", "BITCOIN", /^[0-9a-f]{64}$/u],
    ["BTC", "LIGHTNING", undefined],
  ])("in %s over %s shows its transaction on the chain once it has settled", async (currency, cryptoNetwork, hash) => {
    const { account, customerId, pay } = await world(currency)
    await using _ = pay
    await fund(pay, account.id, 10, { cryptoNetwork, accountIdentifier: "wallet-abc" })
    const { source } = await only(pay, customerId)
    expect(source).toMatchObject({ cryptoNetwork, accountIdentifier: "****-abc" })
    const expected = hash && { transactionHash: expect.stringMatching(hash), network: cryptoNetwork }
    expect((source as Members)["onChainTransaction"]).toEqual(expected)
    expect((await only(pay, customerId))["source"]).toEqual(source)
  })

  it("has five magic suffixes", () => {
    expect([...DepositSuffixes.keys].toSorted()).toEqual(["001", "002", "003", "004", "005"])
  })

  it.each([
    ["001", "COMPLIANCE_REVIEW"],
    ["004", "COUNTERPARTY_INFORMATION_REQUIRED"],
  ])("is held for 30 seconds by the suffix %s, and then credited", async (suffix, pendingReason) => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    expect(await fund(pay, account.id, 700, bySuffix(suffix))).toMatchObject({
      status: 200,
      body: { balance: { amount: 0 }, totalBalance: { amount: 700 } },
    })
    const { id } = await only(pay, customerId)
    await pay.clock.advance("29 seconds")
    await pay.settle()
    expect(await only(pay, customerId)).toMatchObject({ status: "PENDING", pendingReason })
    expect(await pay.send("POST", `/transactions/${id}/approve`, { body: {} })).toMatchObject({ status: 409 })
    expect(await pay.send("POST", `/transactions/${id}/reject`, { body: {} })).toMatchObject({ status: 409 })
    expect(await balances(pay, account.id)).toEqual([0, 700])
    await pay.clock.advance("2 seconds")
    await pay.settle()
    const ended = await only(pay, customerId)
    const settledAt = new Date(Date.parse(String(ended["createdAt"])) + 30_000).toISOString()
    expect(ended).toMatchObject({ status: "COMPLETED", settledAt: settledAt.replace(".000Z", "Z") })
    expect(ended).not.toHaveProperty("pendingReason")
    expect(await balances(pay, account.id)).toEqual([700, 700])
    expect(eventsOf(pay, id)).toEqual(["INCOMING_PAYMENT.PENDING", "INCOMING_PAYMENT.COMPLETED"])
    expect(eventsOf(pay, account.id)).toEqual(Array(2).fill("INTERNAL_ACCOUNT.BALANCE_UPDATED"))
  })

  it("is refused by the suffix 002, and back with its sender one second later", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    await fund(pay, account.id, 300)
    await fund(pay, account.id, 700, bySuffix("002"))
    const { id } = await only(pay, customerId)
    expect(await balances(pay, account.id)).toEqual([300, 1000])
    expect(await only(pay, customerId)).toMatchObject({
      status: "FAILED",
      failureReason: "COMPLIANCE_REJECTED",
      refund: { status: "PENDING", reason: "TRANSACTION_FAILED", reference: expect.stringMatching(/^R/u) },
    })
    await pay.clock.advance("2 seconds")
    await pay.settle()
    expect(await only(pay, customerId)).toMatchObject({
      status: "REFUNDED",
      refund: { status: "COMPLETED", settledAt: expect.any(String) },
    })
    expect(await balances(pay, account.id)).toEqual([300, 300])
    expect(eventsOf(pay, id)).toEqual([
      "INCOMING_PAYMENT.FAILED",
      "INCOMING_PAYMENT.REFUND_PENDING",
      "INCOMING_PAYMENT.REFUND_COMPLETED",
    ])
    expect(at(await pay.send("GET", "/transactions?status=REFUNDED"), "data")).toMatchObject([{ id }])
  })

  it("stays held by the suffix 003, because it cannot be given back, and blocks the deletion of its customer", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    await fund(pay, account.id, 700, bySuffix("003"))
    const { id } = await only(pay, customerId)
    await pay.clock.advance("2 seconds")
    await pay.settle()
    expect(await only(pay, customerId)).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
      refund: { status: "FAILED" },
    })
    expect(await balances(pay, account.id)).toEqual([0, 700])
    expect(eventsOf(pay, id)).toEqual([
      "INCOMING_PAYMENT.FAILED",
      "INCOMING_PAYMENT.REFUND_PENDING",
      "INCOMING_PAYMENT.REFUND_FAILED",
    ])
    expect(await pay.send("DELETE", `/customers/${customerId}`)).toMatchObject({ status: 409 })
    const retried = await pay.run(UnappliedMoney.use((money) => money.retryRefund(id)))
    expect(retried.body).toMatchObject({ refund: { status: "PENDING" } })
  })

  it("that cannot be given back is listed for an operator, who applies it, once", async () => {
    const { account, customerId, id, pay } = await stuck()
    await using _ = pay
    expect((await pay.send("GET", "/unapplied-money")).body).toMatchObject({
      totalCount: 1,
      data: [{ transactionId: id, customerId, accountId: account.id, amount: { amount: 700 }, status: "OPEN" }],
    })
    const apply = () => pay.send("POST", `/unapplied-money/${id}/apply`, { body: {} })
    const replies = await Promise.all([apply(), apply()])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await balances(pay, account.id)).toEqual([700, 700])
    expect(at(await pay.send("GET", "/unapplied-money"), "data")).toEqual([])
    await pay.settle()
    expect(eventsOf(pay, account.id)).toEqual(Array(2).fill("INTERNAL_ACCOUNT.BALANCE_UPDATED"))
    expect(await pay.run(Effect.flip(UnappliedMoney.use((money) => money.retryRefund(id))))).toMatchObject({
      code: "CONFLICT",
    })
    await expectBalancedBooks(pay)
  })

  it("that cannot be given back may be returned by an operator, who touches no other held money", async () => {
    const { account, id, pay } = await stuck()
    await using _ = pay
    await fund(pay, account.id, 5, bySuffix("001"))
    const giveBack = () => pay.run(UnappliedMoney.use((money) => money.giveBack(id, "wire 4711")))
    expect((await giveBack()).body).toMatchObject({ status: "RETURNED", amount: { amount: 700 } })
    expect(await balances(pay, account.id)).toEqual([0, 5])
    await pay.clock.advance("31 seconds")
    await pay.settle()
    await expectBalancedBooks(pay)
    expect(await balances(pay, account.id)).toEqual([5, 5])
  })

  it("that cannot be given back is not for an operator while the rail is asked again", async () => {
    const { account, customerId, id, pay } = await stuck()
    await using _ = pay
    await pay.run(UnappliedMoney.use((money) => money.retryRefund(id)))
    expect(at(await pay.send("GET", "/unapplied-money"), "data")).toEqual([])
    expect(await pay.send("POST", `/unapplied-money/${id}/apply`, { body: {} })).toMatchObject({ status: 409 })
    await pay.clock.advance("2 seconds")
    await pay.settle()
    expect(at(await pay.send("GET", "/unapplied-money"), "data")).toMatchObject([{ transactionId: id }])
    expect(await balances(pay, account.id)).toEqual([0, 700])
    await pay.run(UnappliedMoney.use((money) => money.giveBack(id, "wire 1")))
    expect(await balances(pay, account.id)).toEqual([0, 0])
    expect(await pay.send("DELETE", `/customers/${customerId}`)).toMatchObject({ status: 200 })
  })

  it("is refused after seven days that nobody used, and given back", async () => {
    const { account, customerId, pay } = await world("USDC")
    await using _ = pay
    await fund(pay, account.id, 700, { accountIdentifier: "wallet-005", cryptoNetwork: "SOLANA" })
    await pay.clock.advance("6 days")
    await pay.settle()
    const held = await only(pay, customerId)
    expect(held).toMatchObject({ status: "PENDING", pendingReason: "COUNTERPARTY_DECLARATION_REQUIRED" })
    expect(held["source"]).not.toHaveProperty("onChainTransaction")
    await pay.clock.advance("1 day")
    await pay.clock.advance("5 seconds")
    await pay.settle()
    expect(await only(pay, customerId)).toMatchObject({
      status: "REFUNDED",
      failureReason: "COMPLIANCE_REJECTED",
      refund: { status: "COMPLETED" },
    })
    expect(await balances(pay, account.id)).toEqual([0, 0])
  })

  it.each<[string, Members]>([
    ["an unknown rail", { source: { paymentRail: "PIGEON" } }],
    ["an empty name", { source: { accountHolderName: "" } }],
    ["a long name", { source: { accountHolderName: "a".repeat(256) } }],
    ["a source that is no object", { source: "x" }],
    ["the amount of another operation", { amount: undefined, currencyCode: "USD", currencyAmount: 5 }],
  ])("is not recorded with %s", async (_name, more) => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    const path = `/sandbox/internal-accounts/${account.id}/fund`
    expect(await pay.send("POST", path, { body: { amount: 5, ...more } })).toMatchObject({ status: 400 })
    expect(at(await pay.send("GET", `/transactions?customerId=${customerId}`), "data")).toEqual([])
  })
})
