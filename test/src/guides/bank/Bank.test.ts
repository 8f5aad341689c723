/** The asynchronous bank of the guide in an embedded service, and with a clock that a test advances. */
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../../packages/test/src/harness/AgentWorld.ts"
import { balances, fund, pullFrom, pushTo, read } from "../../../../packages/test/src/harness/TransferCalls.ts"
import { eventually } from "../../e2e/Deadline.ts"
import { bankRails } from "./BankRails.ts"
import { type Notification, notified } from "./Notifications.ts"
import { pollBookings } from "./Polling.ts"
import { testBank } from "./TestBank.ts"

const platforms = ["first", "second"].map((name) => ({ clientId: name, clientSecret: `${name}-secret` }))

/** An embedded service with the bank and two platforms. */
const started = async () => {
  const bank = testBank()
  const ports = Layer.mergeAll(Sandbox.layer, bankRails(bank.api))
  const payments = await embed({ store: MemoryStore.layer, ports, sandbox: true, platforms })
  const clientOf = (n: number) => payments.client(platforms[n] ?? "none")
  return { bank, clientOf, payments, [Symbol.asyncDispose]: payments.dispose }
}

type Client = ReturnType<Awaited<ReturnType<typeof started>>["clientOf"]>

/** Pulls an amount from the account of a new customer at the bank. */
const pulled = async (client: Client, amount: number) => {
  const fullName = "Ada Lovelace"
  const { id: customerId } = await client.customers.createCustomer({
    payload: { customerType: "INDIVIDUAL", fullName },
  })
  const { data } = await client.customers.listCustomerInternalAccounts({ query: { customerId, currency: "USD" } })
  const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }
  const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName, address } as const
  const accountInfo = {
    accountType: "USD_ACCOUNT",
    accountNumber: "12345678",
    routingNumber: "021000021",
    beneficiary,
  } as const
  const payload = { customerId, currency: "USD", accountInfo } as const
  const source = await client.externalAccounts.createCustomerExternalAccount({ payload })
  return client.transfers.createTransferIn({
    payload: { source: { accountId: source.id }, destination: { accountId: data[0]?.id ?? "" }, amount },
  })
}

const statusOf = async (client: Client, transactionId: string) =>
  (await client.transactions.getTransactionById({ params: { transactionId } })).status

describe("a notification", () => {
  it("completes the transaction of the platform for which the order was placed, once", async () => {
    await using service = await started()
    const { bank, clientOf, payments } = service
    const client = clientOf(1)
    const { id } = await pulled(client, 5_000)
    const [order] = await eventually("the order", bank.orders, (all) => all.length > 0)
    const { id: platformId } = await client.platform.getPlatformConfig()
    expect(order).toMatchObject({ reference: id, note: platformId, direction: "DEBIT", amount: 5_000 })
    expect(await statusOf(client, id)).not.toBe("COMPLETED")

    const booked = bank.move(id, "BOOKED")
    for (const notification of [booked, booked, { ...booked, state: "REJECTED" as const }]) {
      await notified(payments, notification)
      expect(await statusOf(client, id)).toBe("COMPLETED")
    }
  })

  it("of a rejected order fails the transaction", async () => {
    await using service = await started()
    const { bank, clientOf, payments } = service
    const { id } = await pulled(clientOf(0), 5_000)
    await eventually("the order", bank.orders, (all) => all.length > 0)
    await notified(payments, bank.move(id, "REJECTED"))
    expect(await statusOf(clientOf(0), id)).toBe("FAILED")
  })

  it("for another platform, or about an unknown order, is refused and changes nothing", async () => {
    await using service = await started()
    const { bank, clientOf, payments } = service
    const { id } = await pulled(clientOf(0), 5_000)
    await eventually("the order", bank.orders, (all) => all.length > 0)
    const booked = bank.move(id, "BOOKED")
    const { id: note } = await clientOf(1).platform.getPlatformConfig()
    const strange = { ...booked, reference: "Transaction:00000000-0000-4000-8000-000000000000" }
    for (const notification of [{ ...booked, note }, strange]) {
      await expect(notified(payments, notification)).rejects.toMatchObject({ code: "TRANSACTION_NOT_FOUND" })
    }
    expect(await statusOf(clientOf(0), id)).not.toBe("COMPLETED")
  })
})

describe("a bank that is polled", () => {
  it("completes what it has booked since the cursor, once, also when the process dies before it keeps the cursor", async () => {
    await using service = await started()
    const { bank, clientOf, payments } = service
    const { id } = await pulled(clientOf(0), 5_000)
    await eventually("the order", bank.orders, (all) => all.length > 0)
    const booked: Array<Notification> = []
    const cursors = ["0"]
    const bookings = {
      since: async (cursor: string) => ({ bookings: booked.slice(Number(cursor)), next: String(booked.length) }),
    }
    const cursor = { read: async () => cursors.at(-1) ?? "0", write: async (next: string) => void cursors.push(next) }
    await pollBookings(payments, bookings, cursor)
    expect(await statusOf(clientOf(0), id)).not.toBe("COMPLETED")

    booked.push(bank.move(id, "BOOKED"))
    const dies = { ...cursor, write: () => Promise.reject(new Error("killed")) }
    await expect(pollBookings(payments, bookings, dies)).rejects.toThrow("killed")
    await pollBookings(payments, bookings, cursor)
    expect(await statusOf(clientOf(0), id)).toBe("COMPLETED")
    expect(cursors).toEqual(["0", "0", "1"])
  })
})

describe("without a notification", () => {
  const world = () => {
    const bank = testBank()
    return agentWorld({}, { ports: bankRails(bank.api) }).then((pay) => ({
      bank,
      pay,
      [Symbol.asyncDispose]: () => pay[Symbol.asyncDispose](),
    }))
  }

  it("the service asks after six hours of business time", async () => {
    await using service = await world()
    const { bank, pay } = service
    const { id } = await pullFrom(pay, "000", 500)
    await pay.settle()
    bank.move(id, "BOOKED")
    await pay.clock.advance("5 hours")
    expect(await read(pay, id)).not.toMatchObject({ status: "COMPLETED" })
    await pay.clock.advance("1 hour")
    expect(await read(pay, id)).toMatchObject({ status: "COMPLETED" })
    expect(await balances(pay)).toEqual([500, 500])
  })

  it("an order whose answer was lost is not placed again, and one that never arrived is", async () => {
    await using service = await world()
    const { bank, pay } = service
    await fund(pay, 1_000)
    bank.loseAnswers(true)
    const lost = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    bank.loseAnswers(false)
    expect(bank.orders()).toMatchObject([{ reference: lost.id, state: "ACCEPTED" }])
    bank.setDown(true)
    const unsent = await pushTo(pay, "000", { amount: 300 })
    await pay.settle()
    bank.setDown(false)
    await pay.clock.advance("1 hour")
    expect(bank.orders()).toMatchObject([{ reference: lost.id }, { reference: unsent.id }])
    for (const { id } of [lost, unsent]) bank.move(id, "BOOKED")
    await pay.clock.advance("7 hours")
    for (const { id } of [lost, unsent]) expect(await read(pay, id)).toMatchObject({ status: "COMPLETED" })
    expect(await balances(pay)).toEqual([300, 300])
  })
})
